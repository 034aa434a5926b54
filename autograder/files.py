"""Files that are whole or not there: whoever reads one finds the old content or the new, whenever the writer dies."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO


def write_whole(path: Path, data: bytes) -> None:
    """Write `data` to `path` in one step; after any error the old file stays, and nothing beside it.

    Raises OSError if the disk is full or the directory cannot be written.
    """
    with whole_file(path) as file:
        file.write(data)


@contextlib.contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """Give a file to write that takes the place of `path` at the end; after any error the old file stays.

    Raises OSError if the disk is full or the directory cannot be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(0o644)  # mkstemp gives 0600; who reads it need not be who wrote it
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    sync_directory(path.parent)


def sync_directory(directory: Path) -> None:
    """Make a rename or a removal in `directory` survive a power cut, where the system can."""
    with contextlib.suppress(OSError):  # Windows opens no directory, some file systems sync none
        descriptor = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
