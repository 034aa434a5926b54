"""The grader's handle on one confined process, and what connects the two."""

from __future__ import annotations

import contextlib
import mmap
import os
from typing import Any

import msgspec

from ..errors import ProtocolError
from ..temporary import shared_memory
from ..wire import format as wire
from ..wire import reader
from ..wire.batch import encode_batch
from .channel import Channel


class Ending(msgspec.Struct, frozen=True, kw_only=True):
    """How a worker's process ended."""

    exit_code: int  # negative: the signal that ended it
    killed: bool  # by the grader
    cpu_seconds: float
    peak_mb: float

    @property
    def in_words(self) -> str:
        """Return how it ended, as staff read it."""
        return f"signal {-self.exit_code}" if self.exit_code < 0 else f"exit code {self.exit_code}"


class Worker:
    """One confined process that holds one copy of the submission's modules."""

    def __init__(self, pid: int, number: int, uid: int, channel: Channel, progress: int) -> None:
        """`number` is its pid as the zygote sees it, which may be in another process namespace."""
        self.pid, self.number, self.uid, self.channel = pid, number, uid, channel
        self._progress = progress
        self.loading = ""  # the module whose import was begun last
        self.modules: dict[str, tuple[int, dict[str, int]]] = {}  # handle and names of each that is loaded

    def exchange(self, operations: bytes, seconds: float) -> Any:
        """Return the value or the RaisedError that a batch of operations ends with.

        Raise WorkerTimeout, WorkerCrash or ProtocolError; after any of them the worker is of no more use.
        """
        self.channel.send(operations)
        return self.receive(seconds)

    def load(self, name: str, handle: int) -> None:
        """Begin to import a module of the submission, under `handle`; `receive` returns its names."""
        self.loading = name
        self.channel.send(encode_batch([(wire.LOAD, handle, (name,))]))

    def receive(self, seconds: float) -> Any:
        """Return what `exchange` returns, for what was sent last: one worker is made ready while another is asked."""
        frame = self.channel.receive(seconds)
        try:
            return reader.decode_reply(frame, self.channel.sequence)
        except wire.MalformedError as problem:
            raise ProtocolError(str(problem)) from None

    @property
    def used(self) -> float:
        """Return the seconds that it has used, as limits count them."""
        return self.channel.meter.used

    @property
    def position(self) -> int:
        """Return the position, in the last batch, of the operation that the worker says it was at."""
        # Read as a file: the worker may truncate it, and a page that is mapped and gone would kill the grader.
        return int.from_bytes(os.pread(self._progress, 4, 0), "little")

    def close(self) -> None:
        """Close the pipes; the process sees the end of its requests and leaves."""
        self.channel.close()
        os.close(self._progress)


def pipe(theirs: contextlib.ExitStack, *, keep_reader: bool) -> tuple[int, int]:
    """Return a pipe's (read, write) ends; the worker's end is closed here when it has been handed over."""
    reader, writer = os.pipe()
    theirs.callback(os.close, writer if keep_reader else reader)
    return reader, writer


def shared_page() -> int:
    """Return a descriptor of a page that the worker maps into its memory, and writes its progress to."""
    return shared_memory(mmap.PAGESIZE)
