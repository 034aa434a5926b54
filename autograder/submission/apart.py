"""Reads in a process of its own, which is killed at a deadline: a submission cannot hold who grades it.

The caps of this folder bound the work. This bounds what they do not know of: a file system that does not answer, or
input on which Python or zlib is slower than anybody thought.
"""

from __future__ import annotations

import gc
import os
import select
import signal
import time
from collections.abc import Callable

import msgspec

from ..errors import SubmissionError, UnreadError

READING_SECONDS = 30.0  # of the wall; reading takes a hundredth of one


class _Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What the process says at its end."""

    value: bytes = b""
    refusal: str = ""  # the words of a SubmissionError
    failure: str = ""  # of anything else


def read_apart(work: Callable[[], bytes], seconds: float = READING_SECONDS) -> bytes:
    """Return what `work` returns in a fork of this process, which has no other effect here than on files.

    Raises SubmissionError if `work` does, and UnreadError if it raises something else, has not returned in time or
    ends its process. Where processes cannot fork, as on Windows, `work` runs here and has no deadline.
    """
    if not hasattr(os, "fork"):
        return work()
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        _perform(work, writer)
    os.close(writer)
    try:
        data = _all_of(reader, seconds)
    finally:
        os.close(reader)
        os.kill(child, signal.SIGKILL)  # not waited for yet, so the number is still its own
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    try:
        outcome = msgspec.msgpack.decode(data, type=_Outcome)
    except msgspec.DecodeError:
        raise UnreadError(f"it could not be read: the process that read it ended with {_words(status)}") from None
    if outcome.refusal:
        raise SubmissionError(outcome.refusal)
    if outcome.failure:
        raise UnreadError(f"it could not be read: {outcome.failure}")
    return outcome.value


def _all_of(descriptor: int, seconds: float) -> bytes:
    """Return all that is written until the other end is closed, or raise UnreadError at the deadline."""
    deadline, parts = time.monotonic() + seconds, list[bytes]()
    while select.select([descriptor], [], [], max(deadline - time.monotonic(), 0))[0]:
        part = os.read(descriptor, 1 << 20)
        if not part:
            return b"".join(parts)
        parts.append(part)
    raise UnreadError(f"it could not be read: reading it took longer than {seconds:g} s")


def _perform(work: Callable[[], bytes], writer: int) -> None:
    """Write the outcome of `work`, and end this process, whatever happens."""
    status = 1
    try:
        gc.disable()  # a collection would write to every page that is shared with the parent
        with os.fdopen(writer, "wb") as file:
            file.write(msgspec.msgpack.encode(_outcome(work)))
        status = 0
    finally:
        os._exit(status)


def _outcome(work: Callable[[], bytes]) -> _Outcome:
    try:
        return _Outcome(value=work())
    except SubmissionError as problem:
        return _Outcome(refusal=plain_words(problem))
    except UnreadError as problem:
        return _Outcome(failure=plain_words(problem))
    except Exception as problem:  # noqa: BLE001 - of whatever kind: the other process puts it into words
        return _Outcome(failure=f"{type(problem).__name__}: {plain_words(problem)}")


def plain_words(problem: Exception) -> str:
    """Return what a problem says, as text that any encoder takes: names of files need not be text."""
    return str(problem).encode("utf-8", "backslashreplace").decode("utf-8")


def _words(status: int) -> str:
    return f"signal {-status}" if status < 0 else f"exit code {status}"
