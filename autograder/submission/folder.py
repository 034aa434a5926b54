"""A folder as it was handed in, listed without following a single link."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from ..errors import SubmissionError, UnreadError
from ..text import one_line
from .intake import DEEP, LINK, MAX_DEPTH, MAX_ENTRIES, SPECIAL, UploadEntry, is_junk

_NO_LINKS = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)  # Windows has neither
_NO_WAITING = getattr(os, "O_NONBLOCK", 0)  # a FIFO put there after the listing must not hold the grader


def folder_entries(root: Path) -> Iterator[UploadEntry]:
    """Yield every file below `root`, sorted in each folder; junk folders are not entered."""
    waiting = [""]
    count = 0
    while waiting:
        folder = waiting.pop()
        for name, mode, size in _listing(root, folder):
            path = f"{folder}{name}"
            count += 1
            if stat.S_ISDIR(mode) and folder.count("/") >= MAX_DEPTH:
                yield UploadEntry(path, 0, _nothing, DEEP)
            elif stat.S_ISDIR(mode):
                waiting += [] if is_junk(name) else [path + "/"]
            else:
                yield UploadEntry(path, size, partial(read_regular, root / path), _refusal(mode))
        if count > MAX_ENTRIES + 1:
            return  # filter_entries refuses so many


def file_entry(path: Path) -> UploadEntry:
    """Return the single file `path` as an entry.

    Raises SubmissionError if it is a link or not a regular file.
    """
    status = path.lstat()
    refusal = _refusal(status.st_mode)
    if refusal:
        raise SubmissionError(f"{one_line(path.name)} is {refusal}; hand in the file itself")
    return UploadEntry(path.name, status.st_size, partial(read_regular, path))


def read_regular(path: Path, limit: int) -> bytes:
    """Return up to `limit` + 1 bytes of the regular file `path`; never follow a link, never wait.

    Raises UnreadError if it cannot be read: who may is not the student's to say.
    """
    try:
        with open_regular(path) as file:
            return file.read(limit + 1)
    except OSError as problem:
        raise _unread(path.name, problem) from None


def open_regular(path: Path) -> BinaryIO:
    """Open the regular file `path` for reading; never follow a link, never wait for the other end of a pipe.

    Raises SubmissionError if it is something else, and OSError if it cannot be opened.
    """
    file = os.fdopen(os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | _NO_LINKS | _NO_WAITING), "rb")
    if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        return file
    file.close()
    raise SubmissionError(f"{one_line(path.name)} is {SPECIAL}; hand in the file itself")


def _listing(root: Path, folder: str) -> list[tuple[str, int, int]]:
    """Return name, mode and size of everything in `folder`, sorted; of a few more names than may be, if there are."""
    try:
        with os.scandir(root / folder) as found:
            statuses = [(entry.name, entry.stat(follow_symlinks=False)) for entry in islice(found, MAX_ENTRIES + 2)]
    except OSError as problem:
        raise _unread(f"the folder {folder or root.name}", problem) from None
    return sorted((name, status.st_mode, status.st_size) for name, status in statuses)


def _unread(what: str, problem: OSError) -> UnreadError:
    return UnreadError(f"{one_line(what)} cannot be read: {problem.strerror}; let the grader's user read it")


def _refusal(mode: int) -> str:
    if stat.S_ISLNK(mode):
        return LINK
    return "" if stat.S_ISREG(mode) else SPECIAL


def _nothing(_limit: int) -> bytes:
    return b""
