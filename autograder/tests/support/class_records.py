"""Records of a class, by what its submissions earned, lost or did wrong."""

import html
import re
from typing import TypeVar

from autograder.model import Status

from .classes import class_of, member, record, result
from .reports import SECRET, declared

T = TypeVar("T")
A, B, FREE = declared("a", points=4.0), declared("b", SECRET, points=6.0), declared("c", points=0.0, scored=False)
TESTS = (A, B, FREE)


def class_with(*records, **changes):
    return class_of(*((member(f"{n}"), one) for n, one in enumerate(records)), of=TESTS, **changes)


def numbered(*makers):
    return class_with(*(make(f"{n}") for n, make in enumerate(makers)))


def made(*results, **changes):
    """Return a maker of a record with these results."""
    return lambda identity: record(identity, *results, possible=10.0, **changes)


def known(value: T | None) -> T:
    assert value is not None
    return value


def failing(*subjects, code="overwrites-gradient"):
    return made(*(result(A, Status.FAILED, diagnosis=code, subject=subject) for subject in subjects))


def unimported(reason, **changes):
    return made(imported=False, import_problem=reason, **changes)


def words(page) -> str:
    """Return what a page says, without its marks and its style sheet."""
    body = page.partition("</style>")[2]
    return html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]*>", "", body)))
