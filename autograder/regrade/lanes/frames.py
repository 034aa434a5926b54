"""Messages between the coordinator and its lanes: a length, then so many bytes. Both ends are the grader's own."""

from __future__ import annotations

import os
import select
from collections.abc import Iterable

from ...wire.framing import FrameBuffer, framed


class Inbox:
    """What arrives at a descriptor, message by message."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor, self.closed = descriptor, False
        self._received = FrameBuffer()

    def pump(self) -> None:
        """Take what has arrived; wait if there is nothing yet. At the end of the stream, be closed."""
        data = os.read(self.descriptor, 1 << 16)
        self._received.add(data)
        self.closed = not data

    def next(self) -> bytes | None:
        """Return the next whole message, or None if it has not arrived."""
        return self._received.next()

    def wait(self) -> bytes | None:
        """Return the next message, or None if the other end was closed before it was complete."""
        while (message := self.next()) is None and not self.closed:
            self.pump()
        return message


def write_message(descriptor: int, message: bytes, *, inbox: Inbox | None = None) -> None:
    """Write a whole message; meanwhile take what arrives in `inbox`, so that two ends that write never deadlock."""
    view = memoryview(framed(message))
    os.set_blocking(descriptor, False)
    while view:
        sources = [inbox.descriptor] if inbox and not inbox.closed else []
        readable, writable, _ = select.select(sources, [descriptor], [])
        if readable and inbox:
            inbox.pump()
        if writable:
            view = view[os.write(descriptor, view) :]


def read_ready(descriptor: int, inbox: Inbox, seconds: float) -> bool:
    """Wait up to `seconds` and take what arrives in `inbox`; return True if `descriptor` can be read."""
    sources: Iterable[int] = [descriptor] if inbox.closed else [descriptor, inbox.descriptor]
    readable, _, _ = select.select(sources, [], [], max(seconds, 0))
    if inbox.descriptor in readable:
        inbox.pump()
    return descriptor in readable
