# Copied by `autograder starter` from autograder/diagnosis/reasoning/sample.py: edit that file.
"""One operation with the numbers it is applied to: what an experiment is made of, and what it should give."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .program import BINARY, UNARY, Node, Numbers, Operand, Place, leaves_of, symbol
from .reference import Reference, close
from .slopes import partials_of
from .values import value_of

_PLAIN = {symbol(name): name for name in (*BINARY, *UNARY)}
_ELSEWHERE = {1: (1.7,), 2: (-0.9, 1.4)}  # points far from kinks and poles, by the number of values


@dataclass(frozen=True)
class Sample:
    """One operation and the numbers it is applied to; `values` are the positions that hold a Value."""

    operation: str
    x: Numbers
    values: tuple[int, ...]

    @property
    def right(self) -> Numbers:
        """Return the right gradients of the values, when the result is the output."""
        partials = partials_of(self.operation, self.x, self.y)
        return tuple(partials[i] for i in self.values)

    @property
    def y(self) -> float:
        """Return the right result."""
        return value_of(self.operation, self.x)

    def node(self, place: int, at: Sequence[int]) -> Node:
        """Return the operation as a step whose values are the nodes `at`."""
        operands: list[Operand] = list(self.x)
        for i, where in zip(self.values, at, strict=True):
            operands[i] = Place(where)
        if self.operation == "pow" and self.x[1] == int(self.x[1]):
            operands[1] = int(self.x[1])
        return Node(Place(place), self.operation, tuple(operands))

    def leaves(self) -> list[Node]:
        """Return a leaf for each value, numbered from 0."""
        return leaves_of(*(self.x[i] for i in self.values))


@dataclass(frozen=True)
class IsolatedResult:
    """What one operation gave as the whole of a graph."""

    sample: Sample
    got: Numbers
    value: float | None
    holds_a_value: bool = False  # in `.grad`, where a number belongs

    @property
    def is_wrong_already(self) -> bool:
        """Return True if the result is wrong, so that nothing need be said of gradients."""
        return self.value is None or not close(self.value, self.sample.y)

    @property
    def is_right(self) -> bool:
        """Return True if every gradient is right."""
        return self.matches(self.sample.right)

    def matches(self, gradients: Sequence[float]) -> bool:
        """Return True if the values hold these gradients."""
        return not self.holds_a_value and all(close(a, b) for a, b in zip(self.got, gradients, strict=True))


def sample_of(node: Node, reference: Reference) -> Sample:
    """Return how a program uses an operation."""
    values = tuple(i for i, each in enumerate(node.operands) if type(each) is Place)
    return Sample(node.operation, reference.inputs(node), values)


def usual_sample(subject: str) -> Sample | None:
    """Return a usual use of an operator; None for what is not one."""
    name = _PLAIN.get(subject, "")
    x = {"pow": (1.7, 3.0)}.get(name, (1.7, 0.6) if name in BINARY else (0.6,))
    return Sample(name, x, (0,) if name in UNARY or name == "pow" else (0, 1)) if name else None


def elsewhere(sample: Sample) -> Sample:
    """Return the same operation at another point, far from kinks and poles."""
    x = list(sample.x)
    for i, value in zip(sample.values, _ELSEWHERE[len(sample.values)], strict=False):
        x[i] = value
    return Sample(sample.operation, tuple(x), sample.values)


SPECIAL = {  # one exponent may be a special case, and so may one side of a kink
    "pow": (Sample("pow", (1.7, 3), (0,)),),
    "relu": (Sample("relu", (-0.8,), (0,)),),
}
