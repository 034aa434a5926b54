"""Has a grading process ended that no signal of its own can interrupt: worker/watchdog.py is the other end.

The deadlines of our own side are signals, and Python looks for them between two steps of its own: a single call into C
(`sum(range(10**12))`) may last for hours between them. So a process outside waits until the run's time is over.
"""

from __future__ import annotations

import contextlib
import ctypes
import mmap
import os
import signal
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

from ..temporary import shared_memory, temporary_prefix
from ..wire.framing import framed
from ..worker.watchdog import noted
from .commands import WatchOrder

SLACK_SECONDS = 10.0  # beyond the run's own limit, at which a process that still works has ended by itself
JOURNAL_BYTES = 1 << 20  # mapped, not used: a page is taken when something is written there
_EXITS = getattr(signal, "SIGQUIT", 0)  # its number, 3, is the exit status of a run that failed on our side


class Journal:
    """Which tests of a run are over and which is under way: other processes read it, and no system call writes it."""

    def __init__(self, file: int = -1) -> None:
        """Keep it in a file, for other processes; or without one, for forks of this process."""
        self._page = mmap.mmap(file, JOURNAL_BYTES)

    def begin(self, test: str) -> None:
        """Note that a test is under way."""
        self._write(f"{test}\t")

    def end(self, status: str) -> None:
        """Note how the test under way ended."""
        self._write(f"{status}\n")

    def clear(self) -> None:
        """Forget what was noted, before another submission."""
        used = self._page.tell()
        self._page[:used] = bytes(used)
        self._page.seek(0)

    @property
    def under_way(self) -> str:
        """Return the test that is under way; an empty name if there is none."""
        return noted(self._page[: self._page.find(b"\0")])[1]

    def _write(self, text: str) -> None:
        data = text.encode("utf-8", "replace")
        if self._page.tell() + len(data) < JOURNAL_BYTES:  # the last byte stays zero
            self._page.write(data)


class Watchdog:
    """What watches the calling process from `begin` until the block is left."""

    def __init__(self, provisional: Path | None = None) -> None:
        """`provisional` is a file of results that a run which did not end must not leave: its zeros judge nobody."""
        self._provisional = provisional
        self._ends = contextlib.ExitStack()
        self._file = shared_memory(JOURNAL_BYTES)
        self._ends.callback(os.close, self._file)
        self.journal = Journal(self._file)

    def begin(self, watch: Callable[[Iterable[int]], None], seconds: float) -> None:
        """End this process if it is still in the block when `seconds`, and some more, have passed.

        `watch` is a sandbox's.
        """
        order = WatchOrder(
            grader=os.getpid(),
            seconds=seconds,
            slack=SLACK_SECONDS,
            provisional=str(self._provisional.absolute()) if self._provisional else "",
            temporary=str(Path(tempfile.gettempdir()) / temporary_prefix()),
        )
        reader, writer = os.pipe()
        self._ends.callback(os.close, writer)
        try:
            os.write(writer, framed(order.encoded()))
            watch([reader, self._file])
        finally:
            os.close(reader)
        self._ends.callback(_handle, _handle(_address_of_exit()))

    def __enter__(self) -> Watchdog:
        return self

    def __exit__(self, *_exception: object) -> None:
        self._ends.close()


def _address_of_exit() -> int | None:
    return ctypes.cast(ctypes.CDLL(None)._exit, ctypes.c_void_p).value


def _handle(handler: int | None) -> int | None:
    """Let the C function at an address handle the signal: it needs no Python. Return the address of the one before."""
    libc = ctypes.CDLL(None)
    libc.signal.argtypes, libc.signal.restype = (ctypes.c_int, ctypes.c_void_p), ctypes.c_void_p
    before: int | None = libc.signal(_EXITS, handler)
    return before
