"""Writing what a class regrade leaves, so that a disk that is full or read-only costs nothing that was finished."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from ...errors import AutograderError
from ...files import whole_file

_BEGUN = re.compile(r"\..+\.(json|csv|html|zip|md|film)\.[a-z0-9_]{8}")  # how tempfile names what whole_file writes


class OutputError(AutograderError):
    """A file of the output could not be written: the disk is full, or read-only."""


def write_output(path: Path, data: bytes) -> None:
    """Write one file in one step.

    Raises OutputError that says what to do if the file cannot be written; the old file stays.
    """
    with output_file(path) as file:
        file.write(data)


def remove_output(path: Path) -> None:
    """Remove one file, if it is there. Raises OutputError if it cannot be removed."""
    try:
        path.unlink(missing_ok=True)
    except OSError as problem:
        raise OutputError(f"{path} could not be removed: {problem.strerror or problem}") from None


def remove_unfinished(directory: Path) -> None:
    """Remove what a writer that was killed had begun, in `directory` and below it."""
    for file in directory.rglob(".*"):
        if _BEGUN.fullmatch(file.name):
            with contextlib.suppress(OSError):
                file.unlink()


@contextlib.contextmanager
def output_file(path: Path) -> Iterator[BinaryIO]:
    """Give a file to write that takes the place of `path` at the end.

    Raises OutputError that says what to do if the file cannot be written; the old file stays.
    """
    try:
        with whole_file(path) as file:
            yield file
    except OSError as problem:
        raise OutputError(
            f"{path} could not be written: {problem.strerror or problem}. What was finished before is kept; "
            "make room, and the same command goes on from there"
        ) from None
