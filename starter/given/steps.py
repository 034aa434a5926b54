"""Given: the steps of a program, its values in plain arithmetic, and its slopes by central differences."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from .reasoning.values import value_of

STEP = 1e-5  # of a central difference, for a number of about 1
BINARY = {ast.Add: "+", ast.Sub: "-", ast.Mult: "·", ast.Div: "/", ast.Pow: "**"}
FUNCTIONS = ("tanh", "exp", "relu", "log", "sqrt", "abs")
NAMES = {"+": "add", "-": "sub", "·": "mul", "/": "truediv", "**": "pow"}  # of the operations in values.py
LINEAR = ("+", "-", "·", "neg")
POLES = ("/", "**", "log", "sqrt")
KINKS = ("relu", "abs")  # at 0 their slope is 0 by convention


Operand = tuple[int] | float  # the place of an earlier step, or a plain number


@dataclass(frozen=True)
class Step:
    """One value: a leaf has a name and a number, another one the operation and what it is applied to."""

    name: str
    sign: str  # "+", "tanh", "neg"; "" for a leaf
    operands: tuple[Operand, ...]

    def plain(self, numbers: Sequence[float]) -> float:  # given
        """Return what plain numbers give."""
        if self.sign == "":
            return float(numbers[0])
        return value_of(NAMES.get(self.sign, self.sign), tuple(numbers))

    def numbers(self, values: Sequence[float]) -> list[float]:  # given
        """Return the numbers that the operation is applied to."""
        return [values[each[0]] if isinstance(each, tuple) else each for each in self.operands]

    def slope(self, values: Sequence[float], at: int) -> float:  # given
        """Return the central difference by the operand `at`."""
        numbers = self.numbers(values)
        step = self.width(numbers, abs(numbers[at]))
        if self.sign in KINKS and abs(numbers[0]) <= step:
            return 0.0
        up, down = ([*numbers[:at], numbers[at] + side * step, *numbers[at + 1 :]] for side in (1, -1))
        return (self.plain(up) - self.plain(down)) / (2 * step)

    def width(self, numbers: Sequence[float], x: float) -> float:  # given
        """Return how far a central difference reaches: far if the operation is linear, and not past a pole at 0."""
        if self.sign in LINEAR:
            return max(1.0, *map(abs, numbers))
        return STEP * (x if x and self.sign in POLES else max(1.0, x))


def values_of(steps: Sequence[Step]) -> list[float]:  # given
    """Return the value of each step."""
    values: list[float] = []
    for step in steps:
        values.append(step.plain(step.numbers(values)))
    return values


def gradient_of(steps: Sequence[Step], values: Sequence[float], place: int) -> float:  # given
    """Return how fast the output changes with one value: forwards, through all that is made of it."""
    speeds = [0.0] * len(steps)
    speeds[place] = 1.0
    for i, step in enumerate(steps[place + 1 :], start=place + 1):
        moving = [(n, each[0]) for n, each in enumerate(step.operands) if isinstance(each, tuple) and speeds[each[0]]]
        speeds[i] = sum(step.slope(values, n) * speeds[operand] for n, operand in moving)
    return speeds[-1]
