"""A fork of a lane or of the reader, in which a few submissions are graded or read one after another.

A crash in it costs one submission. What it used of memory goes with it, so that a thousand submissions need no more
than a few. A fork for each would take longer, grading by a tenth and reading by five times: what is copied when it is
first written is copied once in a fork.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import time
import traceback
from collections.abc import Callable

from .frames import Inbox, read_ready, write_message

_PDEATHSIG = 1  # of prctl(2): a signal when the parent ends
_SHARE = 16  # submissions


class ForkEnded(Exception):
    """A fork ended before it answered, by itself or because its time was over."""

    def __init__(self, words: str, *, late: bool) -> None:
        super().__init__(words)
        self.late = late


class Fork:
    """One fork of this process, which does its share of the work."""

    def __init__(self, work: Callable[[bytes], bytes], *, name: str, doing: str) -> None:
        """Fork. In the fork, `work` answers each message until this end is closed.

        How it ended is said of its `name`, or of what it was `doing`: "grading it".
        """
        self._name, self._doing = name, doing
        questions, self._questions = os.pipe()
        answers, writer = os.pipe()
        self._inbox, self._left = Inbox(answers), _SHARE
        parent = os.getpid()
        self._pid = os.fork()
        if self._pid == 0:
            os.close(self._questions)
            os.close(answers)
            _serve(work, questions, writer, parent)
        os.close(questions)
        os.close(writer)

    @property
    def used_up(self) -> bool:
        """Return True if it has done its share."""
        return self._left == 0

    def ask(self, message: bytes, seconds: float, inbox: Inbox, *, slack: float = 0.0) -> bytes:
        """Return the answer to one message; meanwhile take what arrives in the inbox of this process.

        Raises ForkEnded if the fork ends, or has not answered `slack` seconds after its limit of `seconds`; and
        BrokenPipeError if the inbox is closed: nobody waits for the answer any more.
        """
        self._left -= 1
        deadline = time.monotonic() + seconds + slack
        with contextlib.suppress(BrokenPipeError):  # noticed below, at the other pipe
            write_message(self._questions, message, inbox=inbox)
        while (answer := self._inbox.next()) is None:
            left = deadline - time.monotonic()
            if self._inbox.closed:
                raise ForkEnded(f"{self._name} ended with {self._status()}", late=False)
            if inbox.closed:
                raise BrokenPipeError
            if left <= 0:
                raise ForkEnded(f"{self._doing} took longer than {seconds:g} s", late=True)
            if read_ready(self._inbox.descriptor, inbox, left):
                self._inbox.pump()
        return answer

    def end(self) -> None:
        """End it. Between two questions it has nothing to lose."""
        os.close(self._questions)
        os.close(self._inbox.descriptor)
        if self._pid:
            os.kill(self._pid, signal.SIGKILL)
            self._status()

    def _status(self) -> str:
        """Wait for its end, and return in words how it came."""
        status = os.waitstatus_to_exitcode(os.waitpid(self._pid, 0)[1])
        self._pid = 0
        return f"signal {-status}" if status < 0 else f"exit code {status}"


def _serve(work: Callable[[bytes], bytes], questions: int, answers: int, parent: int) -> None:
    """Answer until there are no more messages, and end this process in any case."""
    status = 1
    try:
        _end_with(parent)
        inbox = Inbox(questions)
        while (message := inbox.wait()) is not None:
            write_message(answers, work(message))
        status = 0
    except BaseException:  # noqa: BLE001 - whatever it is, this process must end here
        traceback.print_exc()
    finally:
        os._exit(status)


def _end_with(parent: int) -> None:
    """Have this process killed when `parent`, which forked it, ends; if that has happened, end now."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != parent:
            os._exit(1)
