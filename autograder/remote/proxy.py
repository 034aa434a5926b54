"""Looks like an object of the student's: every operation on it is performed in the worker.

A test adds, multiplies and calls as if the object were here, and reads plain numbers. What would hand an expected value
to the submission, or take its word for a verdict, is refused (operators.py), and the message says how to ask.
"""

from __future__ import annotations

import functools
import sys
import types
from typing import Any

from ..errors import MisuseError
from ..interface import Declared, RemoteInterface
from ..wire import arrays
from ..wire import format as wire
from .crossing import Remote, crossing, crossing_arguments, handle_of, origin_of, set_handle, set_origin
from .declared import check_returned, check_shape, described, is_too_large
from .ending import ended, exit_with
from .operators import EXPLICIT, performed, refused
from .tape import Tape


class Origin:
    """What the remote objects of one name share, and every operation on them needs."""

    __slots__ = ("deferred", "interface", "kind", "name", "results", "returns", "tape")

    def __init__(self, tape: Tape, interface: RemoteInterface, name: str, kind: int) -> None:
        self.tape, self.interface, self.name, self.kind = tape, interface, name, kind
        self.deferred = frozenset(interface.deferred)  # asked for each operation and each read
        self.returns: Declared | None = None  # of a function of the module
        # Of what is computed from such an object, or constructed by it; None stands for this one itself, since what
        # holds itself waits for the collector, with the tape that it holds.
        self.results = None if kind == wire.OTHER else Origin(tape, interface, name, wire.OTHER)


class Shown(str):
    """How a remote object is shown in a message. It is not the object's own text, so it compares to nothing."""

    __slots__ = ()

    def _refused(self, _: object) -> Any:
        raise MisuseError("this is not the object's own text; to test that, ask for it: `repr(ask(x))`")

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __contains__ = _refused
    __hash__ = str.__hash__


class RemoteProxy(Remote):
    """An object that lives in the worker: attributes, calls, and the operators that give objects."""

    __slots__ = ()

    def __getattribute__(self, name: str) -> Any:
        if name[:2] == "__":
            known = name in EXPLICIT
            return functools.partial(_ask_method, self, name) if known else object.__getattribute__(self, name)
        origin = origin_of(self)
        if name in origin.deferred:
            return functools.partial(_queue_method, self, name)
        if name in origin.interface.numbers:
            value = origin.tape.number(handle_of(self), name, origin.interface.numbers, sys._getframe(1))
            if type(value) not in (int, float):
                wanted = "" if is_too_large(value) else "; it must be a plain float or int"
                raise MisuseError(f"`.{name}` is {described(value)}{wanted}")
            return value
        return fetched(self, wire.GETATTR, (handle_of(self), name), sys._getframe(1), name)

    def __setattr__(self, name: str, value: Any) -> None:
        _change(self, wire.SETATTR, (handle_of(self), name, crossing(value)), sys._getframe(1))

    def __call__(self, *positional: Any, **named: Any) -> Any:  # noqa: D102 - a class of the submission, or a function
        origin, frame = origin_of(self), sys._getframe(1)
        arguments = (handle_of(self), *crossing_arguments(positional, named))
        if origin.kind == wire.CLASS:
            return _construct(origin, arguments, frame)
        value = fetched(self, wire.CALL, arguments, frame)
        if origin.returns is not None:
            check_returned(value, origin.returns, origin.name, RemoteObject)
        return value

    def __getitem__(self, key: Any) -> Any:
        frame = sys._getframe(1)
        if type(key) is slice:
            parts = (crossing(key.start), crossing(key.stop), crossing(key.step))
            return fetched(self, wire.SLICE, (handle_of(self), *parts), frame)
        return operated(self, wire.OPERATOR_CODES["getitem"], (handle_of(self), crossing(key)), frame)

    def __setitem__(self, key: Any, value: Any) -> None:
        operands = (handle_of(self), crossing(key), crossing(value))
        _change(self, wire.OPERATOR_CODES["setitem"], operands, sys._getframe(1))

    def __delitem__(self, key: Any) -> None:
        _change(self, wire.OPERATOR_CODES["delitem"], (handle_of(self), crossing(key)), sys._getframe(1))

    def __enter__(self) -> Any:
        return fetched(self, wire.METHOD, (handle_of(self), "__enter__", (), {}), sys._getframe(1))

    def __exit__(self, _: object, problem: BaseException | None, __: object) -> bool:
        return ended(self, problem, sys._getframe(1))

    def __repr__(self) -> str:
        return Shown(f"<remote {origin_of(self).name}>")


class RemoteObject(RemoteProxy):
    """An object that lives in the worker, as a test sees it: it answers nothing that would decide about the test."""

    __slots__ = ()


_new = RemoteObject.__new__


def made(origin: Origin, handle: wire.Handle) -> RemoteObject:
    """Return what stands for an object of the worker."""
    found = _new(RemoteObject)
    set_handle(found, handle)
    set_origin(found, origin)
    return found


def _construct(origin: Origin, arguments: tuple[Any, ...], frame: types.FrameType) -> Any:
    """Return a new object of a class: at once if its constructor is deferred, else when the worker has made it."""
    tape = origin.tape
    if "constructors" not in origin.deferred:
        value = tape.fetch(wire.CALL, arguments, frame)
        tape.leaves.add(wire.Handle(tape.steps[-1].result))
        return arrived(tape, origin.interface, value, origin.name)
    handle = tape.push(wire.CALL, arguments, frame)
    tape.leaves.add(handle)
    return made(origin.results or origin, handle)


def _queue_method(target: RemoteProxy, name: str, *positional: Any, **named: Any) -> RemoteObject:
    """Queue a method call whose result is an object, so that nothing need wait for it."""
    origin = origin_of(target)
    arguments = (handle_of(target), name, *crossing_arguments(positional, named))
    return made(origin.results or origin, origin.tape.push(wire.METHOD, arguments, sys._getframe(1)))


def _ask_method(target: RemoteProxy, name: str, *positional: Any, **named: Any) -> Any:
    """Call one of Python's own methods by its name, and return what it gave."""
    frame = sys._getframe(1)
    if name == "__exit__" and positional and positional[0] is not None:
        found = exit_with(target, positional[1], frame)
        return arrived(origin_of(target).tape, origin_of(target).interface, found, name)
    arguments = (handle_of(target), name, *crossing_arguments(positional, named))
    return fetched(target, wire.METHOD, arguments, frame, name)


def fetched(target: Remote, code: int, arguments: tuple[Any, ...], frame: types.FrameType, name: str = "") -> Any:
    """Perform an operation now, and return what it gave."""
    origin = origin_of(target)
    return arrived(origin.tape, origin.interface, origin.tape.fetch(code, arguments, frame), name or origin.name)


def _change(target: Remote, code: int, arguments: tuple[Any, ...], frame: types.FrameType) -> None:
    """Set an attribute or an item: at once, or in turn if the configuration defers assignments."""
    origin = origin_of(target)
    (origin.tape.push if "assignments" in origin.deferred else origin.tape.fetch)(code, arguments, frame)


def operated(target: Remote, code: int, operands: tuple[Any, ...], frame: types.FrameType) -> Any:
    """Perform an operator: in turn if the configuration defers operators, else now."""
    origin = origin_of(target)
    if "operators" in origin.deferred:
        return made(origin.results or origin, origin.tape.push(code, operands, frame))
    return fetched(target, code, operands, frame)


def arrived(tape: Tape, interface: RemoteInterface, value: Any, name: str) -> Any:
    """Return what came over the wire as a test may use it: plain values, arrays and remote objects."""
    kind = type(value)
    if kind is wire.Opaque:
        return _arrived_object(tape, interface, value, name)
    if kind in (list, tuple):
        return kind(arrived(tape, interface, part, name) for part in value)
    if kind is dict:
        return {key: arrived(tape, interface, part, name) for key, part in value.items()}
    return _array(value, interface) if kind is wire.Array else value


def _arrived_object(tape: Tape, interface: RemoteInterface, value: wire.Opaque, name: str) -> Any:
    """Return what stands for an object of the worker: the same each time that it comes."""
    if is_too_large(value):
        raise MisuseError(f"`{name}` gives {described(value)}")
    if value.type_name == "NotImplementedType":  # what `x.__eq__(y)` gives for a `y` of another kind
        return NotImplemented
    if value.handle not in tape.objects:
        origin = Origin(tape, interface, value.type_name or name, value.kind)
        tape.objects[value.handle] = made(origin, wire.Handle(value.handle))
    return tape.objects[value.handle]


def _array(value: wire.Array, interface: RemoteInterface) -> Any:
    """Return an array, or the number that an array without dimensions is."""
    if not interface.arrays:
        raise MisuseError(f"{interface.file} returned an array where a plain value or an object belongs")
    check_shape(value.shape, interface)
    try:
        return arrays.unpacked(value)[()]
    except ValueError:
        raise MisuseError("an array's shape does not fit its size") from None


for _name, _operator in performed(operated).items():
    setattr(RemoteProxy, _name, _operator)
for _name, _operator in refused(operated).items():
    setattr(RemoteObject, _name, _operator)
