"""The reader: the process that reads what was handed in, so that no submission can hold or end the coordinator.

    coordinator ── request ──→ reader (sources open) ── fork ──→ reads one submission; killed at a deadline
                ←── reply ───                        ←─ bytes ─

Usage (by Reader only): python -m autograder.regrade.lanes.reader
"""

from __future__ import annotations

import functools
import os
from pathlib import Path

import msgspec

from ...errors import AutograderError, UnreadError
from ...submission.apart import READING_SECONDS, read_apart
from ..sources.delivery import Delivery
from ..sources.found import FoundSubmission, Part
from ..sources.recognition import Located
from ..sources.tree import Place, Tree, tree_at
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


def reply_to(request: ReadRequest, *, seconds: float = READING_SECONDS) -> bytes:
    """Return the encoded reply to one request: what a fork of this process could read within `seconds`."""
    try:
        tree = _tree(_text(request.source), _text(request.folder))
        parts = tuple(Part(path=_text(path), name=_text(name)) for path, name in request.parts)
        located = Located(FoundSubmission(id=request.id, parts=parts), tree)
        return read_apart(functools.partial(_read, located), seconds)
    except AutograderError as problem:
        return msgspec.msgpack.encode(ReadReply(problem=str(problem)))
    except OSError as problem:
        return msgspec.msgpack.encode(ReadReply(problem=_vanished(problem)))


def _read(located: Located) -> bytes:
    try:
        return msgspec.msgpack.encode(ReadReply(delivery=located.delivery()))
    except OSError as problem:
        return msgspec.msgpack.encode(ReadReply(problem=_vanished(problem)))


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


def _vanished(problem: OSError) -> str:
    return f"its files cannot be read: {problem.strerror or problem}"


def main() -> None:
    """Serve the coordinator at the other end of standard input and output."""
    inbox, outbox = Inbox(os.dup(0)), os.dup(1)
    os.dup2(2, 1)
    while (message := inbox.wait()) is not None:
        write_message(outbox, reply_to(msgspec.msgpack.decode(message, type=ReadRequest)))


if __name__ == "__main__":
    main()
