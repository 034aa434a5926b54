"""What the image installs: the part of the grader's lock that this assignment needs, hashes included."""

from __future__ import annotations

import re
from pathlib import Path

from ..assignment import Assignment
from ..errors import AssignmentError
from ..text import series
from .imports import imported

LOCK = Path(__file__).with_name("image") / "requirements.txt"  # written by `make lock`, and part of the package


def lock_text(assignment: Assignment, lock: Path = LOCK) -> str:
    """Return the pins of `lock`, without NumPy if neither a module nor a suite of the assignment uses arrays.

    Raises AssignmentError if a package is not pinned to one version with its hashes.
    """
    pins = _pins(lock.read_text("utf-8"))
    if not uses_numpy(assignment):
        pins = [pin for pin in pins if not pin.startswith("numpy==")]
    loose = [pin.partition(" ")[0].strip() for pin in pins if not re.match(r"[\w.-]+==\S+[^\n]*\\\n +--hash=", pin)]
    if loose:
        raise AssignmentError(f"{lock}: {', '.join(loose)} is not pinned with hashes; run `make lock`")
    return "".join(pins)


def pinned_names() -> frozenset[str]:
    """Return the names of the distributions that the image's lock pins."""
    return frozenset(pin.partition("==")[0] for pin in _pins(LOCK.read_text("utf-8")))


def _pins(text: str) -> list[str]:
    """Return each pin with its hashes, without comments."""
    lines = "".join(line for line in text.splitlines(keepends=True) if not line.lstrip().startswith("#"))
    return re.findall(r"^\S.*\n(?:[ \t]+\S.*\n)*", lines, re.MULTILINE)


def uses_numpy(assignment: Assignment) -> bool:
    """Return True if NumPy is needed to grade: arrays cross, or a test is written with it."""
    return any(module.arrays for module in assignment.modules.values()) or "numpy" in imported(assignment)


def absent_packages(assignment: Assignment) -> list[str]:
    """Return a sentence for each package that a graded test imports and no image has."""
    pinned = pinned_names()
    return [
        f"{place}: no image has the package {name}: a graded test may import the standard library, "
        f"{series(sorted(pinned))}; what only students run is `local_only`"
        for name, place in imported(assignment).items()
        if name not in pinned
    ]
