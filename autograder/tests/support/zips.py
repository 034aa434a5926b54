"""Zips that no tool makes: directories that lie, members that share their bytes."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable
from pathlib import Path

STORED, DEFLATED = 0, 8
_LOCAL = "<4s5H3L2H"
_CENTRAL = "<4s6H3L5H2L"
_END = "<4s4H2LH"


def local(name: bytes, packed: bytes, data: bytes, method: int = STORED) -> bytes:
    """Return a member as it lies in a zip: its header, its name and its packed bytes."""
    numbers = (20, 0, method, 0, 0, zlib.crc32(data), len(packed), len(data), len(name), 0)
    return struct.pack(_LOCAL, b"PK\x03\x04", *numbers) + name + packed


def listed(name: bytes, packed_size: int, data: bytes, offset: int, method: int = STORED) -> bytes:
    """Return the directory's line for a member that lies at `offset`."""
    numbers = (20, 20, 0, method, 0, 0, zlib.crc32(data), packed_size, len(data), len(name), 0, 0, 0, 0, 0, offset)
    return struct.pack(_CENTRAL, b"PK\x01\x02", *numbers) + name


def whole(body: bytes, lines: Iterable[bytes], claimed: int | None = None) -> bytes:
    """Return a zip of members and lines of a directory, which may claim another number of them."""
    lines = list(lines)
    directory = b"".join(lines)
    count = len(lines) if claimed is None else claimed
    end = struct.pack(_END, b"PK\x05\x06", 0, 0, count, count, len(directory), len(body), 0)
    return body + directory + end


def of_one_member(name: bytes, data: bytes, times: int, claimed: int | None = None) -> bytes:
    """Return a zip that lists one and the same member many times."""
    return whole(local(name, data, data), [listed(name, len(data), data, 0)] * times, claimed)


def of_one_name(name: bytes, data: bytes, times: int) -> bytes:
    """Return a zip of many members that have the same name and data, each with bytes of its own."""
    deflate = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    packed = deflate.compress(data) + deflate.flush()
    member = local(name, packed, data, DEFLATED)
    lines = [listed(name, len(packed), data, place * len(member), DEFLATED) for place in range(times)]
    return whole(member * times, lines)


def overlapping(names: Iterable[str], kernel: bytes) -> bytes:
    """Return a zip whose members lie in each other: each holds all that follow, and the last the `kernel`."""
    data, found = kernel, list[tuple[bytes, bytes, int]]()
    for name in [name.encode() for name in reversed(list(names))]:
        found.append((name, data, len(data)))
        data = local(name, data, data)
    end = len(data)
    lines = [listed(name, size, own, end - size - len(name) - struct.calcsize(_LOCAL)) for name, own, size in found]
    return whole(data, lines)


def of_names(names: Iterable[bytes]) -> bytes:
    """Return a zip that only lists names, without a member behind them."""
    return whole(b"PK\x03\x04" + bytes(26), [listed(name, 0, b"", 0) for name in names])


def written(path: Path, data: bytes) -> Path:
    """Write `data` to `path` and return the path."""
    path.write_bytes(data)
    return path
