"""Recognises ILIAS's "Download all submissions": a folder for each user, or for each user of a team.

    Example_Ada_adaex_4711/engine.py                     last name, first name, login, user id
    Example_Ada_adaex_4711/engine (2).py                 the same name, handed in again: the highest number is newest
    Example_Ada_adaex_4711/Late Submission - engine.py   in the language of the installation

The id comes last, so a name is read from the right.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..records.class_report import Submitter
from .found import FoundSubmission, Part, RecognisedSource
from .kinds import WORDS, SourceKind, looks_handed_in
from .tree import Child, Tree

_FOLDER = re.compile(r"(?P<last>[^_]+)_(?P<first>.+)_(?P<login>[^_]+)_(?P<id>\d+)")
_LATE = re.compile(r"(?:late submission|versp.{1,3}tete (?:einreichung|abgabe)) - ", re.IGNORECASE)
_AGAIN = re.compile(r" \((\d{1,6})\)(?=\.[^.]*$|$)")
_LEAST = 2  # folders: one alone could be a name that the staff gave


def recognise(tree: Tree, insisted: bool) -> RecognisedSource | None:
    """Return the submissions of a download, or None if `tree` is not one.

    Any four words with underscores have this form, so every folder must have it, unless the kind is `insisted` on.
    """
    children = tree.children("")
    matches = [match for child in children if child.is_folder and (match := _FOLDER.fullmatch(child.name))]
    named = {match.string for match in matches}
    others = [child.name for child in children if child.name not in named]
    is_other = [looks_handed_in(child) for child in children if child.name not in named]
    if not matches or (not insisted and (len(matches) < _LEAST or any(is_other))):
        return None
    return RecognisedSource(
        kind=WORDS[SourceKind.ILIAS],
        found=tuple(_found(tree, match) for match in matches),
        ignored=tuple(f"{name} (not named by ILIAS)" for name in others),
    )


def _found(tree: Tree, match: re.Match[str]) -> FoundSubmission:
    folder = match.string
    children = [child for child in tree.children(folder) if not child.is_link]
    newest, older = _newest(children)
    is_late = any(_LATE.match(child.name) for child in newest)
    remarks = [f"an older upload of the same name was not read: {name}" for name in older]
    return FoundSubmission(
        id=match["id"],
        parts=tuple(
            Part(path=f"{folder}/{child.name}", name="" if child.is_folder else _LATE.sub("", child.name))
            for child in newest
        ),
        submitters=(Submitter(name=f"{match['first']} {match['last']}", sid=match["login"]),),
        remarks=(*(["late"] if is_late else []), *remarks),
        missing="" if newest else "the folder is empty",
    )


def _newest(children: Sequence[Child]) -> tuple[list[Child], list[str]]:
    """Return what was uploaded last under each name, and the names of what it replaces."""
    latest: dict[str, tuple[int, Child]] = {}
    older: list[str] = []
    for child in children:
        name = _LATE.sub("", child.name)
        again = _AGAIN.search(name)
        key, number = _AGAIN.sub("", name).casefold(), int(again[1]) if again else 1
        if key in latest:
            older.append(min((latest[key], (number, child)))[1].name)
            latest[key] = max(latest[key], (number, child))
        else:
            latest[key] = (number, child)
    return [child for _, child in latest.values()], sorted(older)
