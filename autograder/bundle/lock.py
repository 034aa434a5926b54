"""What the image installs: the part of the grader's lock that this assignment needs, and the course's own."""

from __future__ import annotations

import re
from importlib import metadata
from pathlib import Path

from ..assignment import Assignment
from ..errors import AssignmentError
from ..suites.imports import needed
from ..wire import arrays

LOCK = Path(__file__).with_name("image") / "requirements.txt"  # written by `make lock`, and part of the package


def lock_text(assignment: Assignment, lock: Path = LOCK) -> str:
    """Return the pins of `lock`, without optional packages that the assignment does not need, then those of its own.

    Raises AssignmentError if a package is not pinned to one version with its hashes.
    """
    wanted = {_distribution(package) for package in needed(assignment)}
    own, left_out = _pins(lock), _optional() - wanted
    course = _pins(assignment.root_path / assignment.lock) if assignment.lock else []
    fixed = {_name(pin) for pin in own}
    pins = [pin for pin in own if _name(pin) not in left_out] + [pin for pin in course if _name(pin) not in fixed]
    return "".join(pins)


def absent_packages(assignment: Assignment) -> list[str]:
    """Return a sentence for each package that grading needs and no image has."""
    pins = _pins(LOCK) + (_pins(assignment.root_path / assignment.lock) if assignment.lock else [])
    pinned = {_name(pin) for pin in pins}
    where = (
        f"add it to {assignment.lock}" if assignment.lock else "pin it in a file that `lock` in pyproject.toml names"
    )
    return [
        f"{place}: no image has the package {name}: {where}; a test that only students run is `local_only`"
        for name, place in needed(assignment).items()
        if _distribution(name) not in pinned
    ]


def pinned_names() -> frozenset[str]:
    """Return the names of the distributions that the image's lock pins."""
    return frozenset(_name(pin) for pin in _pins(LOCK))


def _pins(lock: Path) -> list[str]:
    """Return each pin of a lock with its hashes, without comments."""
    try:
        text = lock.read_text("utf-8")
    except OSError:
        raise AssignmentError(f"{lock}, named by `lock` in pyproject.toml, cannot be read") from None
    lines = "".join(line for line in text.splitlines(keepends=True) if not line.lstrip().startswith("#"))
    pins = re.findall(r"^\S.*\n(?:[ \t]+\S.*\n)*", f"{lines.rstrip()}\n", re.MULTILINE)
    loose = [pin.split()[0] for pin in pins if not re.match(r"[\w.-]+==\S+[^\n]*\\\n +--hash=", pin)]
    if loose:
        remedy = "run `make lock`" if lock == LOCK else "write it with `uv pip compile --generate-hashes`"
        raise AssignmentError(f"{lock}: {', '.join(loose)} is not pinned with hashes; {remedy}")
    return pins


def _name(pin: str) -> str:
    return _normal(pin.partition("==")[0])


def _normal(name: str) -> str:
    """Return a distribution's name as an index compares it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _optional() -> set[str]:
    """Return the distributions that the lock holds and the grader itself does without: that of arrays."""
    return {_distribution(arrays.PACKAGE)}


def _distribution(package: str) -> str:
    """Return the distribution that brings a package, by what is installed here; else the package's own name."""
    return _normal(next(iter(metadata.packages_distributions().get(package, [])), package))
