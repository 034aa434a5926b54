"""Given: the local derivatives, by central differences of plain arithmetic. Formulas are yours to write."""

from __future__ import annotations

from .program import Numbers
from .values import value_of

STEP = 1e-3  # of a difference: for a number below 1, as a part of it


def partials_of(operation: str, x: Numbers, _: float) -> Numbers:  # given
    """Return how fast an operation changes with each operand; raise ArithmeticError if it has no value nearby."""
    if operation == "relu" and x[0] == 0.0:
        return (0.0,)  # at its kink, by convention
    slopes = [slope(operation, x, at) for at in range(1 if operation == "pow" else len(x))]
    return (*slopes, 0.0) if operation == "pow" else tuple(slopes)  # an exponent is a constant


def slope(operation: str, x: Numbers, at: int) -> float:  # given
    """Return a central difference of fourth order: exact to some twelve digits, where the function is smooth."""
    step = STEP * min(abs(x[at]), 1.0) or STEP
    one, two = (difference(operation, x, at, width) for width in (step, 2 * step))
    return (8 * one - two) / (12 * step)


def difference(operation: str, x: Numbers, at: int, width: float) -> float:  # given
    """Return how much an operation changes while one operand moves from `width` below to `width` above."""
    below, above = ((*x[:at], x[at] + side * width, *x[at + 1 :]) for side in (-1, 1))
    return value_of(operation, above) - value_of(operation, below)
