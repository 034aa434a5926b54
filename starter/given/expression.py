"""Given: reads an expression such as `a*a + tanh(b)` into steps, for `python demo.py film` and `graph`.

Only numbers, the names that were given numbers, `+ - * / **` and the functions of steps.py are understood. Nothing is
evaluated by Python itself, so an expression can do nothing else.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NoReturn

from .steps import BINARY, FUNCTIONS, Operand, Step

MOST_STEPS = 60
MOST_CHARACTERS = 500


class UnreadableError(ValueError):
    """The expression, or the numbers for it, cannot be read; the text says why and what helps."""


@dataclass
class Reader:
    """Turns an expression into steps; each name is one leaf, however often it is used."""

    given: dict[str, float]
    steps: list[Step] = field(default_factory=list)
    leaves: dict[str, int] = field(default_factory=dict)

    def read(self, node: ast.expr) -> Operand:  # given
        """Return the place of the step that a part of the expression becomes, or the number that it is."""
        if isinstance(node, ast.Constant):
            if isinstance(node.value, bool) or not isinstance(node.value, int | float):
                refuse(f"{ast.unparse(node)} is not a number")
            return as_float(node.value)
        if isinstance(node, ast.Name):
            return self.leaf(node.id)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
            inner = self.read(node.operand)
            return inner if isinstance(node.op, ast.UAdd) else self.add("neg", inner)
        if isinstance(node, ast.BinOp) and type(node.op) in BINARY:
            return self.binary(node)
        if isinstance(node, ast.Call) and not node.keywords:
            return self.call(node)
        return refuse(
            f"`{ast.unparse(node)}`: only numbers, names, + - * / ** and {', '.join(FUNCTIONS)} are understood"
        )

    def leaf(self, name: str) -> Operand:  # given
        """Return the place of a variable."""
        if name not in self.given:
            refuse(f"{name} has no number: write {name}=2 behind the expression")
        if name not in self.leaves:
            self.leaves[name] = len(self.steps)
            self.steps.append(Step(name, "", (self.given[name],)))
        return (self.leaves[name],)

    def binary(self, node: ast.BinOp) -> Operand:  # given
        """Return the place of a sum, a product and so on."""
        sign = BINARY[type(node.op)]
        operands = self.read(node.left), self.read(node.right)
        if sign == "**" and isinstance(operands[1], tuple):
            refuse(f"`{ast.unparse(node)}`: the exponent has to be a plain number")
        return self.add(sign, *operands)

    def call(self, node: ast.Call) -> Operand:  # given
        """Return the place of `tanh(a)`, or of `a.tanh()`."""
        function, arguments = node.func, node.args
        if isinstance(function, ast.Attribute):
            name, arguments = function.attr, [function.value, *arguments]
        else:
            name = function.id if isinstance(function, ast.Name) else ""
        if name not in FUNCTIONS or len(arguments) != 1:
            refuse(f"`{ast.unparse(node)}`: the functions are {', '.join(FUNCTIONS)}, of one value")
        return self.add(name, self.read(arguments[0]))

    def add(self, sign: str, *operands: Operand) -> Operand:  # given
        """Return the place of a new step; plain numbers alone are computed at once."""
        step = Step("", sign, operands)
        if not any(isinstance(each, tuple) for each in operands):
            try:
                return step.plain(step.numbers(()))
            except (ArithmeticError, ValueError) as problem:
                refuse(f"the numbers in it cannot be computed: {problem}")
        if len(self.steps) >= MOST_STEPS:
            refuse(f"it has more than {MOST_STEPS} steps, which is too large to draw")
        self.steps.append(step)
        return (len(self.steps) - 1,)


def refuse(why: str) -> NoReturn:  # given
    """Raise UnreadableError."""
    raise UnreadableError(why)


def as_float(number: float) -> float:  # given
    """Return a number as a float that is finite."""
    try:
        value = float(number)
    except OverflowError:
        value = math.inf
    if not math.isfinite(value):
        refuse("a number in it is too large")
    return value


def numbers_of(arguments: Sequence[str]) -> dict[str, float]:  # given
    """Return the numbers of `a=3 b=-0.5`, by name."""
    found: dict[str, float] = {}
    for argument in arguments:
        name, _, number = argument.partition("=")
        if not name.isidentifier() or not re.fullmatch(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?", number.strip()):
            refuse(f"`{argument}` is not of the form a=3")
        if name in FUNCTIONS:
            refuse(f"{name} is a function: give the variable another name")
        found[name] = as_float(float(number))
    return found


def steps_of(expression: str, given: dict[str, float]) -> list[Step]:  # given
    """Return the steps of an expression, its output last. Raises UnreadableError with a sentence that says why."""
    if len(expression) > MOST_CHARACTERS:
        refuse(f"the expression is longer than {MOST_CHARACTERS} characters")
    reader = Reader(given)
    try:
        output = reader.read(ast.parse(expression.strip(), mode="eval").body)
    except (SyntaxError, RecursionError, MemoryError) as problem:
        reason = problem.msg if isinstance(problem, SyntaxError) else "it is nested too deeply"
        raise UnreadableError(f"`{expression}` is not an expression: {reason}") from None
    if not isinstance(output, tuple):
        refuse(f'`{expression}` has no variable: try "a*a + a" a=3')
    unused = [name for name in given if name not in reader.leaves]
    if unused:
        refuse(f"{unused[0]} does not occur in `{expression}`")
    return named(reader.steps)


def named(steps: Sequence[Step]) -> list[Step]:  # given
    """Return the steps with a name for each: the output is y, what comes before is p, q, r, or v1, v2 if it is much."""
    taken = {step.name for step in steps}
    inner = [i for i, step in enumerate(steps) if step.sign]
    letters = [letter for letter in "pqrstuvw" if letter not in taken]
    numbered = [name for name in (f"v{i}" for i in range(1, 2 * MOST_STEPS)) if name not in taken]
    names = letters if len(inner) - 1 <= len(letters) else numbered
    last = next(name for name in ("y", "out", "result", "output_") if name not in taken)
    of = dict(zip(inner[:-1], names, strict=False)) | dict.fromkeys(inner[-1:], last)
    return [Step(of.get(i, step.name), step.sign, step.operands) for i, step in enumerate(steps)]
