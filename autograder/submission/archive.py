"""A zip as it was handed in, listed and read without trusting one of its numbers.

zipfile builds an object for each name before it returns, and unfolds bzip2 and LZMA without a bound: the directory is
measured first, and only stored and deflated members are read.
"""

from __future__ import annotations

import stat
import struct
import zipfile
import zlib
from functools import partial
from typing import BinaryIO

from ..errors import SubmissionError
from ..text import one_line
from .intake import LINK, MAX_ENTRIES, SPECIAL, UploadEntry

MAX_ARCHIVE_BYTES = 128 << 20  # Gradescope takes no upload above 100 MB
MAX_DIRECTORY_BYTES = 8 << 20
_END = b"PK\x05\x06"
_END_BYTES = 22
_LOCATOR = b"PK\x06\x07"  # of a 64-bit directory, whose numbers override the ordinary ones
_LOCATOR_BYTES = 20
_ENCRYPTED = 0x1
_UNREADABLE = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, ValueError, RuntimeError)


def is_zip(head: bytes) -> bool:
    """Return whether a file that begins with `head` is a zip, whatever its name."""
    return head.startswith((b"PK\x03\x04", _END))


def archive_entries(stream: BinaryIO, name: str) -> list[UploadEntry]:
    """Return the members of the zip `stream` but for folders. `name` is what a message calls it.

    Raises SubmissionError when it is damaged or too large; a member that is encrypted or damaged raises when read.
    """
    _check_directory(stream, name)
    try:
        archive = zipfile.ZipFile(stream)
    except _UNREADABLE:
        raise _damaged(name) from None
    return [member_entry(archive, member, name) for member in archive.infolist() if not is_folder(member)]


def _check_directory(stream: BinaryIO, name: str) -> None:
    """Raise SubmissionError when any directory that a reader may find at the end claims too much."""
    size = stream.seek(0, 2)
    if size > MAX_ARCHIVE_BYTES:
        raise SubmissionError(f"{one_line(name)} is larger than {MAX_ARCHIVE_BYTES >> 20} MiB; hand in .py files alone")
    stream.seek(max(0, size - (1 << 16) - _END_BYTES - _LOCATOR_BYTES))
    tail = stream.read()
    place = tail.rfind(_END)
    if place < 0:
        raise _damaged(name)
    while place >= 0:
        record = tail[place : place + _END_BYTES]
        wide = tail[max(0, place - _LOCATOR_BYTES) : place].startswith(_LOCATOR)
        if len(record) == _END_BYTES:
            count, length = struct.unpack_from("<10xHL", record)
            if wide or count > MAX_ENTRIES or length > MAX_DIRECTORY_BYTES:
                raise SubmissionError(f"{one_line(name)} lists more files than any homework; hand in .py files alone")
        place = tail.rfind(_END, 0, place)
    stream.seek(0)


def member_entry(archive: zipfile.ZipFile, member: zipfile.ZipInfo, name: str) -> UploadEntry:
    """Return one member of an open archive as an entry, refused when it is a link or no regular file."""
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
    try:
        with archive.open(member) as file:
            data = file.read(limit + 1)
    except _UNREADABLE:
        raise _damaged(name, inner) from None
    if len(data) <= limit and len(data) != member.file_size:
        raise _damaged(name, inner)
    return data


def is_folder(member: zipfile.ZipInfo) -> bool:
    """Return whether a member stands for a folder."""
    return member.filename.endswith(("/", "\\")) or stat.S_ISDIR(member.external_attr >> 16)


def _damaged(name: str, inner: str = "") -> SubmissionError:
    what = f"{inner} in it cannot be read" if inner else "it is no complete zip"
    return SubmissionError(f"{one_line(name)} is damaged: {what}; make the zip again, or hand in the .py files alone")
