"""A zip as it was handed in, listed and read without trusting any of its numbers.

zipfile builds an object for each name before it returns, and unfolds bzip2 and LZMA without a bound: the directory is
measured first, and only stored and deflated members are read.
"""

from __future__ import annotations

import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator
from functools import partial
from operator import itemgetter
from typing import BinaryIO

import msgspec

from ..errors import SubmissionError
from ..text import one_line
from .intake import LINK, MAX_ENTRIES, SPECIAL, UploadEntry

MAX_ARCHIVE_BYTES = 128 << 20  # Gradescope takes no upload above 100 MB
MAX_DIRECTORY_BYTES = 8 << 20
_END = b"PK\x05\x06"
_END_BYTES = 22
_LOCATOR = b"PK\x06\x07"  # of a 64-bit directory, whose numbers override the ordinary ones
_LOCATOR_BYTES = 20
_WIDE = b"PK\x06\x06"
_WIDE_BYTES = 56
_GROWTH = 1024  # bytes by which deflating may lengthen a file, beside an eighth: zlib adds less than a thousandth
_ENCRYPTED = 0x1
BROKEN = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, ValueError, RuntimeError)


def is_zip(head: bytes) -> bool:
    """Return True if a file that begins with `head` is a zip, whatever its name."""
    return head.startswith((b"PK\x03\x04", _END))


def archive_entries(stream: BinaryIO, name: str) -> list[UploadEntry]:
    """Return the members of the zip `stream` but for folders. `name` is what a message calls it.

    Raises SubmissionError if it is damaged or too large; a member that is encrypted or damaged raises when it is read.
    """
    if stream.seek(0, 2) > MAX_ARCHIVE_BYTES:
        raise SubmissionError(f"{one_line(name)} is larger than {MAX_ARCHIVE_BYTES >> 20} MiB; hand in .py files alone")
    claimed = claimed_directory(stream)
    if claimed is None:
        raise _damaged(name)
    if claimed.members > MAX_ENTRIES or claimed.size > MAX_DIRECTORY_BYTES:
        raise SubmissionError(f"{one_line(name)} lists more files than any homework; hand in .py files alone")
    try:
        archive = zipfile.ZipFile(stream)
    except BROKEN:
        raise _damaged(name) from None
    return [member_entry(archive, member, name) for member in archive.infolist() if not is_folder(member)]


class Directory(msgspec.Struct, frozen=True, kw_only=True):
    """What the directory of a zip claims of itself. Its size bounds what is parsed; the number of members may lie."""

    members: int
    size: int  # bytes


def claimed_directory(stream: BinaryIO) -> Directory | None:
    """Return the largest claims of the directories that zipfile may choose from at the end; None if there is none.

    A zip that lies within this one, stored and near its end, has a directory too: what that claims is its own.
    """
    size = stream.seek(0, 2)
    start = max(0, size - (1 << 16) - _END_BYTES - _LOCATOR_BYTES - _WIDE_BYTES)
    stream.seek(start)
    tail = stream.read(size - start)
    places = {tail.rfind(_END), len(tail) - _END_BYTES}  # the last, unless one without a comment ends the file
    claims = list[tuple[int, int]]()
    for place in places:
        if tail.startswith(_END, max(0, place)) and len(tail) - place >= _END_BYTES:
            claims.append(struct.unpack_from("<10xHL", tail, place))
            claims += _wide_claims(stream, size, tail, place - _LOCATOR_BYTES)
    stream.seek(0)
    return Directory(members=max(map(itemgetter(0), claims)), size=max(map(itemgetter(1), claims))) if claims else None


def _wide_claims(stream: BinaryIO, size: int, tail: bytes, locator: int) -> Iterator[tuple[int, int]]:
    """Yield the claims of a 64-bit directory, which lies where its locator says, or right before it.

    Versions of zipfile differ in where they look. `locator` is a place in `tail`, the end of a zip of `size` bytes.
    """
    if locator < 0 or not tail.startswith(_LOCATOR, locator):
        return
    (offset,) = struct.unpack_from("<8xQ", tail, locator)
    stream.seek(min(offset, size))
    for record in (tail[max(0, locator - _WIDE_BYTES) : locator], stream.read(_WIDE_BYTES)):
        if len(record) == _WIDE_BYTES and record.startswith(_WIDE):
            yield struct.unpack_from("<32xQQ", record)


def member_entry(archive: zipfile.ZipFile, member: zipfile.ZipInfo, name: str) -> UploadEntry:
    """Return one member of an open archive as an entry, refused if it is a link or not a regular file."""
    mode = member.external_attr >> 16
    kind = stat.S_IFMT(mode)
    refusal = LINK if stat.S_ISLNK(mode) else SPECIAL if kind not in (0, stat.S_IFREG) else ""
    return UploadEntry(member.filename, member.file_size, partial(_read, archive, member, name), refusal)


def _read(archive: zipfile.ZipFile, member: zipfile.ZipInfo, name: str, limit: int) -> bytes:
    """Return up to `limit` + 1 bytes of one member, or raise SubmissionError that says what to do."""
    inner = one_line(member.filename)
    if member.flag_bits & _ENCRYPTED:
        raise SubmissionError(f"{one_line(name)} is protected by a password; make the zip without one")
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise SubmissionError(
            f"{inner} in {one_line(name)} is packed in an unusual way; make the zip with your system's own Compress"
        )
    if member.compress_size > member.file_size + member.file_size // 8 + _GROWTH:
        raise _damaged(name, inner)  # blocks that unfold to nothing would be read to the end of the zip
    try:
        with archive.open(member) as file:
            data = file.read(limit + 1)
    except BROKEN:
        raise _damaged(name, inner) from None
    if len(data) <= limit and len(data) != member.file_size:
        raise _damaged(name, inner)
    return data


def is_folder(member: zipfile.ZipInfo) -> bool:
    """Return True if a member stands for a folder."""
    return member.filename.endswith(("/", "\\")) or stat.S_ISDIR(member.external_attr >> 16)


def _damaged(name: str, inner: str = "") -> SubmissionError:
    what = f"{inner} in it cannot be read" if inner else "it is not a complete zip"
    return SubmissionError(f"{one_line(name)} is damaged: {what}; make the zip again, or hand in the .py files alone")
