"""What a program should have given: the value, the local derivatives and the gradient of every node.

Values come from the recorded numbers alone, in Python's own arithmetic; gradients from one reverse sweep over the
program's own order. Nothing here is the submission's, so nothing of it can be repeated.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import msgspec

from .program import LEAF, Node, Place, TracedProgram

Numbers = tuple[float, ...]


def value_of(operation: str, x: Numbers) -> float:
    """Return the value of an operation on plain numbers; raise ArithmeticError where it has none."""
    if operation == "pow":
        power = x[0] ** x[1]
        if isinstance(power, complex):
            raise ArithmeticError("a root of a negative number")
        return float(power)
    return _VALUES[operation](*x)


_VALUES: dict[str, Callable[..., float]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "truediv": lambda a, b: a / b,
    "neg": lambda a: -a,
    "tanh": math.tanh,
    "exp": math.exp,
    "relu": lambda a: max(0.0, a),
}


def partials_of(operation: str, x: Numbers, y: float) -> Numbers:
    """Return the local derivatives of y = operation(x) by each operand; raise ArithmeticError where there is none."""
    if operation == "pow":
        return (x[1] * x[0] ** (x[1] - 1) if x[1] else 0.0, 0.0)  # the exponent is a constant
    return _PARTIALS[operation](x, y)


_PARTIALS: dict[str, Callable[[Numbers, float], Numbers]] = {
    "add": lambda x, y: (1.0, 1.0),
    "sub": lambda x, y: (1.0, -1.0),
    "mul": lambda x, y: (x[1], x[0]),
    "truediv": lambda x, y: (1.0 / x[1], -y / x[1]),
    "neg": lambda x, y: (-1.0,),
    "tanh": lambda x, y: (1.0 - y * y,),
    "exp": lambda x, y: (y,),
    "relu": lambda x, y: (1.0 if x[0] > 0 else 0.0,),  # 0 at the kink, as the handout says
}


class Reference(msgspec.Struct, frozen=True):
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
    """Say whether two numbers are the same but for rounding; NaN is close to nothing."""
    return math.isclose(a, b, rel_tol=1e-6, abs_tol=1e-9)
