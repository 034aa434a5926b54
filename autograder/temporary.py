"""Temporary directories, and memory that is shared: what a killed process left can be told, and is removed.

A directory is held by a lock on the directory itself. The kernel gives that up with the process, however it ended; a
number of a process would be another's some day, and means nothing in another container that shares the folder.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import stat
import tempfile
import time
from itertools import islice
from pathlib import Path

LEAST_AGE = 3600.0  # seconds since a directory was touched: one just made may not be held yet
_MOST = 100  # that one run removes
_NAME = re.compile(r"autograder-(\d{10}-(self-test-)?|(class|similar|assignment)-)[a-z0-9_]{8}")


def temporary_prefix() -> str:
    """Return how the names of this process' temporary directories begin; of one length, whatever the process."""
    return f"autograder-{os.getpid():010}-"


class HeldDirectory(tempfile.TemporaryDirectory[str]):
    """A temporary directory that this process and its forks hold until it is removed."""

    def __init__(self, prefix: str) -> None:
        """Make it. Raises OSError if the temporary folder takes none."""
        super().__init__(prefix=prefix, ignore_cleanup_errors=True)
        self._held = _hold(self.name)

    def cleanup(self) -> None:
        """Remove it, and give it up."""
        super().cleanup()
        if self._held is not None:
            os.close(self._held)
            self._held = None


def shared_memory(size: int) -> int:
    """Return a descriptor of `size` bytes, all 0, that processes map together.

    Where the system has no such memory it is a file, whose room is taken now: on a disk that is full later, whoever
    writes to a page of it would be killed. Raises OSError if there is no room.
    """
    if hasattr(os, "memfd_create"):
        with contextlib.suppress(OSError):  # a kernel or a container that has none
            descriptor = os.memfd_create("autograder")
            os.ftruncate(descriptor, size)
            return descriptor
    with tempfile.TemporaryFile() as file:
        file.write(bytes(size))
        file.flush()
        return os.dup(file.fileno())


def remove_left() -> None:
    """Remove directories of this user in the temporary folder that nobody holds: their processes were killed.

    What is younger than LEAST_AGE stays, and so does everything where the system knows no locks. No link is followed.
    """
    if not hasattr(os, "geteuid"):  # Windows
        return
    with contextlib.suppress(OSError), os.scandir(tempfile.gettempdir()) as found:
        old = (Path(entry.path) for entry in found if _NAME.fullmatch(entry.name) and _is_old(entry))
        for directory in list(islice(old, _MOST)):
            held = _hold(str(directory))
            if held is not None:
                shutil.rmtree(directory, ignore_errors=True)
                os.close(held)


def _is_old(entry: os.DirEntry[str]) -> bool:
    try:
        status = entry.stat(follow_symlinks=False)
    except OSError:  # removed meanwhile
        return False
    is_own = stat.S_ISDIR(status.st_mode) and status.st_uid == os.geteuid()
    return is_own and status.st_mtime < time.time() - LEAST_AGE


def _hold(directory: str) -> int | None:
    """Return a descriptor that holds a directory; None if another process holds it, or it cannot be held."""
    try:
        import fcntl
    except ImportError:  # Windows
        return None
    try:
        descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        return None
    return descriptor
