# Copied by `autograder starter` from autograder/film/graph.py: edit that file.
"""What a film shows: the values of a small program, the right numbers for them, and what an engine did to them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

Held = float | None  # what an engine holds: None if it is not a number, or unknown
DATA, GRAD = "data", "grad"


@dataclass(frozen=True)
class Box:
    """One value of the program, and the numbers that are right for it; None if they are not known."""

    name: str
    formula: str  # "3" for a leaf, "a · a"
    operands: tuple[int, ...] = ()  # as often as each is used
    slopes: tuple[Held, ...] = ()  # the local derivative by each of them
    value: Held = None
    gradient: Held = None


@dataclass(frozen=True)
class Arrow:
    """One use of a value: what passes its gradient on, to what, and times which local derivative."""

    child: int
    parent: int
    slope: Held


@dataclass(frozen=True)
class Change:
    """One number of one value that a line of the engine changed."""

    line: int
    place: int
    attribute: str  # DATA or GRAD
    before: Held
    after: Held
    file: str = ""  # that the line is in, if the engine has several


def arrows_of(boxes: Sequence[Box]) -> list[Arrow]:
    """Return every use of a value, in the order of the program."""
    return [
        Arrow(child, parent, partial)
        for child, box in enumerate(boxes)
        for parent, partial in zip(box.operands, box.slopes, strict=True)
    ]


def number(value: Held, digits: int = 6) -> str:
    """Return a number as it is shown."""
    return "?" if value is None else f"{value + 0.0:.{digits}g}"


def total(terms: Sequence[str]) -> str:
    """Return a sum of terms as it is written: `1 - 3 · 2` for 1 and -3 · 2."""
    return terms[0] + "".join(f" - {term[1:]}" if term.startswith("-") else f" + {term}" for term in terms[1:])


def close(a: Held, b: Held) -> bool:
    """Return True if two numbers are known, and agree as well as central differences can tell."""
    return a is not None and b is not None and math.isclose(a, b, rel_tol=2e-5, abs_tol=1e-7)
