"""What the image installs: the part of requirements/grade.txt that this assignment needs, hashes included."""

from __future__ import annotations

import re
from pathlib import Path

from ..assignment import Assignment
from ..errors import AssignmentError

GRADE = Path(__file__).parents[2] / "requirements" / "grade.txt"


def lock_text(assignment: Assignment, lock: Path = GRADE) -> str:
    """Return the pins of `lock`, without NumPy when neither a module nor a suite of the assignment uses arrays.

    Raises AssignmentError when a package is not pinned to one version with its hashes.
    """
    if not lock.is_file():
        raise AssignmentError(f"{lock} does not exist: bundles are built in the grader's own repository")
    pins = _pins(lock.read_text("utf-8"))
    if not _uses_numpy(assignment):
        pins = [pin for pin in pins if not pin.startswith("numpy==")]
    loose = [pin.partition(" ")[0].strip() for pin in pins if not re.match(r"[\w.-]+==\S+[^\n]*\\\n +--hash=", pin)]
    if loose:
        raise AssignmentError(f"{lock}: {', '.join(loose)} is not pinned with hashes; run `make lock`")
    return "".join(pins)


def _pins(text: str) -> list[str]:
    """Return each pin with its hashes, without comments."""
    lines = "".join(line for line in text.splitlines(keepends=True) if not line.lstrip().startswith("#"))
    return re.findall(r"^\S.*\n(?:[ \t]+\S.*\n)*", lines, re.MULTILINE)


def _uses_numpy(assignment: Assignment) -> bool:
    """Return True if NumPy is needed to grade: arrays cross, or a test is written with it."""
    files = [file for suite in assignment.suites for file in (assignment.root_path / suite.path).rglob("*.py")]
    imported = re.compile(r"^\s*(import|from) numpy\b|importorskip\(.numpy.\)", re.MULTILINE)
    return any(module.arrays for module in assignment.modules.values()) or any(
        imported.search(file.read_text("utf-8")) for file in files
    )
