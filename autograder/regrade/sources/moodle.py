"""Recognises Moodle's "Download all submissions": folders, or files, named for participant and kind of submission.

    Ada Example_12345_assignsubmission_file/engine.py       with folders; older versions end the name with `_`
    Ada Example_12345_assignsubmission_file_engine.py       without
    Participant_12345_assignsubmission_file/engine.py       blind marking

Moodle turns the underscores of a name into spaces before it adds its own, so a name is read from the right.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from ..records.class_report import Submitter
from .found import Attempt, FoundSubmission, Part, RecognisedSource
from .kinds import WORDS, SourceKind, is_written_by
from .tree import Child, Tree

_FOLDER = re.compile(r"(?P<who>[^_]+)_(?P<id>\d+)_assignsubmission_(?P<kind>[a-z]+)_?")
_FILE = re.compile(r"(?P<who>[^_]+)_(?P<id>\d+)_assignsubmission_(?P<kind>[a-z]+)_+(?P<file>.+)", re.DOTALL)
_BLIND = "Participant"


def recognise(tree: Tree, insisted: bool) -> RecognisedSource | None:
    """Return the submissions of a download, or None if `tree` is not one, whether or not that is `insisted` on.

    Raises AssignmentError if names that Moodle writes lie beside submissions that it did not name.
    """
    matches: dict[str, list[tuple[Child, re.Match[str]]]] = defaultdict(list)
    ignored = []
    for child in tree.children(""):
        match = None if child.is_link else (_FOLDER if child.is_folder else _FILE).fullmatch(child.name)
        if match:
            matches[match["id"]].append((child, match))
        else:
            ignored.append(f"{child.name} ({'a link' if child.is_link else 'not named by Moodle'})")
    named = {child.name for items in matches.values() for child, _ in items}
    if not is_written_by(SourceKind.MOODLE, tree, named, insisted=insisted):
        return None
    found = [_found(participant, items) for participant, items in matches.items()]
    ignored += [
        f"{child.name} (typed into Moodle, no file)"
        for items in matches.values()
        for child, match in items
        if match["kind"] != "file"
    ]
    return RecognisedSource(kind=WORDS[SourceKind.MOODLE], found=tuple(found), ignored=tuple(ignored))


def _found(participant: str, items: list[tuple[Child, re.Match[str]]]) -> FoundSubmission:
    files = [(child, match) for child, match in items if match["kind"] == "file"]
    who = items[0][1]["who"]
    beside = ("an online text beside the files was not read",) if files and len(files) < len(items) else ()
    return FoundSubmission(
        id=participant,
        attempts=tuple(_attempts(files)),
        submitters=(Submitter(name="" if who == _BLIND else who),),
        remarks=beside,
        missing="" if files else "nothing but an online text was handed in",
    )


def _attempts(files: list[tuple[Child, re.Match[str]]]) -> Iterator[Attempt]:
    """Yield an attempt for each folder, and one for all files that lie beside folders.

    A download holds one attempt of each. Several folders of one participant are of several downloads, put together.
    """
    for child, _ in files:
        if child.is_folder:
            yield Attempt(label=child.name, parts=(Part(path=child.name),))
    flat = [(child, match) for child, match in files if not child.is_folder]
    if flat:
        parts = tuple(Part(path=child.name, name=match["file"]) for child, match in flat)
        yield Attempt(label=flat[0][0].name, parts=parts)
