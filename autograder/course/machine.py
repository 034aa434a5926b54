"""What a course needs of the machine on which its staff work, and whether it is there."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Iterator

import msgspec

from ..assignment import Assignment
from ..bundle.lock import absent_packages
from ..errors import AutograderError
from ..model import Level
from ..sandbox import isolation, remedies
from ..sandbox.sandbox import Sandbox
from ..suites.imports import imported, needed

_TRIED = ((3, 10), (3, 13))  # the oldest and the newest Python that the grader is tested with


class Need(msgspec.Struct, frozen=True):
    """One thing that a course needs, and what to do if it is not there."""

    what: str
    remedy: str = ""  # "" if it is there
    fatal: bool = True  # nothing works as it should without it; otherwise it is good to know


def needs(assignment: Assignment) -> Iterator[Need]:
    """Yield what the course needs of this machine, one thing after the other: the last takes a second."""
    yield _python(assignment)
    yield from _packages(assignment)
    yield _writable(assignment)
    yield from _isolation(assignment)


def _python(assignment: Assignment) -> Need:
    here = sys.version_info[:2]
    version = "{}.{}".format(*here)
    if not _TRIED[0] <= here <= _TRIED[1]:
        newest = "{}.{}".format(*_TRIED[1])
        return Need(f"Python {version}", f"the grader is tested with 3.10 to {newest}: use one of these", fatal=False)
    if assignment.python not in ("", version):
        return Need(
            f"Python {version}",
            f"the image grades with {assignment.python}: an environment of that Python proves the suites on "
            "what will grade",
            fatal=False,
        )
    return Need(f"Python {version}")


def _packages(assignment: Assignment) -> Iterator[Need]:
    """Yield the packages that grading needs, here and in the image, and those of tests that only students run."""
    graded = {*needed(assignment)}
    for name in sorted(graded):
        yield Need(f"the package {name}", "" if _found(name) else f"the tests use it: pip install {name}")
    for problem in absent_packages(assignment):
        yield Need("an image that can grade", problem)
    for name in sorted({*imported(assignment, local=True)} - graded):
        remedy = "" if _found(name) else f"only tests that students run use it, and are left out: pip install {name}"
        yield Need(f"the package {name}", remedy, fatal=False)


def _found(name: str) -> bool:
    return importlib.util.find_spec(name) is not None


def _writable(assignment: Assignment) -> Need:
    root = assignment.root_path
    if os.access(root, os.W_OK):
        return Need(f"the folder {root}")
    return Need(f"the folder {root}", "the zips and the last proof are written there: copy it, or change its owner")


def _isolation(assignment: Assignment) -> Iterator[Need]:
    """Try what a submission could try, and yield which level of isolation that comes to."""
    try:
        with Sandbox(isolation.strongest(), assignment.limits, hidden=isolation.hidden_files(assignment)) as sandbox:
            verified = sandbox.verified
    except AutograderError as problem:
        yield Need("a confined worker", str(problem))
        return
    required = assignment.required_level
    what = f"isolation {verified.level.name}, where Gradescope's image must have {required.name}"
    if verified.level >= required:
        yield Need(f"isolation {verified.level.name}")
        return
    weak = verified.level < Level.STANDARD
    risk = "grade only work that you trust here" if weak else "enough to grade a class here"
    yield Need(what, " ".join([f"{risk}.", *remedies.remedies(verified)]), fatal=False)
