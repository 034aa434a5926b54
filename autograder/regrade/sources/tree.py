"""A source as a tree of names, whether it is a folder or a zip.

A zip is never unpacked: its members are read where they are, each with a cap, and by names that lead nowhere.
"""

from __future__ import annotations

import os
import stat
import zipfile
from collections import defaultdict
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import BinaryIO, Protocol

import msgspec
from msgspec.structs import replace

from ...errors import AutograderError
from ...submission import archive
from ...submission.archive import is_folder, is_zip, member_entry
from ...submission.folder import file_entry, folder_entries, open_regular
from ...submission.intake import MAX_DEPTH, MAX_ENTRIES, UploadEntry, is_junk, tidy
from ...text import one_line

MAX_MEMBERS = 1_000_000  # of the zip of a class
MAX_DIRECTORY_BYTES = 256 << 20  # of its names and numbers
_LEVELS = 2 * MAX_DEPTH  # of folders that can be looked into by themselves


class Child(msgspec.Struct, frozen=True, order=True):
    """One name in a folder of a source."""

    name: str
    is_folder: bool
    is_link: bool = False


class Place(msgspec.Struct, frozen=True):
    """Where a tree lies: another process can open it there again."""

    source: Path
    folder: str = ""  # in it


class Tree(Protocol):
    """The names below a source, and the bytes behind them. Paths are relative, with `/`; "" is the source itself."""

    name: str
    place: Place

    def children(self, folder: str) -> list[Child]:
        """Return what lies in a folder, sorted by name; junk that systems leave behind is not listed."""

    def entries(self, path: str) -> Iterator[UploadEntry]:
        """Yield every file below the folder `path`, its own path relative to it; or the file `path` by its name."""

    def open(self, path: str) -> BinaryIO:
        """Open one file for reading."""


class FolderTree:
    """A folder on disk. A link in it is named and never followed."""

    def __init__(self, root: Path) -> None:
        self.name, self.place, self._root = root.name, Place(root), root

    def children(self, folder: str) -> list[Child]:
        """See Tree. A folder in it that may not be listed is said to be empty: reading it says why it cannot be."""
        try:
            with os.scandir(self._root / folder) as found:
                modes = [(item.name, item.stat(follow_symlinks=False).st_mode) for item in found]
        except PermissionError:
            if not folder:
                raise
            return []
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
        return open_regular(self._root / path)


class ZipTree:
    """A zip of a whole class."""

    def __init__(self, file: Path, opened: BinaryIO | None = None) -> None:
        """Read the names in `file`, or in what was `opened` from within another source."""
        self.name, self.place = file.name, Place(file)
        self._archive = _archive(file, opened)
        self._folders: dict[str, set[Child]] = defaultdict(set)
        self._members: dict[str, list[zipfile.ZipInfo]] = defaultdict(list)  # of each file and, in order, each folder
        for member in self._archive.infolist():
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
        member = self._members[path][-1]
        if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):  # the others unfold without a bound
            raise AutograderError(f"{one_line(path)} in {one_line(self.name)} is packed as no system for courses does")
        return self._archive.open(member)  # type: ignore[return-value]  # typeshed calls it IO[bytes]

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
        self.place = Place(tree.place.source, f"{tree.place.folder}/{folder}".strip("/"))

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
    with open_regular(source) as file:
        if not is_zip(file.read(4)):
            raise AutograderError(f"{one_line(str(source))} is neither a folder nor a zip")
    return ZipTree(source)


def tree_at(place: Place) -> Tree:
    """Return the tree at a place, or raise what `open_tree` raises."""
    tree = open_tree(place.source)
    return Below(tree, place.folder) if place.folder else tree


def _archive(file: Path, opened: BinaryIO | None) -> zipfile.ZipFile:
    """Return the zip of a class, or raise AutograderError; what its directory claims is looked at before it is parsed.

    What was `opened` within another source is a student's: it has a student's limits.
    """
    members, size = (MAX_ENTRIES, archive.MAX_DIRECTORY_BYTES) if opened else (MAX_MEMBERS, MAX_DIRECTORY_BYTES)
    try:
        with nullcontext(opened) if opened else file.open("rb") as stream:
            claimed = archive.claimed_directory(stream)
        if claimed and (claimed.members > members or claimed.size > size):
            raise AutograderError(
                f"{one_line(str(file))} lists more than {members:,} files, or names of more than {size >> 20} MiB. "
                "Unpack it and give the folder: there, each submission has limits of its own"
            )
        return zipfile.ZipFile(opened or file)
    except archive.BROKEN as problem:
        words = f"{one_line(str(file))} cannot be read as a zip ({one_line(str(problem))}); download it again"
        raise AutograderError(words) from None


def _ignored(name: str) -> bool:
    return is_junk(name) and name != ".git"  # which tells a clone from a folder
