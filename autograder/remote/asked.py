"""`ask(x)`: an object of the submission that answers for itself, where its own answer is what a test is about.

In everything else it is the object. `ask(f) == g`, `len(ask(s))`, `y in ask(s)`, `str(ask(f))` and the like perform
Python's own operator in the worker and return a plain value of the kind that Python wants, or raise MisuseError.
Outside the grader `ask(x)` is `x`, so that the same test is ordinary Python there.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

from ..errors import MisuseError
from ..wire import format as wire
from .crossing import crossing, handle_of, origin_of, set_handle, set_origin
from .declared import with_article
from .operators import COMPARISONS
from .proxy import RemoteObject, RemoteProxy, fetched

MOST_VALUES = 10_000  # of one iterator, which may have no end
# What Python takes for a plain value at once, and the exact type that it must have.
_CONVERSIONS: dict[str, type] = {
    "bool": bool,
    "contains": bool,
    "hash": int,
    "len": int,
    "float": float,
    "int": int,
    "index": int,
    "str": str,
    "repr": str,
    "format": str,
}
_LENGTHS = range(sys.maxsize)  # that Python takes
_METHODS = ("trunc", "floor", "ceil")  # of `math`, called by their names


class Asked(RemoteProxy):
    """A remote object whose class decides what it is compared to, converted to and iterated over as."""

    __slots__ = ("_advanced",)  # how many values an iterator gave
    answers = True

    def __iter__(self) -> Asked:
        return _iterator(self, "iter", sys._getframe(1))

    def __reversed__(self) -> Asked:
        return _iterator(self, "reversed", sys._getframe(1))

    def __next__(self) -> Any:
        count = _get_advanced(self) + 1
        if count > MOST_VALUES:
            raise MisuseError(f"an iterator of the submission gives more than {MOST_VALUES:,} values")
        _set_advanced(self, count)
        return _answer(self, "next", (), sys._getframe(1))

    def __round__(self, digits: int | None = None) -> Any:
        return _answer(self, "round", () if digits is None else (digits,), sys._getframe(1))


_get_advanced, _set_advanced = vars(Asked)["_advanced"].__get__, vars(Asked)["_advanced"].__set__


def ask(value: Any) -> Any:
    """Return `value`, or what is in a list, tuple or dict of values, as objects that answer for themselves.

    What is not an object of the submission comes back as it is.
    """
    kind = type(value)
    if kind is RemoteObject:
        return _answering(value)
    if kind in (list, tuple):
        return kind(ask(part) for part in value)
    return {key: ask(part) for key, part in value.items()} if kind is dict else value


def _answering(target: RemoteObject) -> Asked:
    found = Asked.__new__(Asked)
    set_handle(found, handle_of(target))
    set_origin(found, origin_of(target))
    _set_advanced(found, 0)
    return found


def _answer(target: Asked, name: str, operands: tuple[Any, ...], frame: FrameType) -> Any:
    """Perform an operator now, and return what it gave."""
    code = wire.OPERATOR_CODES[name]
    return fetched(target, code, (handle_of(target), *map(crossing, operands)), frame, name)


def _iterator(target: Asked, name: str, frame: FrameType) -> Asked:
    found = _answer(target, name, (), frame)
    if type(found) is not RemoteObject:
        raise MisuseError(f"{with_article(origin_of(target).name)} gives no iterator")
    return _answering(found)


def _conversion(name: str, kind: type) -> Callable[..., Any]:
    def convert(self: Asked, *operands: Any) -> Any:
        found = _answer(self, name, operands, sys._getframe(1))
        if type(found) is not kind or (name == "len" and found not in _LENGTHS):
            noun, given = with_article(origin_of(self).name), with_article(type(found).__name__)
            raise MisuseError(f"`{name}` of {noun} gives {given} that cannot be its answer")
        return found

    return convert


def _comparison(name: str) -> Callable[..., Any]:
    def compare(self: Asked, other: Any) -> Any:
        return _answer(self, name, (other,), sys._getframe(1))

    return compare


def _method(name: str) -> Callable[..., Any]:
    def call(self: Asked) -> Any:
        return fetched(self, wire.METHOD, (handle_of(self), f"__{name}__", (), {}), sys._getframe(1), name)

    return call


for _name, _kind in _CONVERSIONS.items():
    setattr(Asked, f"__{_name}__", _conversion(_name, _kind))
for _name in COMPARISONS:
    setattr(Asked, f"__{_name}__", _comparison(_name))
for _name in _METHODS:
    setattr(Asked, f"__{_name}__", _method(_name))
