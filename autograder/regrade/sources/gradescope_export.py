"""Recognises Gradescope's "Export submissions": a folder for each, and submission_metadata.yml that says whose it is.

The metadata decides nothing unless it lies at the root of the export, and every key in it is a folder beside it.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from typing import Any

from ...errors import AssignmentError, AutograderError
from ...text import listed, one_line
from ..records.class_report import OldResult, Submitter
from .found import FoundSubmission, Part, RecognisedSource
from .kinds import WORDS, SourceKind, looks_handed_in
from .metadata import METADATA, submissions
from .tree import Child, Tree

_NAMED = re.compile(r"submission_\d+")


def recognise(tree: Tree, insisted: bool) -> RecognisedSource | None:
    """Return the submissions of an export, or None if `tree` has no metadata.

    Raises AssignmentError if the metadata does not fit the folders beside it, unless the kind is `insisted` on.
    """
    children = {child.name: child for child in tree.children("")}
    if METADATA not in children or children[METADATA].is_folder or children[METADATA].is_link:
        return None
    found, ignored, known = _listed(tree, children, insisted)
    others = [child for name, child in children.items() if name not in known and name != METADATA]
    strangers = [child.name for child in others if looks_handed_in(child) and not _may_be_forgotten(child)]
    if strangers and not insisted:
        raise _unfit(tree, f"{METADATA} does not name {listed(strangers)}")
    for child in others:
        if child.is_folder:
            remark = f"{METADATA} does not name it"
            found.append(FoundSubmission(id=_id(child.name), parts=(Part(path=child.name),), remarks=(remark,)))
        else:
            ignored.append(f"{child.name} (not a folder of a submission)")
    return RecognisedSource(kind=WORDS[SourceKind.GRADESCOPE], found=tuple(found), ignored=tuple(ignored))


def _listed(
    tree: Tree, children: Mapping[str, Child], insisted: bool
) -> tuple[list[FoundSubmission], list[str], set[str]]:
    """Return the submissions that the metadata names, what of it is ignored, and all its keys."""
    found, ignored, known = list[FoundSubmission](), list[str](), set[str]()
    for key, data in submissions(tree, METADATA):
        if key in known:
            raise AutograderError(f"{METADATA} names {one_line(key)} twice: download the export again")
        known.add(key)
        submitters = tuple(_submitter(item) for item in _list(data, "submitters") if isinstance(item, dict))
        if not submitters:
            ignored.append(f"{key} (it has no submitters)")
            continue
        present = key in children and children[key].is_folder
        if not insisted and not (present and _NAMED.fullmatch(key)):
            raise _unfit(tree, f"{METADATA} names {one_line(key)}, which is not a folder of an export beside it")
        found.append(_found(key, data, submitters, present=present))
    return found, ignored, known


def _may_be_forgotten(child: Child) -> bool:
    return child.is_folder and bool(_NAMED.fullmatch(child.name))


def _unfit(tree: Tree, why: str) -> AssignmentError:
    return AssignmentError(
        f"{one_line(tree.name)}: {why}. It can be read as {WORDS[SourceKind.GRADESCOPE]} (--kind gradescope), or as "
        f"{WORDS[SourceKind.FOLDERS]} (--kind folders). Say which it is: a file of a student must not decide"
    )


def _found(key: str, data: dict[str, Any], submitters: tuple[Submitter, ...], *, present: bool) -> FoundSubmission:
    return FoundSubmission(
        id=_id(key),
        parts=(Part(path=key),) if present else (),
        submitters=submitters,
        old=_old(data),
        missing="" if present else f"the export names {key}, and has no such folder",
    )


def _id(key: str) -> str:
    """Return Gradescope's number of the submission, which its own tables call Submission ID."""
    return key.removeprefix("submission_")


def _submitter(data: dict[str, Any]) -> Submitter:
    return Submitter(**{field: _text(data, field) for field in ("name", "sid", "email")})


def _old(data: dict[str, Any]) -> OldResult | None:
    """Return what the export carries; None if nothing was graded.

    The score of a submission holds what people added or took away; that of its results is what the tests gave.
    """
    total, results = _number(_get(data, "score", "")), _get(data, "results", {})
    results = results if isinstance(results, dict) else {}
    points, is_whole = dict[str, float](), True
    for test in _list(results, "tests"):
        name = _test_name(test) if isinstance(test, dict) else ""
        score = _number(_get(test, "score", "")) if name else None
        is_whole = is_whole and score is not None
        if score is not None:
            points[sys.intern(name)] = score  # a class names each test once for each submission
    given = _number(_get(results, "score", ""))
    if given is None and points and is_whole:
        given = sum(points.values())
    if given is None:
        return None if total is None else OldResult(total=total, tests=points)
    adjustment = 0.0 if total is None else round(total - given, 6)
    return OldResult(score=given, adjustment=adjustment, tests=points)


def _test_name(test: dict[str, Any]) -> str:
    """Return the id that our own results carry, else the name that everybody's do."""
    extra = _get(test, "extra_data", {})
    return (_text(extra, "id") if isinstance(extra, dict) else "") or _text(test, "name")


def _number(text: Any) -> float | None:
    try:
        return float(text)
    except (TypeError, ValueError):
        return None


def _get(data: dict[str, Any], key: str, default: Any) -> Any:
    """Return the value of a key, written as a symbol or as a plain word."""
    value = data.get(f":{key}", data.get(key))
    return default if value is None or value == "" else value


def _text(data: dict[str, Any], key: str) -> str:
    """Return a scalar as text; "" for anything that is not one."""
    value = _get(data, key, "")
    return value.strip() if isinstance(value, str) else ""


def _list(data: dict[str, Any], key: str) -> list[Any]:
    value = _get(data, key, [])
    return value if isinstance(value, list) else []
