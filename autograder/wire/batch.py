"""A batch: the operations of one request. Most have one of a few common shapes, and cross as records of one size.

    batch      count u8, and as many names of methods | part …
    part       0 u8 | operation
               1 u8 | count u32 | record × count
    operation  code u8 | result handle u32 | argument count u8 | values …
    record     shape u8 | code u8 | result handle u32 | object's handle u32 | operand f64

An operand is a number, a handle or the position of a method's name, as the shape says. Each of them is exact as an f64:
an integer too large for that crosses in an operation.
"""

from __future__ import annotations

import struct

from .format import CALL, FIRST_OPERATOR, LENGTH, MAX_NAME, METHOD, Handle, encode
from .reader import Reader

TYPE_CHECKING = False  # typing's own constant costs its import, 8 ms in every worker
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

ALONE, BOTH, FLOAT, INT, LEFT_FLOAT, LEFT_INT, CALL_FLOAT, CALL_INT, CALL_METHOD = range(9)
RECORD = struct.Struct("<BBIId")
_OPERATION = struct.Struct("<BIB")
_SINGLE, _RUN = 0, 1
_EXACT = 1 << 53  # every integer up to here is an f64
_MOST_NAMES = 255
_OF_TWO = {
    (Handle, Handle): BOTH,
    (Handle, float): FLOAT,
    (Handle, int): INT,
    (float, Handle): LEFT_FLOAT,
    (int, Handle): LEFT_INT,
}
_OF_CALL = {float: CALL_FLOAT, int: CALL_INT}


def encode_batch(operations: Iterable[tuple[int, int, tuple[Any, ...]]]) -> bytes:
    """Return operations, each a code, the handle of its result and its arguments, as the bytes of one request."""
    parts: list[bytes] = []
    run: list[bytes] = []
    names: dict[str, int] = {}
    for code, result, arguments in operations:
        record = _record(code, result, arguments, names)
        if record is not None:
            run.append(record)
        else:
            parts += _whole(run)
            run = []
            parts.append(bytes((_SINGLE,)) + _operation(code, result, arguments))
    texts = [encode(name) for name in names]
    return b"".join([bytes((len(names),)), *texts, *parts, *_whole(run)])


def _whole(run: list[bytes]) -> list[bytes]:
    return [bytes((_RUN,)), LENGTH.pack(len(run)), *run] if run else []


def _operation(code: int, result: int, arguments: tuple[Any, ...]) -> bytes:
    return _OPERATION.pack(code, result, len(arguments)) + b"".join([encode(part) for part in arguments])


def _record(code: int, result: int, arguments: tuple[Any, ...], names: dict[str, int]) -> bytes | None:
    """Return an operation as a record, where it has a common shape."""
    if code >= FIRST_OPERATOR:
        return _of_operator(code, result, arguments)
    if code == CALL:
        target, positional, named = arguments
        if len(positional) == 1 and not named:
            number = positional[0]
            shape = _OF_CALL.get(type(number))
            if shape is not None and (shape == CALL_FLOAT or -_EXACT <= number <= _EXACT):
                return RECORD.pack(shape, code, result, target, number)
    elif code == METHOD:
        target, name, positional, named = arguments
        if not positional and not named and len(name) <= MAX_NAME and (name in names or len(names) < _MOST_NAMES):
            return RECORD.pack(CALL_METHOD, code, result, target, names.setdefault(name, len(names)))
    return None


def _of_operator(code: int, result: int, arguments: tuple[Any, ...]) -> bytes | None:
    if len(arguments) == 1:
        return RECORD.pack(ALONE, code, result, arguments[0], 0)
    if len(arguments) != 2:
        return None
    left, right = arguments
    shape = _OF_TWO.get((type(left), type(right)))
    if shape is None or (shape == INT and abs(right) > _EXACT) or (shape == LEFT_INT and abs(left) > _EXACT):
        return None
    if shape >= LEFT_FLOAT:
        left, right = right, left
    return RECORD.pack(shape, code, result, left, right)


class Batch:
    """A request, read part by part until `at_end`."""

    def __init__(self, data: bytes) -> None:
        self._reader = Reader(data)
        self.names = [self._reader.value() for _ in range(self._reader.take(1)[0])]

    @property
    def at_end(self) -> bool:
        """Return True if every part was read."""
        return self._reader.at_end

    def at_run(self) -> bool:
        """Read a part's first byte, and return True if `run` reads the rest, False if `operation` does."""
        return self._reader.take(1)[0] == _RUN

    def operation(self) -> tuple[int, int, list[Any]]:
        """Return an operation's code, the handle of its result, and its arguments."""
        code, result, count = _OPERATION.unpack(self._reader.take(_OPERATION.size))
        return code, result, [self._reader.value() for _ in range(count)]

    def run(self) -> Iterator[tuple[int, int, int, int, float]]:
        """Return the records of a run: shape, code, handles of result and object, operand."""
        count = LENGTH.unpack(self._reader.take(LENGTH.size))[0]
        return RECORD.iter_unpack(self._reader.take(count * RECORD.size))
