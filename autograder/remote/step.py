"""One operation of a test on the submission, and how it is named."""

from __future__ import annotations

import types
from typing import Any, NamedTuple

from ..wire import format as wire


class Step(NamedTuple):
    """One operation: what was done, to what, where its result is known, and where in the test."""

    code: int
    result: int
    arguments: tuple[Any, ...]
    code_object: types.CodeType
    instruction: int  # its index there


def line_of(code: types.CodeType, instruction: int) -> int:
    """Return the line of the instruction at byte offset `instruction`, 0 when it has none."""
    for start, end, line in code.co_lines():
        if start <= instruction < end:
            return line or 0
    return 0


def described(step: Step) -> str:
    """Return a step in the words of the submission's interface: "`*`", "`tanh`", "`Value`"."""
    if step.code >= wire.FIRST_OPERATOR:
        name = wire.OPERATORS[step.code - wire.FIRST_OPERATOR]
        return f"`{SYMBOLS.get(name, name)}`"
    names = [part for part in step.arguments if type(part) is str]
    return f"`{names[0]}`" if names and step.code in (wire.METHOD, wire.GETATTR, wire.SETATTR, wire.LOAD) else ""


SYMBOLS = {
    "add": "+",
    "sub": "-",
    "mul": "*",
    "truediv": "/",
    "floordiv": "//",
    "mod": "%",
    "pow": "**",
    "matmul": "@",
    "iadd": "+=",
    "isub": "-=",
    "imul": "*=",
    "itruediv": "/=",
    "neg": "unary -",
    "pos": "unary +",
}
