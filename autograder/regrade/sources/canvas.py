"""Recognises Canvas's "Download Submissions": one flat list of files, each named for its student.

    smithbob_LATE_340934_208490284_engine-1.py      name[_LATE]_user_attachment_file
    LATE_anon_x9Qz1_208490284_engine.py             when grading is anonymous

The name is last and first name without a separator. The file's own `-1` is Canvas's mark of a resubmission.
"""

from __future__ import annotations

import re
from collections import defaultdict

from ..records.class_report import Submitter
from .found import FoundSubmission, Part, RecognisedSource
from .kinds import SourceKind, looks_handed_in, mixed
from .tree import Child, Tree

_NAMED = re.compile(r"(?P<who>.+?)(?P<late>_LATE)?_(?P<user>\d+)_(?P<attachment>\d+)_(?P<file>.+)", re.DOTALL)
_ANONYMOUS = re.compile(r"(?P<late>LATE_)?anon_(?P<user>[0-9A-Za-z]+)_(?P<attachment>\d+)_(?P<file>.+)", re.DOTALL)
_TYPED = re.compile(r"(?:.+?(?:_LATE)?_(?P<user>\d+)|(?:LATE_)?anon_(?P<anon>[0-9A-Za-z]+))_(?P<kind>text|link)\.html")
_SHARE = 0.5  # of the names that must look like Canvas's


def recognise(tree: Tree, insisted: bool) -> RecognisedSource | None:
    """Return the submissions of a download, or None if `tree` is not one, whether or not that is `insisted` on.

    Raises AssignmentError when names that Canvas writes lie beside submissions that it did not name.
    """
    files = [child for child in tree.children("") if not child.is_folder]
    parts: dict[str, list[re.Match[str]]] = defaultdict(list)
    typed, ignored = defaultdict(list), []
    for child in files:
        name = child.name
        if child.is_link:
            ignored.append(f"{name} (a link)")
        elif match := _ANONYMOUS.fullmatch(name) or _NAMED.fullmatch(name):
            parts[match["user"]].append(match)
        elif match := _TYPED.fullmatch(name):
            typed[match["user"] or match["anon"]].append(match["kind"])
            ignored.append(f"{name} (typed into Canvas, no file)")
        else:
            ignored.append(f"{name} (not named by Canvas)")
    taken = sum(map(len, parts.values()))
    typed_count = sum(map(len, typed.values()))
    if not taken + typed_count or (not insisted and taken + typed_count < _SHARE * len(tree.children(""))):
        return None
    strangers = [child.name for child in tree.children("") if looks_handed_in(child) and not _is_named(child)]
    if strangers and not insisted:
        raise mixed(tree.name, SourceKind.CANVAS, strangers)
    found = [_found(user, matches, user in typed) for user, matches in parts.items()]
    found += [
        FoundSubmission(id=user, parts=(), missing="nothing but text or a link was handed in")
        for user in typed.keys() - parts
    ]
    ignored += [f"{child.name} (a folder)" for child in tree.children("") if child.is_folder]
    return RecognisedSource(kind="a Canvas download", found=tuple(found), ignored=tuple(ignored))


def _is_named(child: Child) -> bool:
    return not child.is_folder and any(form.fullmatch(child.name) for form in (_NAMED, _ANONYMOUS, _TYPED))


def _found(user: str, matches: list[re.Match[str]], has_text: bool) -> FoundSubmission:
    who = matches[0].groupdict().get("who") or ""
    remarks = ["late"] if any(match["late"] for match in matches) else []
    remarks += ["a text or a link beside the files was not read"] if has_text else []
    return FoundSubmission(
        id=user,
        parts=tuple(Part(path=match.string, name=match["file"]) for match in matches),
        submitters=(Submitter(name=who),),
        remarks=tuple(remarks),
    )
