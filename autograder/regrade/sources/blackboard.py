"""Recognises Blackboard's "Assignment File Download": one flat list, in which every name holds user and time.

    Homework 1_ada_attempt_2026-01-30-20-30-10_engine.py     assignment_user_attempt_time_file
    Homework 1_ada_attempt_2026-01-30-20-30-10.txt           what Blackboard and the student say about it

What a student chose stands after the first time, so a name is read from there to the left.
"""

from __future__ import annotations

import re
from collections import defaultdict

from ..records.class_report import Submitter
from .attempts import moment
from .found import Attempt, FoundSubmission, Part, RecognisedSource, identity, shared_prefix
from .kinds import WORDS, SourceKind, is_written_by
from .tree import Tree

_TIME = r"_attempt_(?P<time>\d{4}(?:-\d\d){5})"
_NAMED = re.compile(rf"(?P<head>.+?){_TIME}_(?P<file>.+)", re.DOTALL)
_ABOUT = re.compile(rf"(?P<head>.+?){_TIME}\.txt", re.DOTALL)


def recognise(tree: Tree, insisted: bool) -> RecognisedSource | None:
    """Return the submissions of a download, or None if `tree` is not one, whether or not that is `insisted` on."""
    heads: dict[str, dict[str, list[re.Match[str]]]] = defaultdict(lambda: defaultdict(list))
    ignored, named = [], set()
    for child in tree.children(""):
        if child.is_link or child.is_folder:
            ignored.append(f"{child.name} ({'a link' if child.is_link else 'a folder'})")
        elif match := _ABOUT.fullmatch(child.name):
            heads[match["head"]].setdefault(match["time"], [])
            named.add(child.name)
            ignored.append(f"{child.name} (Blackboard's own words)")
        elif match := _NAMED.fullmatch(child.name):
            heads[match["head"]][match["time"]].append(match)
            named.add(child.name)
        else:
            ignored.append(f"{child.name} (not named by Blackboard)")
    if not is_written_by(SourceKind.BLACKBOARD, tree, named, insisted=insisted):
        return None
    prefix = _assignment(list(heads))
    found = tuple(_found(head.removeprefix(prefix), times) for head, times in heads.items())
    return RecognisedSource(kind=WORDS[SourceKind.BLACKBOARD], found=found, ignored=tuple(ignored))


def _assignment(heads: list[str]) -> str:
    """Return what stands before the user in every name: the assignment's title, up to an underscore."""
    before = {head.rpartition("_")[0] for head in heads}
    return before.pop() + "_" if len(before) == 1 else shared_prefix(heads, "_")


def _found(user: str, times: dict[str, list[re.Match[str]]]) -> FoundSubmission:
    attempts = [
        Attempt(
            label=time,
            when=moment(time),
            parts=tuple(Part(path=match.string, name=match["file"]) for match in matches),
            missing="" if matches else "nothing but text was handed in",
        )
        for time, matches in times.items()
    ]
    return FoundSubmission(id=identity(user), attempts=tuple(attempts), submitters=(Submitter(),))
