# Copied by `autograder starter` from autograder/diagnosis/reasoning/values.py: edit that file.
"""What the operations give with plain numbers, in Python's own arithmetic."""

from __future__ import annotations

import math
from collections.abc import Callable

from .program import Numbers


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
    "log": math.log,  # these three in films of expressions alone
    "sqrt": math.sqrt,
    "abs": abs,
}
