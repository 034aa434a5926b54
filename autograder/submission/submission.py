"""From what a student handed in to a Submission: the files that are graded, alone in a fresh directory.

Honest deviations (a folder too many, `Engine.py`, a copy's number, an old encoding) are taken and noted; they cost
nothing. What could change how the grader works is left out and noted, and staff are told.
"""

from __future__ import annotations

import hashlib
import io
import os
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO

import msgspec
from msgspec.structs import replace

from ..assignment import Assignment
from ..errors import SubmissionError
from ..failure import Failure
from ..model import Diagnosis, Flag, Note
from ..text import one_line
from .apart import READING_SECONDS, read_apart
from .folder import file_entry, folder_entries, open_regular
from .intake import Upload, UploadEntry, filter_entries
from .selection import Selection, select

MAX_NESTED_BYTES = 32 << 20


class Submission(msgspec.Struct, frozen=True, kw_only=True):
    """The files of one student that are graded, copied into a directory of their own."""

    directory: Path  # holds these files alone: 0755, files 0644, UTF-8 with newlines
    files: tuple[str, ...]  # relative POSIX paths, sorted
    notes: tuple[Note, ...]
    flags: tuple[Flag, ...]
    digest: str  # sha256 over names and bytes

    def line(self, file: str, number: int) -> str:
        """Return line `number` of `file`, stripped, or "" if there is no such line. Any text is a valid `file`."""
        lines = self.text(file).split("\n")
        return lines[number - 1].strip() if 1 <= number <= len(lines) else ""

    def text(self, file: str) -> str:
        """Return the text of `file`, or "" if there is no such file. Any text is a valid `file`."""
        return (self.directory / file).read_text(encoding="utf-8") if file in self.files else ""

    def shown_line(self, diagnosis: Diagnosis) -> Diagnosis:
        """Return a diagnosis with the text of the line it names; without a line if the files have no such line."""
        line = diagnosis.line
        text = self.line(line.file, line.line) if line else ""
        return replace(diagnosis, line=replace(line, text=text) if line and text else None)

    def located(self, failure: Failure) -> Failure:
        """Return `failure` with the text of each frame's line; a line that does not exist keeps none."""
        frames = tuple(replace(frame, text=self.line(frame.file, frame.line)) for frame in failure.frames)
        return replace(failure, frames=frames)


class _Read(msgspec.Struct, frozen=True, kw_only=True):
    """A Submission as it comes from the process that read it."""

    files: tuple[str, ...]
    notes: tuple[Note, ...]
    flags: tuple[Flag, ...]
    digest: str


def read_submission(
    source: Path, *, assignment: Assignment, into: Path, seconds: float = READING_SECONDS
) -> Submission:
    """Return the submission that `source`, a directory, a .py file or a zip, holds, copied into the directory `into`.

    `into` is created, or is empty. A `source` that is itself a link is refused: resolve a path that is trusted first.
    It is read in another process. Raises SubmissionError, whose sentence is meant for the student, if no submission
    can be made of it; and UnreadError if that is not known within `seconds`.
    """

    def read() -> bytes:
        own = materialise(read_upload(source), assignment=assignment, into=into)
        return msgspec.msgpack.encode(_Read(files=own.files, notes=own.notes, flags=own.flags, digest=own.digest))

    done = msgspec.msgpack.decode(read_apart(read, seconds), type=_Read)
    return Submission(directory=into, files=done.files, notes=done.notes, flags=done.flags, digest=done.digest)


def read_upload(source: Path) -> Upload:
    """Return what `source` holds of a submission, read and capped; see `read_submission` for what it raises."""
    with ExitStack() as stack:
        return read_entries(_entries(source, stack))


def read_entries(entries: Iterable[UploadEntry]) -> Upload:
    """Return what is read of `entries`: of the only zip among them if there is nothing else to grade."""
    with ExitStack() as stack:
        handed = filter_entries(entries)
        return _zipped_again(handed, stack) or handed


def materialise(handed: Upload, *, assignment: Assignment, into: Path) -> Submission:
    """Return the submission that `handed` makes, copied into the directory `into`; see `read_submission`."""
    selection = select(handed, assignment)
    into.mkdir(parents=True, exist_ok=True)
    if any(into.iterdir()):
        raise FileExistsError(f"{into} is not empty")
    into.chmod(0o755)
    for path, data in selection.files.items():
        _write(into, path, data)
    return Submission(
        directory=into,
        files=tuple(sorted(selection.files)),
        notes=selection.notes + _unopened(handed),
        flags=selection.flags,
        digest=_digest(selection),
    )


def _entries(source: Path, stack: ExitStack) -> Iterable[UploadEntry]:
    """Return what `source` lists; what must stay open while it is read is left to `stack`."""
    if source.is_symlink():
        raise SubmissionError(f"{one_line(source.name)} is a link; hand in the file or the folder itself")
    if source.is_dir():
        return folder_entries(source)
    if not source.exists():
        raise SubmissionError(f"{one_line(str(source))} does not exist")
    from .archive import is_zip  # with zipfile, 5 ms that a folder does without

    entry = file_entry(source)
    if source.suffix.casefold() == ".zip" or is_zip(entry.read(4)):
        return _unzipped(stack.enter_context(open_regular(source)), source.name, stack)
    return [entry]


def _zipped_again(handed: Upload, stack: ExitStack) -> Upload | None:
    """Return what the only zip holds, if there is nothing else to grade: students zip their zips."""
    zips = [entry for entry in handed.archives if entry.path.casefold().endswith(".zip")]
    if handed.files or len(zips) != 1:
        return None
    data = zips[0].read(MAX_NESTED_BYTES)
    if len(data) > MAX_NESTED_BYTES:
        raise SubmissionError(
            f"{one_line(zips[0].path)} is larger than {MAX_NESTED_BYTES >> 20} MiB; hand in the .py files alone"
        )
    return filter_entries(_unzipped(io.BytesIO(data), zips[0].path, stack))


def _unzipped(stream: BinaryIO, name: str, stack: ExitStack) -> list[UploadEntry]:
    stack.callback(stream.close)
    from .archive import archive_entries

    return archive_entries(stream, name)


def _unopened(handed: Upload) -> tuple[Note, ...]:
    if not handed.archives:
        return ()
    names = ", ".join(one_line(entry.path, 80) for entry in handed.archives[:3])
    return (Note(title=f"Not opened: {names}", text="Python files lie beside it, and those were taken."),)


def _write(root: Path, path: str, data: bytes) -> None:
    """Write one new file below `root`, world-readable whatever the umask, and nothing that existed."""
    target = root / path
    for parent in reversed(target.relative_to(root).parents[:-1]):
        (root / parent).mkdir(exist_ok=True)
        (root / parent).chmod(0o755)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    with os.fdopen(os.open(target, flags, 0o644), "wb") as file:
        file.write(data)
    target.chmod(0o644)


def _digest(selection: Selection) -> str:
    """Return the sha256 over the names and bytes of all files, each with its length, in the order of names."""
    digest = hashlib.sha256()
    for path, data in sorted(selection.files.items()):
        for part in (path.encode("utf-8"), data):
            digest.update(len(part).to_bytes(8, "little") + part)
    return digest.hexdigest()
