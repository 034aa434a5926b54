"""Recognises Canvas's "Download Submissions": one flat list of files, each named for its student.

    smithbob_LATE_340934_208490284_engine-1.py      name[_LATE]_user_attachment_file
    LATE_anon_x9Qz1_208490284_engine.py             when grading is anonymous

The name is last and first name without a separator; students choose it, and the file's name, but neither number. The
file's own `-1` is Canvas's mark of a resubmission: of such copies the one with the highest attachment is the newest.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

import msgspec

from ...errors import AssignmentError
from ...text import one_line
from ..records.class_report import Submitter
from .found import FoundSubmission, Part, RecognisedSource
from .kinds import WORDS, SourceKind, is_written_by
from .tree import Tree

_NUMBERS = re.compile(r"(?=_(\d+)_(\d+)_(.+))", re.DOTALL)  # a lookahead: readings may overlap
_WHO = re.compile(r"(?!.*_assignsubmission_)\w+")  # Canvas leaves nothing else of a name; the rest is Moodle's
_LATE = re.compile(r"_LATE$|^LATE_(?=anon_)")
_ANONYMOUS = re.compile(r"(LATE_)?anon_(?P<user>[0-9A-Za-z]+)_(?:(?P<attachment>\d+)_(?P<file>.+)|(?:text|link)\.html)")
_TYPED = re.compile(r"(?P<who>.+?)_(?P<user>\d+)_(?:text|link)\.html")
_COPY = re.compile(r"-\d+(?=\.[^.]*$|$)")


class _File(msgspec.Struct, frozen=True, kw_only=True):
    """One name of the download, read."""

    path: str
    who: str
    user: str
    attachment: int = 0
    file: str = ""  # "" for a text or a link that was typed into Canvas
    is_late: bool = False
    others: tuple[str, ...] = ()  # users whose file it could be as well


def recognise(tree: Tree, insisted: bool) -> RecognisedSource | None:
    """Return the submissions of a download, or None if `tree` is not one, whether or not that is `insisted` on.

    Raises AssignmentError if names that Canvas writes lie beside submissions that it did not name, or if a name can
    be read as two students' and one of them handed in something else.
    """
    children = [child for child in tree.children("") if not child.is_folder and not child.is_link]
    files = _read([child.name for child in children])
    named = {file.path for file in files}
    if not is_written_by(SourceKind.CANVAS, tree, named, insisted=insisted):
        return None
    users: dict[str, list[_File]] = defaultdict(list)
    for file in files:
        users[file.user].append(file)
    for user, own in users.items():
        _check(tree.name, user, own)
    ignored = [f"{file.path} (typed into Canvas, no file)" for file in files if not file.file]
    ignored += [f"{child.name} (not named by Canvas)" for child in tree.children("") if child.name not in named]
    found = tuple(_found(user, own) for user, own in users.items())
    return RecognisedSource(kind=WORDS[SourceKind.CANVAS], found=found, ignored=tuple(ignored))


def _read(names: Sequence[str]) -> list[_File]:
    """Return the names that Canvas wrote, read.

    Grading is anonymous for a whole download or not at all: beside names of people, `anon_` may begin a student's.
    """
    has_people = any(_named(name) and not _ANONYMOUS.fullmatch(name) for name in names)
    files = [_named(name) or _unnamed(name) if has_people else _unnamed(name) or _named(name) for name in names]
    return [file for file in files if file is not None]


def _named(name: str) -> _File | None:
    readings = [(match.start(), match) for match in _NUMBERS.finditer(name) if _WHO.fullmatch(name[: match.start()])]
    if readings:
        start, match = readings[0]
        who = _LATE.sub("", name[:start])
        return _File(
            path=name,
            who=who,
            user=match[1],
            attachment=int(match[2][:30]),
            file=match[3],
            is_late=who != name[:start],
            others=tuple(other[1] for _, other in readings[1:]),
        )
    typed = _TYPED.fullmatch(name)
    return _File(path=name, who=_LATE.sub("", typed["who"]), user=typed["user"]) if typed else None


def _unnamed(name: str) -> _File | None:
    match = _ANONYMOUS.fullmatch(name)
    if match is None:
        return None
    number, file = match["attachment"] or "0", match["file"] or ""
    return _File(path=name, who="", user=match["user"], attachment=int(number[:30]), file=file, is_late=bool(match[1]))


def _check(source: str, user: str, files: Sequence[_File]) -> None:
    """Raise AssignmentError if a student may have chosen a name that makes the file another's."""
    names = {file.who.casefold(): file for file in files}
    unclear = [file for file in files if file.others]
    if len(names) > 1:
        first, second = list(names.values())[:2]
        reason = f"user {user} has two names: {one_line(first.path)} and {one_line(second.path)}"
    elif unclear and len(files) > len(unclear):
        clear = next(file for file in files if not file.others)
        reason = (
            f"{one_line(unclear[0].path)} can be read as a file of user {user}, who handed in "
            f"{one_line(clear.path)}, or of user {unclear[0].others[-1]}"
        )
    else:
        return
    raise AssignmentError(
        f"{one_line(source)}: {reason}. Students choose the first and the last part of such a name: see in Canvas "
        "whose it is, and rename it so that one reading is left"
    )


def _found(user: str, files: Sequence[_File]) -> FoundSubmission:
    newest, older = _newest(file for file in files if file.file)
    remarks = ["late"] if any(file.is_late for file in newest) else []
    remarks += ["a text or a link beside the files was not read"] if newest and len(files) > len(newest + older) else []
    remarks += [f"an older upload was not read: {file.file} (file {file.attachment} of Canvas)" for file in older]
    remarks += [f"its name could be that of user {file.others[-1]} as well" for file in newest if file.others]
    return FoundSubmission(
        id=user,
        parts=tuple(Part(path=file.path, name=file.file) for file in newest),
        submitters=(Submitter(name=files[0].who),),
        remarks=tuple(remarks),
        missing="" if newest else "nothing but text or a link was handed in",
    )


def _newest(files: Iterable[_File]) -> tuple[list[_File], list[_File]]:
    """Return the newest of the files that are copies of one name, and the older ones."""
    copies: dict[str, list[_File]] = defaultdict(list)
    for file in files:
        copies[_COPY.sub("", file.file).casefold()].append(file)
    in_turn = [sorted(group, key=lambda file: file.attachment) for group in copies.values()]
    return [group[-1] for group in in_turn], [file for group in in_turn for file in group[:-1]]
