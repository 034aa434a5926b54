# Copied by `autograder starter` from autograder/diagnosis/reasoning/witness.py: edit that file.
"""Whoever can be asked what the values of a program hold, and to perform small programs on fresh values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from .line_log import TracedRun
from .program import Node, leaves_of

_NO_VALUE = ("NoneType", "float", "int", "bool", "complex", "NotImplementedType")


@dataclass(frozen=True)
class Held:
    """What the worker holds for one node: numbers that are known, and what is there in place of one that is not.

    An answer is one of three: a number; not a number, and of which type; or unknown, which is evidence of nothing.
    """

    data: float | None
    grad: float | None
    instead: str = ""  # of the node itself: "NoneType", "float", …; "" for an object
    data_kind: str = ""  # of what `.data` holds if it is not a number; "" for a number, and if it is unknown
    grad_kind: str = ""
    kind: str = ""  # of the object

    @property
    def gradient(self) -> float | None:
        """Return the gradient, 0 if the engine holds None for it; None if it is unknown or not a number."""
        return 0.0 if self.grad_kind == "NoneType" else self.grad

    @property
    def holds_a_value(self) -> bool:
        """Return True if `.grad` holds an object of the same class."""
        return bool(self.kind) and self.grad_kind == self.kind


def held_of(kind: Any, data: Any, grad: Any) -> Held:
    """Return what was examined: the name of an object's type, and of each attribute a float or its type's name."""
    return Held(
        data if type(data) is float else None,
        grad if type(grad) is float else None,
        kind if kind in _NO_VALUE else "",
        data if type(data) is str else "",
        grad if type(grad) is str else "",
        kind if type(kind) is str else "",
    )


class Witness(Protocol):
    """The submission's side of a diagnosis."""

    def numbers(self, nodes: Sequence[Node]) -> list[Held]:
        """Return what the values of the test hold in `.data` and `.grad`."""

    def replayed(self, nodes: Sequence[Node], *, backward: bool = True) -> list[Held] | None:
        """Return what fresh objects hold after the same steps, and a backward pass of the last; None if one raises."""

    def raised(self, nodes: Sequence[Node]) -> str:
        """Return the kind of exception that a backward pass of the same steps raises, when the steps do not; or ""."""

    def traced(self, nodes: Sequence[Node], sought: Sequence[float] = ()) -> TracedRun | None:
        """Return what each line did while the steps and a backward pass of the last were performed; None if unknown.

        Of each number of `sought`, the lines that had just run when it was first seen come along.
        """


def new_value(witness: Witness, number: float) -> Held | None:
    """Return what a new value of a number holds, before any backward pass; None if it cannot be made."""
    held = witness.replayed(leaves_of(number), backward=False)
    return held[0] if held else None
