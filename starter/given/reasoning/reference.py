# Copied by `autograder starter` from autograder/diagnosis/reasoning/reference.py: edit that file.
"""What a program should have given: the value, the local derivatives and the gradient of every node.

Values come from the recorded numbers alone, in Python's own arithmetic; gradients from one reverse sweep over the
program's own order. Nothing here is the submission's, so nothing of it can be repeated.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from .program import LEAF, Node, Numbers, Place, TracedProgram
from .slopes import partials_of
from .values import value_of


@dataclass(frozen=True)
class Reference:
    """The right numbers of the nodes that have any: whatever rests on an unknown step has none."""

    values: dict[Place, float]
    partials: dict[Place, Numbers]

    def inputs(self, node: Node) -> Numbers:
        """Return the numbers that an operation gets."""
        return tuple(self.values[each] if type(each) is Place else float(each) for each in node.operands)


def reference_of(program: TracedProgram, places: Sequence[Place]) -> Reference:
    """Return the right values and local derivatives of the nodes at `places`, which hold their own operands."""
    reference = Reference({}, {})
    for place in places:
        node = program.nodes[place]
        if node.operation == LEAF:
            reference.values[place] = float(node.operands[0])
        elif node.operands and all(parent in reference.values for parent in node.parents):
            _compute(node, reference)
    return reference


def _compute(node: Node, reference: Reference) -> None:
    try:
        x = reference.inputs(node)
        y = value_of(node.operation, x)
        reference.values[node.place] = y
        reference.partials[node.place] = partials_of(node.operation, x, y)
    except ArithmeticError:  # a pole, an overflow: nothing is right or wrong there
        return


def gradients_of(program: TracedProgram, places: Sequence[Place], reference: Reference) -> dict[Place, float]:
    """Return the derivative of the last of `places` by each of them; raise KeyError where a node has no partials."""
    gradients = dict.fromkeys(places, 0.0)
    gradients[places[-1]] = 1.0
    for place in reversed(places):
        for parent, partial in factors(program.nodes[place], reference):
            gradients[parent] += partial * gradients[place]
    return gradients


def factors(node: Node, reference: Reference) -> list[tuple[Place, float]]:
    """Return each operand that is a node, with the local derivative by it."""
    if node.operation == LEAF:
        return []
    pairs = zip(node.operands, reference.partials[node.place], strict=True)
    return [(operand, partial) for operand, partial in pairs if type(operand) is Place]


def close(a: float, b: float) -> bool:
    """Return True if two numbers are the same but for rounding; NaN is close to nothing."""
    return math.isclose(a, b, rel_tol=1e-6, abs_tol=1e-9)
