"""Recognises Gradescope's "Export submissions": a folder for each, and submission_metadata.yml that says whose it is.

The file is written by Ruby: its keys are symbols (`:submitters`). It also holds every earlier attempt with all that the
grader said, hundreds of megabytes for a class. So it is read one submission at a time, without the history, and every
scalar stays text: an SID keeps its leading zeros.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ...errors import AutograderError
from ...text import one_line
from ..records.class_report import OldResult, Submitter
from .found import FoundSubmission, Part, RecognisedSource
from .tree import Tree

METADATA = "submission_metadata.yml"
_KEY = re.compile(rb"""^(['"]?)([\w:.-]+)\1:\s*$""")
_MAX_SUBMISSION = 32 << 20  # bytes of one submission's metadata, its history not counted
_DEPTH = 3  # of folders in which the metadata is looked for


def recognise(tree: Tree) -> RecognisedSource | None:
    """Return the submissions of an export, or None when `tree` is none."""
    folder = _metadata_folder(tree, "", _DEPTH)
    if folder is None:
        return None
    children = {child.name: child for child in tree.children(folder)}
    found, ignored, known = [], [], set()
    for key, data in _submissions(tree, f"{folder}/{METADATA}".lstrip("/")):
        known.add(key)
        submitters = tuple(_submitter(item) for item in _get(data, "submitters", []) if isinstance(item, dict))
        if not submitters:
            ignored.append(f"{key} (it has no submitters)")
            continue
        found.append(_found(key, data, submitters, folder, present=key in children))
    for name, child in children.items():
        if child.is_folder and name not in known:
            remark = f"{METADATA} does not name it"
            parts = (Part(path=f"{folder}/{name}".lstrip("/")),)
            found.append(FoundSubmission(id=_id(name), parts=parts, remarks=(remark,)))
        elif name not in known and name != METADATA:
            ignored.append(f"{name} (no folder of a submission)")
    return RecognisedSource(kind="a Gradescope export", found=tuple(found), ignored=tuple(ignored))


def _metadata_folder(tree: Tree, folder: str, depth: int) -> str | None:
    """Return the folder of the shallowest metadata, or None."""
    level = [folder]
    for _ in range(depth):
        below = []
        for place in level:
            children = tree.children(place)
            if any(child.name == METADATA and not child.is_folder for child in children):
                return place
            if len(level) + len(children) < 100:  # an export has one folder or two above its metadata
                below += [f"{place}/{child.name}".lstrip("/") for child in children if child.is_folder]
        level = below
    return None


def _found(
    key: str, data: dict[str, Any], submitters: tuple[Submitter, ...], folder: str, *, present: bool
) -> FoundSubmission:
    path = f"{folder}/{key}".lstrip("/")
    return FoundSubmission(
        id=_id(key),
        parts=(Part(path=path),) if present else (),
        submitters=submitters,
        old=_old(data),
        missing="" if present else f"the export names {key}, and has no such folder",
    )


def _id(key: str) -> str:
    """Return Gradescope's number of the submission, which its own tables call Submission ID."""
    return key.removeprefix("submission_")


def _submitter(data: dict[str, Any]) -> Submitter:
    return Submitter(**{field: str(_get(data, field, "")).strip() for field in ("name", "sid", "email")})


def _old(data: dict[str, Any]) -> OldResult | None:
    """Return the score and points that the export carries; None when nothing was graded."""
    results = _get(data, "results", {})
    tests = _get(results, "tests", []) if isinstance(results, dict) else []
    points = {}
    for test in tests if isinstance(tests, list) else []:
        name = _test_name(test) if isinstance(test, dict) else ""
        score = _number(_get(test, "score", "")) if name else None
        if score is not None:
            points[name] = score
    score = _number(_get(data, "score", ""))
    return None if score is None and not points else OldResult(score=score, tests=points)


def _test_name(test: dict[str, Any]) -> str:
    """Return the id that our own results carry, else the name that everybody's do."""
    extra = _get(test, "extra_data", {})
    return str((_get(extra, "id", "") if isinstance(extra, dict) else "") or _get(test, "name", ""))


def _number(text: Any) -> float | None:
    try:
        return float(text)
    except (TypeError, ValueError):
        return None


def _get(data: dict[str, Any], key: str, default: Any) -> Any:
    """Return the value of a key, written as a symbol or as a plain word."""
    value = data.get(f":{key}", data.get(key))
    return default if value is None or value == "" else value


def _submissions(tree: Tree, path: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each submission's key and metadata."""
    for key, text in _chunks(tree, path):
        data = _loaded(text, f"{METADATA}, {key}")
        inner = data.get(key)
        yield key, inner if isinstance(inner, dict) else {}


def _chunks(tree: Tree, path: str) -> Iterator[tuple[str, bytes]]:
    """Yield the lines of each submission, without its history."""
    key, lines, size, in_history = "", list[bytes](), 0, False
    with tree.open(path) as file:
        for line in file:
            if match := _KEY.match(line):
                if key:
                    yield key, b"".join(lines)
                key, lines, size, in_history = match[2].decode(), [line], 0, False
                continue
            if not line.startswith((b"  -", b"   ", b"\n", b"\r")):  # a key of the submission, or the file's first line
                in_history = bool(re.match(rb"  :?history:", line))
            if key and not in_history:
                lines.append(line)
                size += len(line)
            if size > _MAX_SUBMISSION:
                raise AutograderError(f"{METADATA}, {key}: more than {_MAX_SUBMISSION >> 20} MiB about one submission")
    if key:
        yield key, b"".join(lines)


def _loaded(text: bytes, where: str) -> dict[str, Any]:
    try:
        import yaml  # only an export needs it
    except ImportError:
        raise AutograderError(
            f"{where}: reading it needs PyYAML: pip install 'micro-autograd-autograder[staff]'"
        ) from None
    try:
        data = yaml.load(text, Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader))  # noqa: S506 - makes text, lists and dicts
    except (yaml.YAMLError, RecursionError, UnicodeDecodeError) as problem:
        raise AutograderError(f"{where}: not the YAML that Gradescope writes ({one_line(str(problem))})") from None
    return data if isinstance(data, dict) else {}
