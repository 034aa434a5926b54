"""Messages between the coordinator and its lanes: a length, then so many bytes. Both ends are the grader's own."""

from __future__ import annotations

import os
import select
from collections.abc import Iterable

_HEAD = 4


class Inbox:
    """What arrives at a descriptor, message by message."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor, self.closed = descriptor, False
        self._received = bytearray()

    def pump(self) -> None:
        """Take what has arrived; wait when there is nothing yet. At the end of the stream, be closed."""
        data = os.read(self.descriptor, 1 << 16)
        self._received += data
        self.closed = not data

    def next(self) -> bytes | None:
        """Return the next whole message, or None when it has not arrived."""
        length = int.from_bytes(self._received[:_HEAD], "little")
        if len(self._received) < _HEAD + length or len(self._received) < _HEAD:
            return None
        message = bytes(self._received[_HEAD : _HEAD + length])
        del self._received[: _HEAD + length]
        return message

    def wait(self) -> bytes | None:
        """Return the next message, or None when the other end was closed before it was complete."""
        while (message := self.next()) is None and not self.closed:
            self.pump()
        return message


def write_all(descriptor: int, data: bytes, *, inbox: Inbox | None = None) -> None:
    """Write all of `data`; meanwhile take what arrives in `inbox`, so that two ends that write do not wait for ever."""
    view = memoryview(data)
    os.set_blocking(descriptor, False)
    while view:
        sources = [inbox.descriptor] if inbox and not inbox.closed else []
        readable, writable, _ = select.select(sources, [descriptor], [])
        if readable and inbox:
            inbox.pump()
        if writable:
            view = view[os.write(descriptor, view) :]


def read_ready(descriptor: int, inbox: Inbox, seconds: float) -> bool:
    """Wait up to `seconds` for `descriptor` and take what arrives in `inbox`; say whether `descriptor` can be read."""
    sources: Iterable[int] = [descriptor] if inbox.closed else [descriptor, inbox.descriptor]
    readable, _, _ = select.select(sources, [], [], max(seconds, 0))
    if inbox.descriptor in readable:
        inbox.pump()
    return descriptor in readable
