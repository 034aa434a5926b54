"""Python's operators on remote objects: what each asks of the worker, and which of them are refused.

An operator that gives an object or changes one is performed in the worker. One whose result Python takes for a plain
value at once (a comparison, a truth value, a length, a text …) would let the submission decide about its own test, or
hand it the expected value, through a slip of the test. So it is refused unless the test asks for the object's answer.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Callable
from typing import Any, NoReturn

import msgspec

from ..errors import MisuseError
from ..wire import format as wire
from .crossing import Remote, crossing, handle_of, origin_of, remote_kinds
from .declared import with_article

# Performs an operation on a remote object for the test in `frame`: the object, a code, the operands and the frame.
Perform = Callable[[Any, int, tuple[Any, ...], types.FrameType], Any]
Operators = dict[str, Callable[..., Any]]


class Refusal(msgspec.Struct, frozen=True):
    """A group of operators that a remote object does not answer by itself, and how a test asks for an answer."""

    names: tuple[str, ...]  # without their underscores
    what: str  # that the object cannot be
    way: str  # to ask all the same


COMPARISONS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
REFUSALS = (
    *(Refusal((name,), "compared", f"`ask(x) {symbol} y`") for name, symbol in COMPARISONS.items()),
    Refusal(("bool",), "used as a truth value", "`bool(ask(x))`"),
    Refusal(("hash",), "put into a set or used as a key", "`hash(ask(x))`"),
    Refusal(("str", "format"), "turned into text", "`str(ask(x))`"),
    Refusal(("float", "int", "index", "complex"), "converted to a number", "`float(ask(x))`"),
    Refusal(("round", "trunc", "floor", "ceil"), "rounded", "`round(ask(x))`"),
    Refusal(("len",), "measured", "`len(ask(x))`"),
    Refusal(("contains",), "searched", "`y in ask(x)`"),
    Refusal(("iter", "reversed"), "iterated over", "`list(ask(x))`"),
    Refusal(("next",), "advanced", "`next(ask(x))`"),
)
_UNARY = ("neg", "pos", "abs", "invert")
_BINARY = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor", "lshift", "rshift")
PERFORMED = (*_UNARY, *_BINARY, *(f"i{name}" for name in _BINARY), "divmod")
ITEMS = ("getitem", "setitem", "delitem")
# What `x.__eq__(y)` and the like may name: each is asked of the worker, as any other method is.
EXPLICIT = frozenset(
    f"__{name}__"
    for name in (
        *(name for refusal in REFUSALS for name in refusal.names),
        *(*PERFORMED, *ITEMS, *(f"r{name}" for name in (*_BINARY, "divmod"))),
        *("repr", "call", "enter", "exit", "length_hint"),
    )
)


def performed(perform: Perform) -> Operators:
    """Return the operators that `perform` carries out, by their names in a class."""
    found: Operators = {}
    for name in PERFORMED:
        code = wire.OPERATOR_CODES[name]
        found[f"__{name}__"] = (_unary if name in _UNARY else _binary)(perform, code)
        if name in (*_BINARY, "divmod"):
            found[f"__r{name}__"] = _reflected(perform, code)
    return found


def refused(perform: Perform) -> Operators:
    """Return the operators that are refused, by their names in a class.

    A comparison to an object that answers is not: `perform` carries it out.
    """
    found: Operators = {}
    for refusal in REFUSALS:
        for name in refusal.names:
            found[f"__{name}__"] = _refused(perform, refusal, name)
    return found


def _binary(perform: Perform, code: int) -> Callable[..., Any]:
    def operate(self: Remote, other: Any) -> Any:
        return perform(self, code, (handle_of(self), crossing(other)), sys._getframe(1))

    return operate


def _reflected(perform: Perform, code: int) -> Callable[..., Any]:
    def operate(self: Remote, other: Any) -> Any:
        return perform(self, code, (crossing(other), handle_of(self)), sys._getframe(1))

    return operate


def _unary(perform: Perform, code: int) -> Callable[..., Any]:
    def operate(self: Remote) -> Any:
        return perform(self, code, (handle_of(self),), sys._getframe(1))

    return operate


def _refused(perform: Perform, refusal: Refusal, name: str) -> Callable[..., Any]:
    compare = _binary(perform, wire.OPERATOR_CODES[name]) if name in COMPARISONS else None

    def refuse(self: Remote, *operands: Any) -> Any:
        if compare is not None and type(operands[0]) in remote_kinds and type(operands[0]).answers:
            return compare(self, operands[0])
        refuse_use(self, refusal.what, refusal.way)

    return refuse


def refuse_use(target: Remote, what: str, way: str) -> NoReturn:
    """Raise the MisuseError that says what a remote object cannot be, and how a test asks for its answer."""
    origin = origin_of(target)
    plain = f"number of it, such as .{origin.interface.numbers[0]}," if origin.interface.numbers else "value of it"
    raise MisuseError(
        f"{with_article(origin.name)} cannot be {what}: read a plain {plain} first; "
        f"if its class's own answer is what is tested, ask for it: {way}"
    )
