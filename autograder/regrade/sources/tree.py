"""A source as a tree of names, whether it is a folder or a zip.

A zip is never unpacked: its members are read where they are, each with a cap, and by names that lead nowhere.
"""

from __future__ import annotations

import os
import stat
import zipfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Protocol

import msgspec
from msgspec.structs import replace

from ...errors import AutograderError
from ...submission.archive import is_folder, is_zip, member_entry
from ...submission.folder import file_entry, folder_entries
from ...submission.intake import MAX_DEPTH, UploadEntry, is_junk, tidy
from ...text import one_line

MAX_MEMBERS = 1_000_000  # of the zip of a class
_LEVELS = 2 * MAX_DEPTH  # of folders that can be looked into by themselves


class Child(msgspec.Struct, frozen=True, order=True):
    """One name in a folder of a source."""

    name: str
    is_folder: bool
    is_link: bool = False


class Tree(Protocol):
    """The names below a source, and the bytes behind them. Paths are relative, with `/`; "" is the source itself."""

    name: str

    def children(self, folder: str) -> list[Child]:
        """Return what lies in a folder, sorted by name; junk that systems leave behind is not listed."""

    def entries(self, path: str) -> Iterator[UploadEntry]:
        """Yield every file below the folder `path`, its own path relative to it; or the file `path` by its name."""

    def open(self, path: str) -> BinaryIO:
        """Open one file for reading."""


class FolderTree:
    """A folder on disk. A link in it is named and never followed."""

    def __init__(self, root: Path) -> None:
        self.name, self._root = root.name, root

    def children(self, folder: str) -> list[Child]:
        """See Tree."""
        with os.scandir(self._root / folder) as found:
            modes = [(item.name, item.stat(follow_symlinks=False).st_mode) for item in found]
        return sorted(Child(name, stat.S_ISDIR(m), stat.S_ISLNK(m)) for name, m in modes if not _ignored(name))

    def entries(self, path: str) -> Iterator[UploadEntry]:
        """See Tree."""
        place = self._root / path
        if place.is_dir() and not place.is_symlink():
            yield from folder_entries(place)
        else:
            yield file_entry(place)

    def open(self, path: str) -> BinaryIO:
        """See Tree."""
        return (self._root / path).open("rb")


class ZipTree:
    """A zip of a whole class."""

    def __init__(self, file: Path, opened: BinaryIO | None = None) -> None:
        """Read the names in `file`, or in what was `opened` from within another source."""
        self.name = file.name
        try:
            self._archive = zipfile.ZipFile(opened or file)
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as problem:
            raise AutograderError(f"{file} cannot be read as a zip ({problem}); download it again") from None
        members = self._archive.infolist()
        if len(members) > MAX_MEMBERS:
            raise AutograderError(f"{file} lists more than {MAX_MEMBERS:,} files: is it the export of one assignment?")
        self._folders: dict[str, set[Child]] = defaultdict(set)
        self._members: dict[str, list[zipfile.ZipInfo]] = defaultdict(list)  # of each file and, in order, each folder
        for member in members:
            self._add(tidy(member.filename), member)

    def children(self, folder: str) -> list[Child]:
        """See Tree."""
        return sorted(self._folders[folder])

    def entries(self, path: str) -> Iterator[UploadEntry]:
        """See Tree."""
        for member in self._members[path]:
            entry, inside = member_entry(self._archive, member, self.name), tidy(member.filename)
            yield replace(entry, path=inside[len(path) :].lstrip("/") or inside.rpartition("/")[2])

    def open(self, path: str) -> BinaryIO:
        """See Tree."""
        return self._archive.open(self._members[path][-1])  # type: ignore[return-value]  # typeshed calls it IO[bytes]

    def _add(self, path: str, member: zipfile.ZipInfo) -> None:
        """File one member under each of its folders; a path that leads out of the zip is under none."""
        parts = path.split("/")
        if not path or any(_ignored(part) for part in parts if part != ".git"):
            return
        for depth in range(1, min(len(parts), _LEVELS) + 1):
            folder, name = "/".join(parts[: depth - 1]), parts[depth - 1]
            inner = depth < len(parts) or is_folder(member)
            self._folders[folder].add(Child(name, inner))
        for depth in range(min(len(parts), _LEVELS) + 1) if not is_folder(member) else ():
            self._members["/".join(parts[:depth])].append(member)


class Below:
    """The part of a tree that lies in one of its folders."""

    def __init__(self, tree: Tree, folder: str) -> None:
        self.name, self._tree, self._folder = folder.rpartition("/")[2], tree, folder

    def children(self, folder: str) -> list[Child]:
        """See Tree."""
        return self._tree.children(self._path(folder))

    def entries(self, path: str) -> Iterator[UploadEntry]:
        """See Tree."""
        return self._tree.entries(self._path(path))

    def open(self, path: str) -> BinaryIO:
        """See Tree."""
        return self._tree.open(self._path(path))

    def _path(self, path: str) -> str:
        return f"{self._folder}/{path}".strip("/")


def open_tree(source: Path) -> Tree:
    """Return `source`, a folder or a zip, as a tree, or raise AutograderError that says what it is instead."""
    if source.is_dir():
        return FolderTree(source)
    with source.open("rb") as file:
        if not is_zip(file.read(4)):
            raise AutograderError(f"{one_line(str(source))} is neither a folder nor a zip")
    return ZipTree(source)


def _ignored(name: str) -> bool:
    return is_junk(name) and name != ".git"  # which tells a clone from a folder
