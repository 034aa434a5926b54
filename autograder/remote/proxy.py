"""Looks like the student's module: every operation on it is performed in the worker.

A test adds, multiplies and calls as if the object were here, and reads plain numbers. What would hand
an expected value to the submission, or take its word for a verdict, is refused: comparisons, truth,
hashing and conversion belong to plain numbers, and the message says which to read.
"""

from __future__ import annotations

import functools
import sys
import types
from collections.abc import Callable
from typing import Any, NoReturn

from ..assignment import Declared, RemoteInterface
from ..errors import MisuseError
from ..wire import format as wire
from .declared import check_name, check_returned, check_shape, described, is_too_large, with_article
from .errors import remote_error
from .tape import Tape

_PLAIN = (type(None), bool, int, float, str, wire.Handle)


class _Origin:
    """What the remote objects of one name share, and every operation on them needs."""

    __slots__ = ("interface", "kind", "name", "results", "returns", "tape")

    def __init__(self, tape: Tape, interface: RemoteInterface, name: str, kind: int) -> None:
        self.tape, self.interface, self.name, self.kind = tape, interface, name, kind
        self.returns: Declared | None = None  # of a function of the module
        # Of what is computed from such an object, or constructed by it.
        self.results = self if kind == wire.OTHER else _Origin(tape, interface, name, wire.OTHER)


class RemoteModule:
    """A module of the submission, as a test sees it."""

    def __init__(self, tape: Tape, interface: RemoteInterface, handle: int, names: dict[str, int]) -> None:
        self._tape, self._interface, self._handle, self._names = tape, interface, wire.Handle(handle), names

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if name not in self._names:
            raise remote_error(
                wire.RaisedError(0, "AttributeError", "AttributeError", f"{self._interface.file} defines no {name}", ())
            )
        frame = sys._getframe(1)
        arguments = (self._handle, name)
        kind = self._names[name]
        check_name(name, kind, self._interface)
        if kind == wire.OTHER:
            return arrived(self._tape, self._interface, self._tape.fetch(wire.GETATTR, arguments, frame), name)
        origin = _Origin(self._tape, self._interface, name, kind)
        origin.returns = self._interface.returns.get(name)
        found = _made(origin, self._tape.push(wire.GETATTR, arguments, frame))
        vars(self)[name] = found  # looked up once in a test, not for every object that it makes
        return found

    def __repr__(self) -> str:
        return f"<remote module {self._interface.file}>"


class RemoteObject:
    """An object that lives in the worker."""

    __slots__ = ("_remote_handle", "_remote_origin")  # names that no submission uses: all else is looked up over there

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        origin = self._remote_origin
        if name in origin.interface.deferred:
            return functools.partial(_call_method, self, name)
        if name in origin.interface.numbers:
            value = origin.tape.number(self._remote_handle, name, origin.interface.numbers, sys._getframe(1))
            if type(value) not in (int, float):
                wanted = "" if is_too_large(value) else "; it must be a plain float or int"
                raise MisuseError(f"`.{name}` is {described(value)}{wanted}")
            return value
        value = origin.tape.fetch(wire.GETATTR, (self._remote_handle, name), sys._getframe(1))
        return arrived(origin.tape, origin.interface, value, name)

    def __setattr__(self, name: str, value: Any) -> None:
        self._remote_origin.tape.push(wire.SETATTR, (self._remote_handle, name, crossing(value)), sys._getframe(1))

    def __call__(self, *positional: Any, **named: Any) -> Any:  # noqa: D102 - a class of the submission, or a function
        origin, frame = self._remote_origin, sys._getframe(1)
        arguments = (self._remote_handle, *_crossing_arguments(positional, named))
        if origin.kind == wire.CLASS:
            handle = origin.tape.push(wire.CALL, arguments, frame)
            origin.tape.leaves.add(handle)
            return _made(origin.results, handle)
        value = arrived(origin.tape, origin.interface, origin.tape.fetch(wire.CALL, arguments, frame), origin.name)
        if origin.returns is not None:
            check_returned(value, origin.returns, origin.name, RemoteObject)
        return value

    def __enter__(self) -> RemoteObject:
        return _call_method(self, "__enter__")

    def __exit__(self, *_: object) -> None:
        _call_method(self, "__exit__", None, None, None)  # what the test raised stays here

    def __repr__(self) -> str:
        return f"<remote {self._remote_origin.name}>"


_set_handle = vars(RemoteObject)["_remote_handle"].__set__  # `x._remote_handle = handle` would go to the worker
_set_origin = vars(RemoteObject)["_remote_origin"].__set__
_new = RemoteObject.__new__


def _made(origin: _Origin, handle: wire.Handle) -> RemoteObject:
    made = _new(RemoteObject)
    _set_handle(made, handle)
    _set_origin(made, origin)
    return made


def _call_method(target: RemoteObject, name: str, *positional: Any, **named: Any) -> RemoteObject:
    """Queue a method call whose result is an object, so that nothing need wait for it."""
    origin = target._remote_origin
    arguments = (target._remote_handle, name, *_crossing_arguments(positional, named))
    return _made(origin.results, origin.tape.push(wire.METHOD, arguments, sys._getframe(1)))


def _crossing_arguments(positional: tuple[Any, ...], named: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    return (
        tuple([crossing(part) for part in positional]) if positional else (),
        {key: crossing(part) for key, part in named.items()} if named else {},
    )


def crossing(value: Any) -> Any:
    """Return `value` as it crosses to the worker, or raise MisuseError for what may not."""
    kind = type(value)
    if kind is RemoteObject:
        return value._remote_handle
    if kind is int and value.bit_length() > wire.MAX_INTEGER_BITS:
        raise MisuseError(f"an integer of more than {wire.MAX_INTEGER_BITS:,} bits may not cross to the submission")
    if kind is float or kind in _PLAIN:
        return value
    if kind in (list, tuple):
        return kind(crossing(part) for part in value)
    if kind is dict:
        return {key: crossing(part) for key, part in value.items()}
    numpy = sys.modules.get("numpy")
    if numpy is not None and kind is numpy.ndarray and value.dtype.name in wire.ARRAY_TYPES:
        return wire.Array(value.dtype.name, value.shape, value.tobytes())
    raise MisuseError(f"{with_article(kind.__name__)} may not cross to the submission's process")


def arrived(tape: Tape, interface: RemoteInterface, value: Any, name: str) -> Any:
    """Return what came over the wire as a test may use it: plain values, arrays and remote objects."""
    kind = type(value)
    if kind is wire.Opaque:
        if is_too_large(value):
            raise MisuseError(f"`{name}` gives {described(value)}")
        origin = _Origin(tape, interface, value.type_name or name, value.kind)
        return _made(origin, wire.Handle(value.handle))
    if kind in (list, tuple):
        return kind(arrived(tape, interface, part, name) for part in value)
    if kind is dict:
        return {key: arrived(tape, interface, part, name) for key, part in value.items()}
    return _ndarray(value, interface) if kind is wire.Array else value


def _ndarray(value: wire.Array, interface: RemoteInterface) -> Any:
    """Return an array, or the number that an array without dimensions is."""
    if not interface.arrays:
        raise MisuseError(f"{interface.file} returned an array where a plain number or a Value belongs")
    check_shape(value.shape, interface)
    import numpy  # only where arrays may cross: importing it costs more than grading does

    try:
        return numpy.frombuffer(value.data, dtype=value.dtype).reshape(value.shape).copy()[()]
    except ValueError:
        raise MisuseError("an array's shape does not fit its size") from None


def _operated(target: RemoteObject, code: int, operands: tuple[Any, ...], frame: types.FrameType) -> Any:
    origin = target._remote_origin
    if "operators" in origin.interface.deferred:
        return _made(origin.results, origin.tape.push(code, operands, frame))
    return arrived(origin.tape, origin.interface, origin.tape.fetch(code, operands, frame), origin.name)


def _binary(code: int) -> Callable[..., Any]:
    def operate(self: RemoteObject, other: Any) -> Any:
        return _operated(self, code, (self._remote_handle, crossing(other)), sys._getframe(1))

    return operate


def _reflected(code: int) -> Callable[..., Any]:
    def operate(self: RemoteObject, other: Any) -> Any:
        return _operated(self, code, (crossing(other), self._remote_handle), sys._getframe(1))

    return operate


def _unary(code: int) -> Callable[..., Any]:
    def operate(self: RemoteObject) -> Any:
        return _operated(self, code, (self._remote_handle,), sys._getframe(1))

    return operate


def _refused(what: str) -> Callable[..., NoReturn]:
    def refuse(self: RemoteObject, *_: Any) -> NoReturn:
        name = self._remote_origin.name
        raise MisuseError(f"{with_article(name)} cannot be {what}: read a plain number of it, such as .data, first")

    return refuse


for _name, _code in wire.OPERATOR_CODES.items():
    setattr(RemoteObject, f"__{_name}__", (_unary if _name in ("neg", "pos", "abs") else _binary)(_code))
    if f"i{_name}" in wire.OPERATOR_CODES:
        setattr(RemoteObject, f"__r{_name}__", _reflected(_code))
for _names, _what in {
    "eq ne lt le gt ge": "compared",
    "bool": "used as a truth value",
    "hash": "put into a set or used as a key",
    "float int index complex round trunc floor ceil": "converted to a number",
    "iter len contains": "iterated over",
}.items():
    for _name in _names.split():
        setattr(RemoteObject, f"__{_name}__", _refused(_what))
