"""What crosses between the grader and a worker: fixed binary frames and a closed set of values.

A *request* is a batch of operations with one reply, the value of the last operation or the first
error. Both sides import this file; it imports only the standard library, little of it, because the
worker's start-up is paid by every submission. Nothing read here selects code by name, every length
is bounded before anything is allocated, and only the exact builtin types cross:

    None  bool  int (64 bits)  float  str  list  tuple  dict (str keys)  array  handle

A handle is a number by which one side's object is known to the other.

    request   length u32 | sequence u32 | operations …
    operation code u8 | result handle u32 | argument count u8 | values …
    reply     length u32 | sequence u32 | status u8 | value, or an error

Integers and floats are little-endian. `length` counts what follows it.
"""

from __future__ import annotations

import struct

from .errors import ProtocolError

TYPE_CHECKING = False  # typing's own constant costs its import, 8 ms in every worker
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

LOAD, CALL, METHOD, GETATTR, SETATTR, READ, RESET = range(1, 8)

# Python's own operators, by their names in the module `operator`. The position is the code.
OPERATORS = (
    *("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul"),
    *("iadd", "isub", "imul", "itruediv", "ifloordiv", "imod", "ipow", "imatmul"),
    *("neg", "pos", "abs", "getitem"),
)
FIRST_OPERATOR = 32
OPERATOR_CODES = {name: FIRST_OPERATOR + position for position, name in enumerate(OPERATORS)}

MAX_REQUEST = 64 << 20
MAX_REPLY = 64 << 10  # without arrays
MAX_ARRAY_REPLY = 8 << 20
MAX_ITEMS = 10_000
MAX_DEPTH = 5
MAX_TEXT = 4096
MAX_NAME = 64
MAX_FRAMES = 8
FIRST_OBJECT = 1024  # smaller handles name modules and survive a RESET
FIRST_FOREIGN = 1 << 31  # handles that a worker gave out by itself, for objects inside a list

NONE, FALSE, TRUE, INT, FLOAT, HANDLE, STR, LIST, TUPLE, DICT, ARRAY, OPAQUE = range(12)
OK, ERROR = 0, 1
OTHER, CLASS, CALLABLE = 0, 1, 2  # what kind of object an opaque value is

ARRAY_TYPES = ("float64", "int64", "int32", "uint8", "bool")

LENGTH = struct.Struct("<I")
HEADER = struct.Struct("<II")
ENDED = struct.Struct("<iiqq")  # from the zygote: exit code, was it killed there, CPU milliseconds, peak KiB
_OPERATION = struct.Struct("<BIB")
_TAGGED_INT = struct.Struct("<Bq")
_TAGGED_FLOAT = struct.Struct("<Bd")
_TAGGED_U32 = struct.Struct("<BI")
_INT = struct.Struct("<q")
_FLOAT = struct.Struct("<d")


class Handle(int):
    """The number of an object that lives on the other side, or is known there by it."""

    __slots__ = ()


class Opaque:
    """An object that may not cross: what is known of it instead."""

    __slots__ = ("handle", "kind", "type_name")

    def __init__(self, handle: int, kind: int, type_name: str) -> None:
        self.handle, self.kind, self.type_name = handle, kind, type_name


class Array:
    """A NumPy array as plain data: dtype name, shape and bytes in C order."""

    __slots__ = ("data", "dtype", "shape")

    def __init__(self, dtype: str, shape: tuple[int, ...], data: bytes) -> None:
        self.dtype, self.shape, self.data = dtype, shape, data


class RaisedError:
    """An exception raised on the worker's side, as data."""

    __slots__ = ("class_name", "frames", "kind", "message", "position")

    def __init__(
        self, position: int, kind: str, class_name: str, message: str, frames: tuple[tuple[str, int, str], ...]
    ) -> None:
        self.position, self.kind, self.class_name = position, kind, class_name
        self.message, self.frames = message, frames


def encode(value: Any, opaque: Callable[[Any], Opaque | Array | None] | None = None, depth: int = 0) -> bytes:
    """Return `value` as bytes. `opaque` names what may not cross; without it, that is a TypeError."""
    kind = type(value)
    if kind is float:
        return _TAGGED_FLOAT.pack(FLOAT, value)
    if kind is Handle:
        return _TAGGED_U32.pack(HANDLE, value)
    if kind is int and -(1 << 63) <= value < 1 << 63:
        return _TAGGED_INT.pack(INT, value)
    if value is None or kind is bool:
        return bytes((NONE if value is None else TRUE if value else FALSE,))
    if kind is str and len(value) <= MAX_TEXT:
        return _text(STR, value)
    if kind in (list, tuple, dict) and depth < MAX_DEPTH and len(value) <= MAX_ITEMS:
        return _container(value, opaque, depth)
    if kind is Array:
        return _array(value)
    known = opaque(value) if opaque else None
    if isinstance(known, Array):
        return _array(known)
    if known is None:
        raise TypeError(f"a {kind.__name__} may not cross to the submission's process")
    return bytes((OPAQUE,)) + HEADER.pack(known.handle, known.kind) + _text(STR, known.type_name[:MAX_NAME])


def _text(tag: int, text: str) -> bytes:
    data = text.encode("utf-8", "backslashreplace")
    return _TAGGED_U32.pack(tag, len(data)) + data


def _container(value: Any, opaque: Callable[[Any], Opaque | Array | None] | None, depth: int) -> bytes:
    if type(value) is dict:
        items = [encode(part, opaque, depth + 1) for pair in value.items() for part in pair]
        if any(type(key) is not str for key in value):
            raise TypeError("a dict may cross only with str keys")
        return _TAGGED_U32.pack(DICT, len(value)) + b"".join(items)
    tag = LIST if type(value) is list else TUPLE
    return _TAGGED_U32.pack(tag, len(value)) + b"".join([encode(part, opaque, depth + 1) for part in value])


def _array(array: Array) -> bytes:
    shape = b"".join(LENGTH.pack(size) for size in array.shape)
    head = bytes((ARRAY, ARRAY_TYPES.index(array.dtype), len(array.shape)))
    return head + shape + LENGTH.pack(len(array.data)) + array.data


def encode_operation(code: int, result: int, arguments: Sequence[Any]) -> bytes:
    """Return one operation of a batch as bytes."""
    return _OPERATION.pack(code, result, len(arguments)) + b"".join([encode(part) for part in arguments])


class Reader:
    """Reads values from one frame, and raises ProtocolError for anything that is not one."""

    __slots__ = ("_data", "_items", "position")

    def __init__(self, data: bytes, position: int = 0) -> None:
        self._data, self.position, self._items = data, position, 0

    @property
    def at_end(self) -> bool:
        """Say whether every byte was read."""
        return self.position == len(self._data)

    def take(self, count: int) -> bytes:
        """Return the next `count` bytes."""
        start, end = self.position, self.position + count
        if end > len(self._data):
            raise ProtocolError("a frame ends in the middle of a value")
        self.position = end
        return self._data[start:end]

    def _u32(self) -> int:
        return int(LENGTH.unpack(self.take(4))[0])

    def text(self, limit: int = MAX_TEXT * 4) -> str:
        """Return the next text, of at most `limit` bytes."""
        length = self._u32()
        if length > limit:
            raise ProtocolError("a text is longer than may cross")
        return self.take(length).decode("utf-8", "replace")

    def operation(self) -> tuple[int, int, list[Any]]:
        """Return the next operation of a batch: code, result handle, arguments."""
        code, result, count = _OPERATION.unpack(self.take(_OPERATION.size))
        return code, result, [self.value() for _ in range(count)]

    def value(self, depth: int = 0) -> Any:
        """Return the next value."""
        tag = self.take(1)[0]
        if tag == FLOAT:
            return _FLOAT.unpack(self.take(8))[0]
        if tag == HANDLE:
            return Handle(self._u32())
        if tag == INT:
            return _INT.unpack(self.take(8))[0]
        if tag <= TRUE:
            return (None, False, True)[tag]
        if tag == STR:
            return self.text()
        if tag in (LIST, TUPLE, DICT):
            return self._container(tag, depth)
        if tag == ARRAY:
            return self._array()
        if tag == OPAQUE:
            return self._opaque()
        raise ProtocolError("a value has an unknown kind")

    def _container(self, tag: int, depth: int) -> Any:
        count = self._u32()
        self._items += count
        if depth >= MAX_DEPTH or self._items > MAX_ITEMS:
            raise ProtocolError("a container is deeper or longer than may cross")
        if tag == DICT:
            return {self._key(): self.value(depth + 1) for _ in range(count)}
        items = [self.value(depth + 1) for _ in range(count)]
        return items if tag == LIST else tuple(items)

    def _key(self) -> str:
        if self.take(1)[0] != STR:
            raise ProtocolError("a dict's key is no text")
        return self.text()

    def _opaque(self) -> Opaque:
        handle, kind = HEADER.unpack(self.take(8))
        if self.take(1)[0] != STR or kind > CALLABLE:
            raise ProtocolError("an object is described in an unknown way")
        return Opaque(handle, kind, self.text(MAX_NAME * 4))

    def _array(self) -> Array:
        dtype, dimensions = self.take(2)
        if dtype >= len(ARRAY_TYPES) or dimensions > 8:
            raise ProtocolError("an array has an unknown type or too many dimensions")
        shape = tuple(self._u32() for _ in range(dimensions))
        length = self._u32()
        if length > MAX_ARRAY_REPLY:
            raise ProtocolError("an array is larger than may cross")
        return Array(ARRAY_TYPES[dtype], shape, self.take(length))


def encode_error(error: RaisedError) -> bytes:
    """Return what follows the status byte of an error reply."""
    head = LENGTH.pack(error.position) + _plain(error.kind, MAX_NAME) + _plain(error.class_name, MAX_NAME)
    frames = error.frames[-MAX_FRAMES:]
    body = _plain(error.message, MAX_TEXT) + bytes((len(frames),))
    return head + body + b"".join(_plain(f, MAX_NAME) + LENGTH.pack(n) + _plain(w, MAX_NAME) for f, n, w in frames)


def _plain(text: str, limit: int) -> bytes:
    data = text[:limit].encode("utf-8", "backslashreplace")
    return LENGTH.pack(len(data)) + data


def decode_error(reader: Reader) -> RaisedError:
    """Return the error that the rest of an error reply describes."""
    position = LENGTH.unpack(reader.take(4))[0]
    kind, class_name, message = reader.text(MAX_NAME * 6), reader.text(MAX_NAME * 6), reader.text(MAX_TEXT * 6)
    count = reader.take(1)[0]
    if count > MAX_FRAMES:
        raise ProtocolError("an error has more frames than may cross")
    frames = [
        (reader.text(MAX_NAME * 6), LENGTH.unpack(reader.take(4))[0], reader.text(MAX_NAME * 6)) for _ in range(count)
    ]
    return RaisedError(position, kind, class_name, message, tuple(frames))


def decode_reply(frame: bytes, sequence: int) -> Any:
    """Return the value or the RaisedError of a reply (without its length), or raise ProtocolError.

    The reply must answer the request numbered `sequence` and end where the frame ends.
    """
    if len(frame) < 5:
        raise ProtocolError("a reply is shorter than its header")
    answered, status = struct.unpack_from("<IB", frame)
    if answered != sequence or status not in (OK, ERROR):
        raise ProtocolError("a reply answers something that was not asked")
    reader = Reader(frame, 5)
    result = reader.value() if status == OK else decode_error(reader)
    if not reader.at_end:
        raise ProtocolError("a reply is longer than its value")
    return result
