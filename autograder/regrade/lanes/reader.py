"""The reader: the process that reads what was handed in, so that no submission can hold or end the coordinator.

    coordinator ── request ──→ reader (sources open) ── fork ──→ reads a few, one at a time; killed at a deadline
                ←── reply ───                        ←─ reply ─

Usage (by Reader only): python -m autograder.regrade.lanes.reader
"""

from __future__ import annotations

import contextlib
import functools
import os
from pathlib import Path

import msgspec

from ... import quiet_collector
from ...errors import AutograderError, UnreadError
from ...submission.apart import READING_SECONDS, plain_words
from ..sources.delivery import Delivery
from ..sources.found import FoundSubmission, Part
from ..sources.recognition import Located
from ..sources.tree import Place, Tree, tree_at
from .fork import Fork, ForkEnded
from .frames import Inbox, write_message
from .messages import ReadReply, ReadRequest
from .process import Process

_SLACK_SECONDS = 120.0  # to start, and to open the zip of a class


class Reader:
    """The reader as its coordinator sees it. It is started again if it ends."""

    def __init__(self) -> None:
        self._process = _new_process()

    def delivery(self, located: Located) -> Delivery:
        """Return what was handed in, or raise AutograderError with why it could not be read."""
        self._process.send(msgspec.msgpack.encode(_request(located)))
        message = self._process.receive(READING_SECONDS + _SLACK_SECONDS)
        if message is None:
            words = self._process.last_words()
            self._process = _new_process()
            raise UnreadError(f"it could not be read: the reader ended ({words})")
        reply = msgspec.msgpack.decode(message, type=ReadReply)
        if reply.delivery is None:
            raise UnreadError(reply.problem)
        return reply.delivery

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.close()


class Readings:
    """Replies to requests from a fork of this process, which is killed at the deadline of one and replaced."""

    def __init__(self, inbox: Inbox, *, seconds: float = READING_SECONDS) -> None:
        """Reply within `seconds`, as long as the `inbox` from which requests come is open."""
        self._inbox, self._seconds = inbox, seconds
        self._fork: Fork | None = None

    def reply_to(self, message: bytes) -> bytes:
        """Return the encoded reply to one encoded request."""
        if self._fork is None:
            _opened(message)  # here, for all forks to come
            self._fork = Fork(_reply, name="the process that read it", doing="reading it")
        fork, self._fork = self._fork, None
        try:
            reply = fork.ask(message, self._seconds, self._inbox)
        except ForkEnded as problem:
            fork.end()
            return msgspec.msgpack.encode(ReadReply(problem=f"it could not be read: {problem}"))
        if fork.used_up:
            fork.end()
        else:
            self._fork = fork
        return reply

    def __enter__(self) -> Readings:
        return self

    def __exit__(self, *_: object) -> None:
        if self._fork is not None:
            self._fork.end()


def _reply(message: bytes) -> bytes:
    """Return the reply to one request, in a fork; it has no other effect on those that come after it."""
    return msgspec.msgpack.encode(_read(msgspec.msgpack.decode(message, type=ReadRequest)))


def _read(request: ReadRequest) -> ReadReply:
    try:
        parts = tuple(Part(path=_text(path), name=_text(name)) for path, name in request.parts)
        tree = _tree(_text(request.source), _text(request.folder))
        return ReadReply(delivery=Located(FoundSubmission(id=request.id, parts=parts), tree).delivery())
    except AutograderError as problem:
        return ReadReply(problem=plain_words(problem))
    except OSError as problem:
        return ReadReply(problem=f"its files cannot be read: {problem.strerror or problem}")
    except Exception as problem:  # noqa: BLE001 - of whatever kind: it costs one submission
        return ReadReply(problem=f"it could not be read: {type(problem).__name__}: {plain_words(problem)}")


def _opened(message: bytes) -> None:
    """Open the source that a request names; what is wrong with it is said in the reply."""
    request = msgspec.msgpack.decode(message, type=ReadRequest)
    with contextlib.suppress(AutograderError, OSError):
        _tree(_text(request.source), _text(request.folder))


def _new_process() -> Process:
    return Process("autograder.regrade.lanes.reader")


def _request(located: Located) -> ReadRequest:
    place = located.tree.place
    return ReadRequest(
        id=located.found.id,
        source=_bytes(str(place.source)),
        folder=_bytes(place.folder),
        parts=tuple((_bytes(part.path), _bytes(part.name)) for part in located.found.parts),
    )


@functools.cache
def _tree(source: str, folder: str) -> Tree:
    return tree_at(Place(Path(source), folder))


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogatepass")


def main(*, seconds: float = READING_SECONDS) -> None:
    """Serve the coordinator at the other end of standard input and output."""
    inbox, outbox = Inbox(os.dup(0)), os.dup(1)
    os.dup2(2, 1)
    quiet_collector()
    with contextlib.suppress(BrokenPipeError), Readings(inbox, seconds=seconds) as readings:  # nobody waits any more
        while (message := inbox.wait()) is not None:
            write_message(outbox, readings.reply_to(message))


if __name__ == "__main__":
    main()
