"""Runs in the worker: imports the submission and does what the grader's requests say.

Everything here happens after the process is confined, beside the student's code, so nothing here decides anything: it
evaluates real operators on real objects and reports values.
"""

from __future__ import annotations

import builtins
import operator
import os
import sys

from ..wire import arrays, batch
from ..wire import format as wire
from ..wire.format import Array, Handle, Opaque
from ..wire.framing import framed, read_frame
from .line_trace import LineTrace
from .raised import raised
from .values import examined, kind_of, stored

TYPE_CHECKING = False  # typing's own constant costs its import, 8 ms in every worker
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

_OPERATORS = {
    code: vars(operator).get(f"__{name}__") or getattr(builtins, name) for name, code in wire.OPERATOR_CODES.items()
}
_SIMPLE = {
    **_OPERATORS,
    wire.GETATTR: getattr,
    wire.SETATTR: setattr,
    wire.SLICE: lambda target, *parts: target[slice(*parts)],
}
_MOST_PLAIN = wire.MAX_REPLY - wire.HEADER.size  # of a reply's bytes: without its arrays, sequence and status


class Service:
    """The objects of one worker, by handle, and the operations on them."""

    def __init__(self, directory: str, files: Iterable[str], progress: Any) -> None:
        self._files = {os.path.join(directory, name): name for name in files}
        self._objects: dict[int, Any] = {}
        self._progress = progress  # four shared bytes: the position of the operation under way
        self._next_foreign = wire.FIRST_FOREIGN
        self._first: dict[int, int] = {}  # the first handle of each object, by its id; `_objects` keeps it alive
        self._indexed = wire.FIRST_OBJECT  # the handles of results below this one are in `_first`
        self._array_bytes = 0  # of the reply under way
        self._problem: BaseException | None = None  # raised last: a `with` statement may hand it to a context manager

    def answer(self, request: bytes) -> bytes:
        """Return the reply, status byte first, to a batch of operations."""
        value, result = None, 0
        self._note(0)
        try:
            read = batch.Batch(request)
            while not read.at_end:
                result, value = self._run(read.run(), read.names) if read.at_run() else self._single(*read.operation())
            self._note(0)
            return bytes((wire.OK,)) + self._encoded(value, result)
        except BaseException as problem:  # noqa: BLE001 - the student's code may raise anything at all
            self._problem = problem
            return bytes((wire.ERROR,)) + wire.encode_error(raised(self._position, problem, self._files))

    def _encoded(self, value: Any, result: int) -> bytes:
        """Return `value` as bytes, or a description of it if it is longer than a reply may be."""
        self._array_bytes = 0
        data = wire.encode(value, lambda item: self._opaque(item, value, result))
        if self._array_bytes <= wire.MAX_ARRAY_REPLY and len(data) - self._array_bytes <= _MOST_PLAIN:
            return data
        return wire.encode(object(), lambda _: Opaque(result, wire.TOO_LARGE, type(value).__name__))

    @property
    def _position(self) -> int:
        return int(wire.LENGTH.unpack_from(self._progress)[0])

    def _note(self, position: int) -> None:
        wire.LENGTH.pack_into(self._progress, 0, position)

    def _run(self, records: Iterable[tuple[int, int, int, int, float]], names: Sequence[str]) -> tuple[int, Any]:
        """Perform a run of common operations; return the handle of the last result, and that result."""
        objects, progress, position, note = self._objects, self._progress, self._position, wire.LENGTH.pack_into
        result, value = 0, None
        for shape, code, result, target, operand in records:
            if shape == batch.BOTH:
                value = _OPERATORS[code](objects[target], objects[int(operand)])
            elif shape == batch.CALL_FLOAT:
                value = objects[target](operand)
            elif shape == batch.CALL_METHOD:
                value = getattr(objects[target], names[int(operand)])()
            else:
                value = self._operated(shape, code, objects[target], operand)
            objects[result] = value
            position += 1
            note(progress, 0, position)
        return result, value

    def _operated(self, shape: int, code: int, target: Any, operand: float) -> Any:
        """Perform one operation on an object and a number, or on an object alone."""
        if shape == batch.FLOAT:
            return _OPERATORS[code](target, operand)
        if shape == batch.LEFT_FLOAT:
            return _OPERATORS[code](operand, target)
        if shape == batch.ALONE:
            return _OPERATORS[code](target)
        if shape == batch.CALL_INT:
            return target(int(operand))
        whole = int(operand)
        return _OPERATORS[code](whole, target) if shape == batch.LEFT_INT else _OPERATORS[code](target, whole)

    def _single(self, code: int, result: int, arguments: list[Any]) -> tuple[int, Any]:
        """Perform an operation of no common shape; return the handle of its result, and the result."""
        resolved = [self._objects[part] if type(part) is Handle else part for part in arguments]
        act = _SIMPLE.get(code)
        value = act(*resolved) if act else self._perform(code, result, resolved)
        if code != wire.LOAD:
            self._objects[result] = value
        self._note(self._position + 1)
        return result, value

    def _perform(self, code: int, result: int, arguments: list[Any]) -> Any:
        if code == wire.METHOD:
            target, name, positional, named = arguments
            return getattr(target, name)(*self._resolved(positional), **self._resolved(named))
        if code == wire.CALL:
            target, positional, named = arguments
            return target(*self._resolved(positional), **self._resolved(named))
        if code in (wire.READ, wire.EXAMINE, wire.TRACE):
            return self._numbers(code, arguments)
        if code == wire.LOAD:
            return self._load(result, arguments[0])
        if code == wire.EXIT:
            return self._exit(*arguments)
        self._problem, self._indexed = None, wire.FIRST_OBJECT
        self._first.clear()
        for handle in [handle for handle in self._objects if handle >= wire.FIRST_OBJECT]:
            del self._objects[handle]
        return None

    def _numbers(self, code: int, arguments: list[Any]) -> Any:
        """Return numbers of many objects: what they plainly store, what reading gives, or how each line changes it."""
        if code == wire.TRACE:
            steps, sought = arguments
            return LineTrace(self._files, sought).log(lambda step: self._single(*step)[1], steps)
        if code == wire.EXAMINE:
            handles, names = arguments
            return [examined(self._objects.get(handle), names) for handle in handles]
        target, name, others, names = arguments
        others = [self._objects.get(other) for other in others]
        return getattr(target, name), [stored(other, each) for other in others for each in names]

    def _exit(self, target: Any, kind: str, details: tuple[Any, ...]) -> Any:
        """Have a context manager end its block: with the exception raised last for "", or one that is made here."""
        problem: Any = getattr(builtins, kind)(*details) if kind else self._problem
        return target.__exit__(type(problem), problem, problem.__traceback__)

    def _load(self, handle: int, name: str) -> dict[str, int]:
        """Import a module of the submission; return what kind of object each public name of it is."""
        __import__(name)
        module = sys.modules[name]
        self._objects[handle] = module
        names = [(key, value) for key, value in vars(module).items() if not key.startswith("__")]
        return {key[: wire.MAX_NAME]: kind_of(value) for key, value in names[:500]}

    def _resolved(self, value: Any) -> Any:
        """Return `value` with handles and arrays replaced by the objects they stand for."""
        if type(value) is Handle:
            return self._objects[value]
        if type(value) in (list, tuple):
            return type(value)([self._resolved(part) for part in value])
        if type(value) is dict:
            return {key: self._resolved(part) for key, part in value.items()}
        return arrays.unpacked(value) if type(value) is Array else value

    def _opaque(self, item: Any, whole: Any, result: int) -> Opaque | Array | None:
        """Describe an object that may not cross, and keep it under a handle."""
        crossing = arrays.packed(item, numbers=True)
        if crossing is not None:
            self._array_bytes += len(crossing.data)
            return crossing
        if item is whole:  # under its first handle, so that a test sees that it has it already
            handle = self._first_handle(item, result)
        else:
            handle, self._next_foreign = self._next_foreign, self._next_foreign + 1
            self._objects[handle] = item
            self._first.setdefault(id(item), handle)
        return Opaque(handle, wire.TOO_LARGE if type(item) is int else kind_of(item), type(item).__name__)

    def _first_handle(self, item: Any, result: int) -> int:
        """Return the first handle of an object that is a result; only results since the last call are looked at."""
        for handle in range(self._indexed, result + 1):
            self._first.setdefault(id(self._objects.get(handle)), handle)
        self._indexed = max(self._indexed, result + 1)
        handle = self._first.get(id(item), result)
        return handle if self._objects.get(handle) is item else result


def serve(requests: int, replies: int, answer: Callable[[bytes], bytes]) -> None:
    """Answer requests from one pipe on the other until the grader closes it."""
    while (frame := read_frame(lambda count: os.read(requests, count))) is not None:
        body = answer(frame[wire.LENGTH.size :])
        for stream in (sys.stdout, sys.stderr):
            _flush(stream)
        reply = framed(frame[: wire.LENGTH.size] + body)  # the number of the request comes back
        while reply:
            reply = reply[os.write(replies, reply) :]


def _flush(stream: Any) -> None:
    try:
        stream.flush()
    except BaseException:  # noqa: BLE001 - the submission may have put anything in its place
        return
