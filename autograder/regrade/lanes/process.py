"""A process of ours as its coordinator sees it: it takes messages on one pipe and answers on another."""

from __future__ import annotations

import select
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from .frames import Inbox, write_message

_PACKAGE = Path(__file__).parents[3]  # where `autograder` lies: a lane starts there, never among submissions
_TAIL = 600  # characters of what a lane that died had to say


class Process:
    """One lane, or the reader, as its coordinator sees it."""

    def __init__(self, module: str, first: bytes = b"") -> None:
        """Start `module`, and send it a `first` message if there is one."""
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the process
        self._process = subprocess.Popen(
            [sys.executable, "-m", module],
            cwd=_PACKAGE,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            bufsize=0,
            start_new_session=True,  # Ctrl-C is the coordinator's: what is under way is finished
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._to, self._from = self._process.stdin, self._process.stdout
        self._inbox = Inbox(self._from.fileno())
        if first:
            self.send(first)

    def send(self, message: bytes) -> None:
        """Send one message; a process that is gone is noticed when its answer is read."""
        try:
            write_message(self._to.fileno(), message, inbox=self._inbox)
        except BrokenPipeError:
            return

    def receive(self, seconds: float) -> bytes | None:
        """Return the next message; None if the process has ended, or has not answered in time and is ended."""
        deadline = time.monotonic() + seconds
        while (message := self._inbox.next()) is None and not self._inbox.closed:
            if not select.select([self._inbox.descriptor], [], [], max(deadline - time.monotonic(), 0))[0]:
                self._process.kill()
                return None
            self._inbox.pump()
        return message

    def last_words(self) -> str:
        """End the process, and return the end of what it wrote to stderr."""
        self._process.kill()
        status = self._process.wait()
        self._errors.seek(0)
        text = self._errors.read().decode("utf-8", "replace").strip()
        self.close()
        return f"exit code {status}" + (f": …{text[-_TAIL:]}" if text else "")

    def finish(self) -> None:
        """Let the process end, without waiting for it."""
        self._to.close()

    def close(self) -> None:
        """Let the process end, and wait for it."""
        self.finish()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._from.close()
        self._errors.close()
