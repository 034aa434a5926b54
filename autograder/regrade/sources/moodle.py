"""Recognises Moodle's "Download all submissions": folders, or files, named for participant and kind of submission.

    Ada Example_12345_assignsubmission_file/engine.py       with folders; older versions end the name with `_`
    Ada Example_12345_assignsubmission_file_engine.py       without
    Participant_12345_assignsubmission_file/engine.py       blind marking

Moodle turns the underscores of a name into spaces before it adds its own, so a name is read from the right.
"""

from __future__ import annotations

import re
from collections import defaultdict

from ..records.class_report import Submitter
from .found import FoundSubmission, Part, RecognisedSource
from .kinds import SourceKind, looks_handed_in, mixed
from .tree import Child, Tree

_FOLDER = re.compile(r"(?P<who>.+)_(?P<id>\d+)_assignsubmission_(?P<kind>[a-z]+)_?")
_FILE = re.compile(r"(?P<who>.+?)_(?P<id>\d+)_assignsubmission_(?P<kind>[a-z]+)_+(?P<file>.+)", re.DOTALL)
_SHARE = 0.5  # of the names that must look like Moodle's
_BLIND = "Participant"


def recognise(tree: Tree, insisted: bool) -> RecognisedSource | None:
    """Return the submissions of a download, or None if `tree` is not one, whether or not that is `insisted` on.

    Raises AssignmentError when names that Moodle writes lie beside submissions that it did not name.
    """
    children = tree.children("")
    matches: dict[str, list[tuple[Child, re.Match[str]]]] = defaultdict(list)
    ignored = []
    for child in children:
        match = None if child.is_link else (_FOLDER if child.is_folder else _FILE).fullmatch(child.name)
        if match:
            matches[match["id"]].append((child, match))
        else:
            ignored.append(f"{child.name} ({'a link' if child.is_link else 'not named by Moodle'})")
    if not matches or (not insisted and sum(map(len, matches.values())) < _SHARE * len(children)):
        return None
    named = {child.name for items in matches.values() for child, _ in items}
    strangers = [child.name for child in children if looks_handed_in(child) and child.name not in named]
    if strangers and not insisted:
        raise mixed(tree.name, SourceKind.MOODLE, strangers)
    found = [_found(participant, items) for participant, items in matches.items()]
    ignored += [
        f"{child.name} (typed into Moodle, no file)"
        for items in matches.values()
        for child, match in items
        if match["kind"] != "file"
    ]
    return RecognisedSource(kind="a Moodle download", found=tuple(found), ignored=tuple(ignored))


def _found(participant: str, items: list[tuple[Child, re.Match[str]]]) -> FoundSubmission:
    files = [(child, match) for child, match in items if match["kind"] == "file"]
    who = items[0][1]["who"]
    beside = ("an online text beside the files was not read",) if files and len(files) < len(items) else ()
    return FoundSubmission(
        id=participant,
        parts=tuple(Part(path=child.name, name=match.groupdict().get("file") or "") for child, match in files),
        submitters=(Submitter(name="" if who == _BLIND else who),),
        remarks=beside,
        missing="" if files else "nothing but an online text was handed in",
    )
