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

from . import wire
from .assignment import RemoteInterface
from .errors import MisuseError
from .tape import Tape, remote_error

_PLAIN = (type(None), bool, int, float, str, wire.Handle)


class RemoteModule:
    """A module of the submission, as a test sees it."""

    def __init__(self, tape: Tape, interface: RemoteInterface, handle: int, names: dict[str, int]) -> None:
        self._tape, self._interface, self._handle, self._names = tape, interface, wire.Handle(handle), names
        self._classes: dict[str, RemoteObject] = {}  # looked up once in a test, not for every object that it makes

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if name not in self._names:
            raise remote_error(
                wire.RaisedError(0, "AttributeError", "AttributeError", f"{self._interface.file} defines no {name}", ())
            )
        frame = sys._getframe(1)
        arguments = (self._handle, name)
        if self._names[name] == wire.OTHER:
            return arrived(self._tape, self._interface, self._tape.fetch(wire.GETATTR, arguments, frame), name)
        if name not in self._classes:
            handle = self._tape.push(wire.GETATTR, arguments, frame)
            self._classes[name] = RemoteObject(self._tape, self._interface, handle, name, self._names[name])
        return self._classes[name]

    def __repr__(self) -> str:
        return f"<remote module {self._interface.file}>"


class RemoteObject:
    """An object that lives in the worker."""

    # Names that no submission uses: everything else is looked up over there.
    __slots__ = ("_remote_handle", "_remote_interface", "_remote_kind", "_remote_name", "_remote_tape")

    def __init__(self, tape: Tape, interface: RemoteInterface, handle: wire.Handle, name: str, kind: int) -> None:
        _set_tape(self, tape)  # by the slots themselves: `self._remote_tape = tape` would go to the worker
        _set_interface(self, interface)
        _set_handle(self, handle)
        _set_name(self, name)
        _set_kind(self, kind)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        interface = self._remote_interface
        if name in interface.deferred:
            return functools.partial(_call_method, self, name)
        if name in interface.numbers:
            value = self._remote_tape.number(self._remote_handle, name, interface.numbers, sys._getframe(1))
            if type(value) not in (int, float):
                raise MisuseError(f"`.{name}` is {_described(value)}; it must be a plain float or int")
            return value
        value = self._remote_tape.fetch(wire.GETATTR, (self._remote_handle, name), sys._getframe(1))
        return arrived(self._remote_tape, interface, value, name)

    def __setattr__(self, name: str, value: Any) -> None:
        self._remote_tape.push(wire.SETATTR, (self._remote_handle, name, crossing(value)), sys._getframe(1))

    def __call__(self, *positional: Any, **named: Any) -> Any:  # noqa: D102 - a class of the submission, or a function
        tape, frame = self._remote_tape, sys._getframe(1)
        arguments = (
            self._remote_handle,
            tuple([crossing(part) for part in positional]),
            {key: crossing(part) for key, part in named.items()} if named else {},
        )
        if self._remote_kind == wire.CLASS:
            handle = tape.push(wire.CALL, arguments, frame)
            tape.leaves.add(handle)
            return RemoteObject(tape, self._remote_interface, handle, self._remote_name, wire.OTHER)
        return arrived(tape, self._remote_interface, tape.fetch(wire.CALL, arguments, frame), self._remote_name)

    def __enter__(self) -> RemoteObject:
        return _call_method(self, "__enter__")

    def __exit__(self, *_: object) -> None:
        _call_method(self, "__exit__", None, None, None)  # what the test raised stays here

    def __repr__(self) -> str:
        return f"<remote {self._remote_name}>"


def _call_method(target: RemoteObject, name: str, *positional: Any, **named: Any) -> RemoteObject:
    """Queue a method call whose result is an object, so that nothing need wait for it."""
    arguments = (
        target._remote_handle,
        name,
        tuple([crossing(part) for part in positional]),
        {key: crossing(part) for key, part in named.items()} if named else {},
    )
    handle = target._remote_tape.push(wire.METHOD, arguments, sys._getframe(1))
    return RemoteObject(target._remote_tape, target._remote_interface, handle, target._remote_name, wire.OTHER)


def crossing(value: Any) -> Any:
    """Return `value` as it crosses to the worker, or raise MisuseError for what may not."""
    kind = type(value)
    if kind is RemoteObject:
        return value._remote_handle
    if kind is float or kind in _PLAIN:
        return value
    if kind in (list, tuple):
        return kind(crossing(part) for part in value)
    if kind is dict:
        return {key: crossing(part) for key, part in value.items()}
    numpy = sys.modules.get("numpy")
    if numpy is not None and kind is numpy.ndarray and value.dtype.name in wire.ARRAY_TYPES:
        return wire.Array(value.dtype.name, value.shape, value.tobytes())
    raise MisuseError(f"a {kind.__name__} may not cross to the submission's process")


def arrived(tape: Tape, interface: RemoteInterface, value: Any, name: str) -> Any:
    """Return what came over the wire as a test may use it: plain values, arrays and remote objects."""
    kind = type(value)
    if kind is wire.Opaque:
        return RemoteObject(tape, interface, wire.Handle(value.handle), value.type_name or name, value.kind)
    if kind in (list, tuple):
        return kind(arrived(tape, interface, part, name) for part in value)
    if kind is dict:
        return {key: arrived(tape, interface, part, name) for key, part in value.items()}
    return _ndarray(value, interface) if kind is wire.Array else value


def _ndarray(value: wire.Array, interface: RemoteInterface) -> Any:
    """Return an array, or the number that an array without dimensions is."""
    if not interface.arrays:
        raise MisuseError(f"{interface.file} returned an array where a plain number or a Value belongs")
    import numpy  # only where arrays may cross: importing it costs more than grading does

    try:
        return numpy.frombuffer(value.data, dtype=value.dtype).reshape(value.shape).copy()[()]
    except ValueError:
        raise MisuseError("an array's shape does not fit its size") from None


def _described(value: Any) -> str:
    if value is None:
        return "None"
    return f"a {value.type_name if type(value) is wire.Opaque else type(value).__name__}"


def _operated(target: RemoteObject, code: int, operands: tuple[Any, ...], frame: types.FrameType) -> Any:
    tape, interface = target._remote_tape, target._remote_interface
    if "operators" in interface.deferred:
        return RemoteObject(tape, interface, tape.push(code, operands, frame), target._remote_name, wire.OTHER)
    return arrived(tape, interface, tape.fetch(code, operands, frame), target._remote_name)


def _operator(code: int) -> Callable[..., Any]:
    def operate(self: RemoteObject, *others: Any) -> Any:
        operands = (self._remote_handle, *[crossing(other) for other in others])
        return _operated(self, code, operands, sys._getframe(1))

    return operate


def _reflected(code: int) -> Callable[..., Any]:
    def operate(self: RemoteObject, other: Any) -> Any:
        return _operated(self, code, (crossing(other), self._remote_handle), sys._getframe(1))

    return operate


def _refused(what: str) -> Callable[..., NoReturn]:
    def refuse(self: RemoteObject, *_: Any) -> NoReturn:
        raise MisuseError(f"a {self._remote_name} cannot be {what}: read a plain number of it, such as .data, first")

    return refuse


_set_tape = vars(RemoteObject)["_remote_tape"].__set__
_set_interface = vars(RemoteObject)["_remote_interface"].__set__
_set_handle = vars(RemoteObject)["_remote_handle"].__set__
_set_name = vars(RemoteObject)["_remote_name"].__set__
_set_kind = vars(RemoteObject)["_remote_kind"].__set__

for _name, _code in wire.OPERATOR_CODES.items():
    setattr(RemoteObject, f"__{_name}__", _operator(_code))
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
