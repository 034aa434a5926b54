"""The local derivatives, as formulas. In the handout a file of this name takes central differences instead."""

from __future__ import annotations

from collections.abc import Callable

from .program import Numbers


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
