"""One operation of a test on the submission, and how it is named."""

from __future__ import annotations

import types
from collections.abc import Sequence
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


def operation_of(step: Step, steps: Sequence[Step]) -> str:
    """Return what a step asks for, in the words of the interface: `*`, `__rmul__`, `push`, `Stack`, `.top`.

    `steps` are those of the test, so that a call is named by what is called; "" if it has no name.
    """
    code, arguments = step.code, step.arguments
    if code >= wire.FIRST_OPERATOR:
        name = wire.OPERATORS[code - wire.FIRST_OPERATOR]
        reflected = len(arguments) == 2 and type(arguments[0]) is not wire.Handle
        return f"__r{name}__" if reflected else SYMBOLS.get(name, name)
    if code == wire.CALL:
        place = arguments[0] - wire.FIRST_OBJECT
        found = steps[place] if 0 <= place < len(steps) else None
        return str(found.arguments[1]) if found and found.code == wire.GETATTR else ""
    if code == wire.METHOD:
        return str(arguments[1])
    if code in (wire.EXIT, wire.SLICE):
        return "__exit__" if code == wire.EXIT else "[]"
    if code in (wire.GETATTR, wire.READ, wire.SETATTR) and arguments[0] >= wire.FIRST_OBJECT:
        return f".{arguments[1]}"
    return ""  # looking up a name of the module runs none of its code


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
    "and": "&",
    "or": "|",
    "xor": "^",
    "lshift": "<<",
    "rshift": ">>",
    "invert": "~",
    "eq": "==",
    "ne": "!=",
    "lt": "<",
    "le": "<=",
    "gt": ">",
    "ge": ">=",
    "contains": "in",
    "getitem": "[]",
    "setitem": "[] =",
    "delitem": "del []",
    **{name: f"{name}()" for name in ("abs", "divmod", "bool", "float", "int", "index", "str", "repr", "format")},
    **{name: f"{name}()" for name in ("hash", "len", "round", "iter", "next", "reversed")},
}
