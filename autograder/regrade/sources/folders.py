"""Recognises what has no format of its own: a folder of folders, a folder of files, or one submission by itself."""

from __future__ import annotations

import re
from collections import defaultdict
from datetime import datetime
from pathlib import PurePosixPath

from ...assignment import Assignment
from ...errors import AssignmentError
from ...text import listed, one_line
from ..records.class_report import Submitter
from .attempts import FORMATS, moment
from .found import Attempt, FoundSubmission, Part, RecognisedSource, identity
from .kinds import WORDS, SourceKind, holds_one, looks_handed_in, required_files, rivals
from .tree import Child, Tree

_FIELDS = ("name", "sid", "email")


def by_regex(tree: Tree, pattern: str) -> RecognisedSource:
    """Return the submissions whose names `pattern` matches, by its group `id`.

    Further groups may be name, sid, email, late, time, attempt, and file, the name that a file was handed in under.
    Names with the same `time` and `attempt` are one attempt. Raises AssignmentError if the pattern is wrong, matches
    nothing, or finds a time that is in none of the known formats.
    """
    regex = _compiled(pattern)
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
            "--name-regex matches none of the names, the first of which is "
            f"{one_line(ignored[0]) if ignored else 'none'}"
        )
    folders = {child.name for child in tree.children("") if child.is_folder}
    found = tuple(_matched(key, matches, folders) for key, matches in matched.items())
    return RecognisedSource(kind="names that --name-regex matches", found=found, ignored=tuple(ignored))


def _compiled(pattern: str) -> re.Pattern[str]:
    try:
        regex = re.compile(pattern)
    except re.error as problem:
        raise AssignmentError(f"--name-regex is not a regular expression: {problem}") from None
    if "id" not in regex.groupindex:
        raise AssignmentError("--name-regex needs a group (?P<id>…): the part of a name that tells whose it is")
    return regex


def _matched(key: str, matches: list[re.Match[str]], folders: set[str]) -> FoundSubmission:
    """Return all attempts of one student.

    Without a time or a number, files with a name of their own each (`file`) are one attempt, and anything else several.
    """
    groups = [match.groupdict() for match in matches]
    files = [group.get("file") or "" for group in groups]
    is_one = all(files) and len({file.casefold() for file in files}) == len(files)
    attempts: dict[str, list[re.Match[str]]] = defaultdict(list)
    for match, group in zip(matches, groups, strict=True):
        told = " ".join(group[name] for name in ("time", "attempt") if group.get(name))
        is_part = match.string not in folders and (told or is_one)
        attempts[told if is_part else match.string].append(match)
    return FoundSubmission(
        id=key,
        attempts=tuple(_attempt(own) for own in attempts.values()),
        submitters=(Submitter(**{field: groups[0].get(field) or "" for field in _FIELDS}),),
    )


def _attempt(matches: list[re.Match[str]]) -> Attempt:
    groups = [match.groupdict() for match in matches]
    time = groups[0].get("time") or ""
    when = moment(time) if time else None
    if time and when is None:
        raise AssignmentError(
            f"--name-regex finds the time `{one_line(time)}` in {one_line(matches[0].string)}, in no known format; "
            f"known are {', '.join(datetime(2026, 10, 3, 11, 2, 10).strftime(form) for form in FORMATS)}"
        )
    return Attempt(
        label=time or matches[0].string,
        when=when,
        parts=tuple(
            Part(path=match.string, name=group.get("file") or "") for match, group in zip(matches, groups, strict=True)
        ),
        remarks=("late",) if any(group.get("late") for group in groups) else (),
    )


def recognise(tree: Tree, assignment: Assignment, kind: SourceKind | None = None) -> RecognisedSource | None:
    """Return the submissions of a plain folder, or None if there is nothing in it that could be one.

    Raises AssignmentError if it could be one submission as well as a class, and `kind` does not say which.
    """
    if kind is SourceKind.SUBMISSION or (kind is None and _is_one(tree, assignment)):
        stem = tree.name.removesuffix(".zip")
        one = FoundSubmission(id=identity(stem), parts=(Part(path=""),))
        return RecognisedSource(kind="one submission", found=(one,))
    children = tree.children("")
    taken = [child for child in children if looks_handed_in(child)]
    ignored = [f"{child.name} ({'a link' if child.is_link else 'no Python, no zip'})" for child in children]
    ignored = [text for text, child in zip(ignored, children, strict=True) if child not in taken]
    if not taken:
        return None
    words = "a folder of folders" if all(child.is_folder for child in taken) else "a folder of files"
    required = required_files(assignment)
    found = tuple(
        FoundSubmission(id=_id(child, required), parts=(Part(path=child.name),), submitters=(Submitter(),))
        for child in taken
    )
    return RecognisedSource(kind=words, found=found, ignored=tuple(ignored))


def _is_one(tree: Tree, assignment: Assignment) -> bool:
    """Return True if `tree` is one submission; raise AssignmentError if others' may lie beside its main file."""
    if not holds_one(tree, "", assignment):
        return False
    others = rivals(tree, assignment)
    if others:
        raise AssignmentError(
            f"{one_line(tree.name)} can be read in two ways, since {listed(others)} lies beside "
            f"{listed(sorted(required_files(assignment)))}: as {WORDS[SourceKind.SUBMISSION]} (--kind submission), "
            f"or as {WORDS[SourceKind.FOLDERS]} (--kind folders). Say which it is: a name that a student chose must "
            "not decide"
        )
    return True


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
