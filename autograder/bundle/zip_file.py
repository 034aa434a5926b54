"""A zip whose bytes depend on its members alone: not on the clock, the file system, Python or zlib."""

from __future__ import annotations

import io
import stat
import zipfile
from collections.abc import Iterable
from pathlib import Path

import msgspec

from ..errors import AssignmentError

_MOMENT = (1980, 1, 1, 0, 0, 0)  # the earliest time that a zip can hold
_UNIX = 3  # the system whose permissions the attributes are: with another one, the exec bit would be lost


class ZipMember(msgspec.Struct, frozen=True):
    """One file of a zip."""

    name: str  # with forward slashes, relative
    content: bytes
    executable: bool = False


def zip_bytes(members: Iterable[ZipMember]) -> bytes:
    """Return the zip of `members`, sorted by name.

    They are stored, not compressed: two versions of zlib compress a text to different bytes, and the zip is small.
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

    Raises AssignmentError for a symbolic link, whose target may lie anywhere.
    """
    members: list[ZipMember] = []
    for path in sorted(directory.rglob("*")):
        name = path.relative_to(directory)
        if any(part.startswith(".") or part == "__pycache__" for part in name.parts):
            continue
        if path.is_symlink():
            raise AssignmentError(
                f"{path} is a link, and the zip would not hold its target: replace the link by a copy of the file"
            )
        if path.is_file():
            members.append(ZipMember(prefix + name.as_posix(), path.read_bytes()))
    return members
