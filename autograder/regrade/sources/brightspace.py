"""Recognises Brightspace's "Download all files": a folder, or files, for each time that a student handed in.

    12345-67890 - Ada Example - Oct 3, 2026 1102 AM/engine.py        user-folder - name - time
    12345-67890 - Ada Example - Oct 3, 2026 1102 AM - engine.py      without folders
    index.html                                                       Brightspace's own list

The numbers come first, so that nothing that a student chose stands before them.
"""

from __future__ import annotations

import re
from collections import defaultdict

from ..records.class_report import Submitter
from .attempts import moment
from .found import Attempt, FoundSubmission, Part, RecognisedSource
from .kinds import WORDS, SourceKind, is_written_by
from .tree import Tree

_CLOCK = r"\d{1,2}:?\d\d [AaPp][Mm]"
_NAMED = re.compile(
    rf"(?P<user>\d+)-\d+ - (?P<who>.+?) - (?P<time>[^-]+? {_CLOCK}|\d[\d.: T-]+)(?: - (?P<file>.+))?", re.DOTALL
)


def recognise(tree: Tree, insisted: bool) -> RecognisedSource | None:
    """Return the submissions of a download, or None if `tree` is not one, whether or not that is `insisted` on."""
    users: dict[str, dict[str, list[re.Match[str]]]] = defaultdict(lambda: defaultdict(list))
    ignored, named = [], set()
    for child in tree.children(""):
        match = None if child.is_link else _NAMED.fullmatch(child.name)
        if match and bool(match["file"]) != child.is_folder:
            users[match["user"]][child.name if child.is_folder else match["time"]].append(match)
            named.add(child.name)
        else:
            ignored.append(f"{child.name} ({'a link' if child.is_link else 'not named by Brightspace'})")
    if not is_written_by(SourceKind.BRIGHTSPACE, tree, named, insisted=insisted):
        return None
    found = tuple(_found(user, times) for user, times in users.items())
    return RecognisedSource(kind=WORDS[SourceKind.BRIGHTSPACE], found=found, ignored=tuple(ignored))


def _found(user: str, uploads: dict[str, list[re.Match[str]]]) -> FoundSubmission:
    attempts = [
        Attempt(
            label=matches[0]["time"],
            when=moment(matches[0]["time"]),
            parts=tuple(Part(path=match.string, name=match["file"] or "") for match in matches),
        )
        for matches in uploads.values()
    ]
    who = next(iter(uploads.values()))[0]["who"]
    return FoundSubmission(id=user, attempts=tuple(attempts), submitters=(Submitter(name=who),))
