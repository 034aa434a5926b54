"""Reads what format.py describes, from whichever side: bytes become values, or a MalformedError.

Every length is checked before anything is allocated and every container is bounded in depth and in
items, so that a frame costs at most what its own bytes cost.
"""

from __future__ import annotations

import builtins
import struct

from .format import (
    ARRAY,
    ARRAY_TYPES,
    DICT,
    ERROR,
    FLOAT,
    HANDLE,
    HEADER,
    INT,
    LARGE,
    LENGTH,
    LIST,
    MAX_ARRAY_REPLY,
    MAX_DEPTH,
    MAX_DIMENSIONS,
    MAX_FRAMES,
    MAX_INTEGER_BYTES,
    MAX_ITEMS,
    MAX_NAME,
    MAX_TEXT,
    OK,
    OPAQUE,
    STR,
    TOO_LARGE,
    TRUE,
    TUPLE,
    Array,
    Handle,
    MalformedError,
    Opaque,
    RaisedError,
)

TYPE_CHECKING = False  # typing's own constant costs its import, 8 ms in every worker
if TYPE_CHECKING:
    from typing import Any

_INT = struct.Struct("<q")
_FLOAT = struct.Struct("<d")
_CUT = "a frame ends in the middle of a value"
_BUILTIN_ERRORS = frozenset(
    name for name, value in vars(builtins).items() if isinstance(value, type) and issubclass(value, BaseException)
)
_NAME, _TEXT = 6 * MAX_NAME, 6 * MAX_TEXT  # in bytes: an escaped character takes up to six


class Reader:
    """Reads values from one frame, and raises MalformedError for anything that is not one."""

    __slots__ = ("_data", "_items", "position")

    def __init__(self, data: bytes, position: int = 0) -> None:
        self._data, self.position, self._items = data, position, 0

    @property
    def at_end(self) -> bool:
        """Return True if every byte was read."""
        return self.position == len(self._data)

    def take(self, count: int) -> bytes:
        """Return the next `count` bytes."""
        start, end = self.position, self.position + count
        if end > len(self._data):
            raise MalformedError(_CUT)
        self.position = end
        return self._data[start:end]

    def _u32(self) -> int:
        return int(LENGTH.unpack(self.take(4))[0])

    def text(self, limit: int = _TEXT) -> str:
        """Return the next text, of at most `limit` bytes."""
        length = self._u32()
        if length > limit:
            raise MalformedError("a text is longer than may cross")
        return self.take(length).decode("utf-8", "replace")

    def value(self) -> Any:
        """Return the next value."""
        try:
            return self._value(0)
        except (struct.error, IndexError):
            raise MalformedError(_CUT) from None

    def _value(self, depth: int) -> Any:
        """Return the next value; struct.error and IndexError mean that the frame ends within it."""
        at = self.position
        tag = self._data[at]
        if tag == FLOAT:
            self.position = at + 9
            return _FLOAT.unpack_from(self._data, at + 1)[0]
        if tag == HANDLE:
            self.position = at + 5
            return Handle(LENGTH.unpack_from(self._data, at + 1)[0])
        if tag == INT:
            self.position = at + 9
            return _INT.unpack_from(self._data, at + 1)[0]
        self.position = at + 1
        if tag <= TRUE:
            return (None, False, True)[tag]
        if tag == STR:
            return self.text()
        if tag in (LIST, TUPLE, DICT):
            return self._container(tag, depth)
        return self._described(tag)

    def _described(self, tag: int) -> Array | Opaque | int:
        if tag == LARGE:
            return self._large()
        if tag == ARRAY:
            return self._array()
        if tag == OPAQUE:
            return self._opaque()
        raise MalformedError("a value has an unknown kind")

    def _container(self, tag: int, depth: int) -> Any:
        count = self._u32()
        self._items += count
        if depth >= MAX_DEPTH or self._items > MAX_ITEMS:
            raise MalformedError("a container is deeper or longer than may cross")
        if tag == DICT:
            return {self._key(): self._value(depth + 1) for _ in range(count)}
        items = [self._value(depth + 1) for _ in range(count)]
        return items if tag == LIST else tuple(items)

    def _key(self) -> str:
        if self.take(1)[0] != STR:
            raise MalformedError("a dict's key is not a text")
        return self.text()

    def _opaque(self) -> Opaque:
        handle, kind = HEADER.unpack(self.take(8))
        if self.take(1)[0] != STR or kind > TOO_LARGE:
            raise MalformedError("an object is described in an unknown way")
        return Opaque(handle, kind, self.text(_NAME))

    def _large(self) -> int:
        length = self._u32()
        if length > MAX_INTEGER_BYTES:
            raise MalformedError("an integer is larger than may cross")
        return int.from_bytes(self.take(length), "little", signed=True)

    def _array(self) -> Array:
        dtype, dimensions = self.take(2)
        if dtype >= len(ARRAY_TYPES) or dimensions > MAX_DIMENSIONS:
            raise MalformedError("an array has an unknown type or too many dimensions")
        shape = tuple(self._u32() for _ in range(dimensions))
        length = self._u32()
        if length > MAX_ARRAY_REPLY:
            raise MalformedError("an array is larger than may cross")
        return Array(ARRAY_TYPES[dtype], shape, self.take(length))


def decode_error(reader: Reader) -> RaisedError:
    """Return the error that the rest of an error reply describes."""
    position = LENGTH.unpack(reader.take(4))[0]
    kind, class_name, message = reader.text(_NAME), reader.text(_NAME), reader.text(_TEXT)
    if kind not in _BUILTIN_ERRORS:  # a class that passes for a builtin could be named after a hidden input
        raise MalformedError("an error is of no kind that Python has")
    count = reader.take(1)[0]
    if count > MAX_FRAMES:
        raise MalformedError("an error has more frames than may cross")
    frames = [(reader.text(_NAME), LENGTH.unpack(reader.take(4))[0], reader.text(_NAME)) for _ in range(count)]
    return RaisedError(position, kind, class_name, message, tuple(frames))


def decode_reply(frame: bytes, sequence: int) -> Any:
    """Return the value or the RaisedError of a reply (without its length), or raise MalformedError.

    The reply must answer the request numbered `sequence` and end where the frame ends.
    """
    if len(frame) < 5:
        raise MalformedError("a reply is shorter than its header")
    answered, status = struct.unpack_from("<IB", frame)
    if answered != sequence or status not in (OK, ERROR):
        raise MalformedError("a reply answers something that was not asked")
    reader = Reader(frame, 5)
    result = reader.value() if status == OK else decode_error(reader)
    if not reader.at_end:
        raise MalformedError("a reply is longer than its value")
    return result
