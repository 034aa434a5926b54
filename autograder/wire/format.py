"""What crosses between the grader and a worker: fixed binary frames and a closed set of values.

A *request* is a batch of operations with one reply, the value of the last operation or the first
error. Both sides import this file; it imports only the standard library, little of it, because the
worker's start-up is paid by every submission. Nothing read here selects code by name, every length
is bounded before anything is allocated, and only the exact builtin types cross:

    None  bool  int (14,000 bits)  float  str  list  tuple  dict (str keys)  array  handle

A handle is a number by which one side's object is known to the other.

    request   length u32 | sequence u32 | a batch of operations (batch.py)
    reply     length u32 | sequence u32 | status u8 | value, or an error

Integers and floats are little-endian. `length` counts what follows it.
"""

from __future__ import annotations

import struct

TYPE_CHECKING = False  # typing's own constant costs its import, 8 ms in every worker
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

LOAD, CALL, METHOD, GETATTR, SETATTR, READ, RESET, EXAMINE, TRACE, EXIT, SLICE = range(1, 12)

# Python's own operators: functions of the module `operator`, with underscores around them, or builtins. The position
# is the code.
OPERATORS = (
    *("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul"),
    *("iadd", "isub", "imul", "itruediv", "ifloordiv", "imod", "ipow", "imatmul"),
    *("neg", "pos", "abs", "getitem", "setitem", "delitem"),
    *("and", "or", "xor", "lshift", "rshift", "iand", "ior", "ixor", "ilshift", "irshift", "invert", "divmod"),
    *("eq", "ne", "lt", "le", "gt", "ge", "contains"),
    *("bool", "float", "int", "index", "str", "repr", "format", "hash", "len", "round", "iter", "next", "reversed"),
)
FIRST_OPERATOR = 32
OPERATOR_CODES = {name: FIRST_OPERATOR + position for position, name in enumerate(OPERATORS)}

MAX_REPLY = 64 << 10  # without arrays
MAX_ARRAY_REPLY = 8 << 20
MAX_ITEMS = 10_000
MAX_DEPTH = 5
MAX_TEXT = 4096
MAX_NAME = 64
MAX_INTEGER_BITS = 14_000  # factorial(1000) has 8,530; Python itself writes out some 14,280 at most
MAX_INTEGER_BYTES = MAX_INTEGER_BITS // 8 + 1
MAX_FRAMES = 8
FIRST_OBJECT = 1024  # smaller handles name modules and survive a RESET
FIRST_FOREIGN = 1 << 31  # handles that a worker gave out by itself, for objects inside a list

NONE, FALSE, TRUE, INT, FLOAT, HANDLE, STR, LIST, TUPLE, DICT, ARRAY, OPAQUE, LARGE = range(13)
OK, ERROR = 0, 1
CONFINED = b"\x01"  # a worker's first byte: every layer is on, and nothing of the submission was read yet
OTHER, CLASS, CALLABLE, TOO_LARGE = range(4)  # what kind of object an opaque value is, or that it is a plain one

ARRAY_TYPES = ("float64", "int64", "int32", "uint8", "bool")
MAX_DIMENSIONS = 8

LENGTH = struct.Struct("<I")
HEADER = struct.Struct("<II")
SPAWNED = struct.Struct("<i?")  # the worker, as the zygote sees it; True if the kernel says who that is
ENDED = struct.Struct("<iiqq")  # from the zygote: exit code, was it killed there, CPU milliseconds, peak KiB
_TAGGED_INT = struct.Struct("<Bq")
_TAGGED_FLOAT = struct.Struct("<Bd")
_TAGGED_U32 = struct.Struct("<BI")
_SINGLE = {None: bytes((NONE,)), False: bytes((FALSE,)), True: bytes((TRUE,))}


class MalformedError(ValueError):
    """Bytes that are not what this module describes."""


class Handle(int):
    """The number of an object that lives on the other side, or is known there by it."""

    __slots__ = ()


class Opaque:
    """An object that may not cross: what is known of it instead."""

    __slots__ = ("handle", "kind", "type_name")

    def __init__(self, handle: int, kind: int, type_name: str) -> None:
        self.handle, self.kind, self.type_name = handle, kind, type_name


class Array:
    """An array as plain data: the name of its type, its shape, and its bytes in C order."""

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
        return _SINGLE[value]
    if kind is int and value.bit_length() <= MAX_INTEGER_BITS:
        data: bytes = value.to_bytes(value.bit_length() // 8 + 1, "little", signed=True)
        return _TAGGED_U32.pack(LARGE, len(data)) + data
    if kind is str and len(value) <= MAX_TEXT:
        return _text(STR, value)
    if kind in (list, tuple, dict) and depth < MAX_DEPTH and len(value) <= MAX_ITEMS:
        return _container(value, opaque, depth)
    return _array(value) if kind is Array else _foreign(value, opaque)


def _foreign(value: Any, opaque: Callable[[Any], Opaque | Array | None] | None) -> bytes:
    known = opaque(value) if opaque else None
    if isinstance(known, Array):
        return _array(known)
    if known is None:
        raise TypeError(f"a {type(value).__name__} may not cross to the submission's process")
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


def encode_error(error: RaisedError) -> bytes:
    """Return what follows the status byte of an error reply."""
    head = LENGTH.pack(error.position) + _plain(error.kind, MAX_NAME) + _plain(error.class_name, MAX_NAME)
    frames = error.frames[-MAX_FRAMES:]
    body = _plain(error.message, MAX_TEXT) + bytes((len(frames),))
    return head + body + b"".join(_plain(f, MAX_NAME) + LENGTH.pack(n) + _plain(w, MAX_NAME) for f, n, w in frames)


def _plain(text: str, limit: int) -> bytes:
    data = text[:limit].encode("utf-8", "backslashreplace")
    return LENGTH.pack(len(data)) + data
