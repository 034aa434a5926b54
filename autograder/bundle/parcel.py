"""A zip whose bytes depend on nothing but its members: not on the clock, the file system, the Python or the zlib."""

from __future__ import annotations

import io
import stat
import zipfile
from collections.abc import Iterable
from pathlib import Path

import msgspec

from ..errors import AssignmentError

_MOMENT = (1980, 1, 1, 0, 0, 0)  # the earliest that a zip can say
_UNIX = 3  # the system that external attributes are read for: only so does an exec bit survive


class ZipMember(msgspec.Struct, frozen=True):
    """One file of a zip."""

    name: str  # with forward slashes, relative
    content: bytes
    executable: bool = False


def zip_bytes(members: Iterable[ZipMember]) -> bytes:
    """Return the zip of `members`, sorted by name.

    They are stored, not compressed: two versions of zlib make different bytes of the same text, and the whole is small.
    """
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for member in sorted(members, key=lambda member: member.name):
            entry = zipfile.ZipInfo(member.name, _MOMENT)
            entry.create_system = _UNIX
            entry.external_attr = (stat.S_IFREG | (0o755 if member.executable else 0o644)) << 16
            archive.writestr(entry, member.content)
    return buffer.getvalue()


def members_of(directory: Path, prefix: str = "") -> list[ZipMember]:
    """Return every file below `directory` as a member, without caches and hidden files, its name after `prefix`.

    Raises AssignmentError for a link: what it points to may lie anywhere.
    """
    members: list[ZipMember] = []
    for path in sorted(directory.rglob("*")):
        name = path.relative_to(directory)
        if any(part.startswith(".") or part == "__pycache__" for part in name.parts):
            continue
        if path.is_symlink():
            raise AssignmentError(f"{path} is a link, and a zip would not hold what it points to: copy the file here")
        if path.is_file():
            members.append(ZipMember(prefix + name.as_posix(), path.read_bytes()))
    return members
