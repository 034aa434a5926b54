"""What one member of a class handed in, read and capped: all that a process, or another machine, needs to grade it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import msgspec

from ...errors import SubmissionError
from ...submission.intake import LeftOut, Upload, UploadedFile, UploadEntry
from ...submission.submission import read_entries


class Delivery(msgspec.Struct, frozen=True, kw_only=True):
    """The readable part of one submission, as plain values."""

    id: str
    names: tuple[str, ...] = ()
    files: tuple[UploadedFile, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    archives: tuple[str, ...] = ()  # that lie beside the files, unopened
    unreadable: str = ""  # why no submission can be made of it, in words for the student

    def handed(self) -> Upload:
        """Return what was handed in, or raise the SubmissionError that reading it raised."""
        if self.unreadable:
            raise SubmissionError(self.unreadable)
        archives = tuple(UploadEntry(name, 0, lambda _: b"") for name in self.archives)
        return Upload(names=self.names, files=self.files, left_out=self.left_out, archives=archives)

    @property
    def digest(self) -> str:
        """Return a SHA-256 over everything but the id: two deliveries that agree in it are graded alike."""
        content = (self.names, self.files, self.left_out, self.archives, self.unreadable)
        return hashlib.sha256(msgspec.msgpack.encode(content)).hexdigest()


def delivered(identity: str, entries: Iterable[UploadEntry]) -> Delivery:
    """Return what `entries` hold, as a delivery; one that cannot be read says why.

    Raises OSError if the source itself cannot be read: that says nothing about the submission.
    """
    try:
        handed = read_entries(entries)
    except SubmissionError as problem:
        return Delivery(id=identity, unreadable=_plain(str(problem)))
    return Delivery(
        id=identity,
        names=tuple(map(_plain, handed.names)),
        files=tuple(UploadedFile(_plain(file.path), file.data) for file in handed.files),
        left_out=tuple(LeftOut(_plain(item.path), item.why) for item in handed.left_out),
        archives=tuple(_plain(entry.path) for entry in handed.archives),
    )


def _plain(text: str) -> str:
    """Return `text` with each byte that was no UTF-8 spelt out, as no encoder takes it otherwise."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
