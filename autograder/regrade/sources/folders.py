"""Recognises what has no format of its own: a folder of folders, a folder of files, or one submission by itself."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import PurePosixPath

from ...assignment import Assignment
from ...errors import AssignmentError
from ..records.class_report import Submitter
from .found import FoundSubmission, Part, RecognisedSource, identity
from .tree import Child, Tree

_HANDED_IN = (".py", ".zip", ".py.txt", ".ipynb")
_FIELDS = ("name", "sid", "email")


def by_regex(tree: Tree, pattern: str) -> RecognisedSource:
    """Return the submissions whose names `pattern` matches, by its group `id`.

    Further groups may be name, sid, email, late and file, the name that a file was handed in under.
    Raises AssignmentError when the pattern is wrong or matches nothing.
    """
    try:
        regex = re.compile(pattern)
    except re.error as problem:
        raise AssignmentError(f"--name-regex is no regular expression: {problem}") from None
    if "id" not in regex.groupindex:
        raise AssignmentError("--name-regex needs a group (?P<id>…): the part of a name that tells whose it is")
    matched: dict[str, list[re.Match[str]]] = defaultdict(list)
    ignored = []
    for child in tree.children(""):
        match = None if child.is_link else regex.search(child.name)
        if match and match["id"]:
            matched[identity(match["id"])].append(match)
        else:
            ignored.append(f"{child.name} (--name-regex does not match)")
    if not matched:
        raise AssignmentError(
            f"--name-regex matches none of the names, the first of which is {ignored[0] if ignored else 'none'}"
        )
    found = tuple(_matched(key, matches) for key, matches in matched.items())
    return RecognisedSource(kind="names that --name-regex matches", found=found, ignored=tuple(ignored))


def _matched(key: str, matches: list[re.Match[str]]) -> FoundSubmission:
    groups = [match.groupdict() for match in matches]
    fields = {field: groups[0].get(field) or "" for field in _FIELDS}
    return FoundSubmission(
        id=key,
        parts=tuple(
            Part(path=match.string, name=group.get("file") or "") for match, group in zip(matches, groups, strict=True)
        ),
        submitters=(Submitter(**fields),),
        remarks=("late",) if any(group.get("late") for group in groups) else (),
    )


def recognise(tree: Tree, assignment: Assignment) -> RecognisedSource | None:
    """Return the submissions of a plain folder, or None when there is nothing in it that could be one."""
    children = tree.children("")
    required = {assignment.modules[name].file.casefold() for name in assignment.scored_modules}
    if any(child.name.casefold() in required for child in children):
        stem = tree.name.removesuffix(".zip")
        return RecognisedSource(
            kind="one submission", found=(FoundSubmission(id=identity(stem), parts=(Part(path=""),)),)
        )
    taken = [child for child in children if not child.is_link and (child.is_folder or _is_read_upload(child))]
    ignored = [f"{child.name} ({'a link' if child.is_link else 'no Python, no zip'})" for child in children]
    ignored = [text for text, child in zip(ignored, children, strict=True) if child not in taken]
    if not taken:
        return None
    kind = "a folder of folders" if all(child.is_folder for child in taken) else "a folder of files"
    found = tuple(
        FoundSubmission(id=_id(child, required), parts=(Part(path=child.name),), submitters=(Submitter(),))
        for child in taken
    )
    return RecognisedSource(kind=kind, found=found, ignored=tuple(ignored))


def _is_read_upload(child: Child) -> bool:
    return child.name.casefold().endswith(_HANDED_IN)


def _id(child: Child, required: set[str]) -> str:
    """Return whose a folder or a file is: `engine_ada.py` and `ada_engine.py` are ada's."""
    if child.is_folder:
        return identity(child.name)
    stem = child.name.partition(".py")[0].removesuffix(".zip").removesuffix(".ipynb")
    for file in required:
        word = PurePosixPath(file).stem
        rest = re.sub(rf"^{re.escape(word)}[_-]|[_-]{re.escape(word)}$", "", stem, flags=re.IGNORECASE)
        stem = rest or stem
    return identity(stem)
