"""The grader's end of a worker's pipes: whole frames within a limit of CPU seconds, whatever the other side does.

Writing, reading and draining the worker's output happen in one poll loop, so neither a worker that
does not read, nor one that prints without end, nor one that answers a byte at a time can hold the
grader past the limit or make it keep more than its caps.
"""

from __future__ import annotations

import math
import os
import select
import time

from ..errors import AutograderError, ProtocolError, SandboxError, WorkerCrash, WorkerTimeout
from ..wire import format as wire
from ..wire.framing import FrameBuffer, framed
from .cpu_clock import Meter

_CHUNK = 1 << 16
_POLLIN_OR_END = select.POLLIN | select.POLLHUP | select.POLLERR


class Channel:
    """Requests out, replies in, printed output aside."""

    def __init__(self, requests: int, replies: int, output: int, *, output_limit: int, pid: int | None = None) -> None:
        """Take ownership of the grader's ends of the three pipes; keep `output_limit` bytes of output.

        `pid` is the worker's process, whose CPU time limits count; without it they count wall time.
        """
        self._requests, self._replies, self._output = requests, replies, output
        self._output_limit = output_limit
        self._kept = bytearray()
        self._dropped = 0
        self._sequence = 0
        self._unsent = memoryview(b"")
        self._output_open = True
        self._confined = False
        self.max_reply = wire.MAX_REPLY
        self.meter = Meter(pid)
        self.run_end = math.inf  # when the whole run must be over, by time.monotonic
        for descriptor in (requests, replies, output):
            os.set_blocking(descriptor, False)
        self._poll = select.poll()
        self._poll.register(replies, _POLLIN_OR_END)
        self._poll.register(output, _POLLIN_OR_END)

    def send(self, operations: bytes) -> None:
        """Begin to send one batch; `receive` sends what does not fit into the pipe at once."""
        if self._replied():
            raise ProtocolError("the worker sent bytes that nobody asked for")
        self._sequence += 1
        self._unsent = self._write(memoryview(framed(wire.LENGTH.pack(self._sequence) + operations)))

    def receive(self, seconds: float) -> bytes:
        """Return the reply frame to the batch sent last, or raise WorkerTimeout, WorkerCrash or ProtocolError.

        `seconds` are those of the meter: CPU seconds of the worker, or ten times as many of the wall.
        A worker that ends before it is confined is the grader's failure: SandboxError.
        """
        self.meter.start()
        try:
            return self._reply(seconds)
        finally:
            self.meter.read()

    def _reply(self, seconds: float) -> bytes:
        received = FrameBuffer(self.max_reply)
        left = seconds
        if self._unsent:
            self._poll.register(self._requests, select.POLLOUT)
        while True:
            ready = self._wait(seconds, left)
            if self._output in ready:
                self._drain()
            if self._requests in ready:
                self._send_more()
            if self._replies in ready and (frame := self._arrived(received)) is not None:
                return frame
            left = seconds - self.meter.read()

    def _send_more(self) -> None:
        self._unsent = self._write(self._unsent)
        if not self._unsent:
            self._poll.unregister(self._requests)

    def _arrived(self, received: FrameBuffer) -> bytes | None:
        """Add what came on the reply pipe to what was `received`; return the reply once all of it is there."""
        part = self._replied()
        if part == b"":
            raise self._ended()
        received.add(part or b"")
        return _only(received)

    @property
    def sequence(self) -> int:
        """Return the number of the last request."""
        return self._sequence

    def _wait(self, seconds: float, left: float) -> list[int]:
        """Return the descriptors that are ready, or raise WorkerTimeout when `seconds`, or the run's, are used up.

        `left` of the seconds are left now.
        """
        while left > 0 and (run_left := self.run_end - time.monotonic()) > 0:
            ready = self._poll.poll(min(self.meter.next_look(left), run_left) * 1000)
            if ready:
                return [descriptor for descriptor, _ in ready]
            left = seconds - self.meter.read()
        raise WorkerTimeout("the worker did not answer in time")

    def _write(self, unsent: memoryview) -> memoryview:
        try:
            return unsent[os.write(self._requests, unsent) :]
        except BlockingIOError:
            return unsent
        except BrokenPipeError:
            raise self._ended() from None

    def _replied(self) -> bytes | None:
        """Return what came on the reply pipe, without the byte by which a worker says that it is confined."""
        part = self._read(self._replies)
        if part and not self._confined:
            self._confined, part = True, part[1:] or None
        return part

    def _ended(self) -> AutograderError:
        """Return whose fault it is that the worker is gone: its own, once it was confined."""
        if self._confined:
            return WorkerCrash("the worker's process ended")
        return SandboxError(f"a worker could not be confined; it said: {self.take_output().strip() or 'nothing'}")

    def _read(self, descriptor: int) -> bytes | None:
        """Return what can be read now, b"" at the end of the pipe, None when nothing is there."""
        try:
            return os.read(descriptor, _CHUNK)
        except BlockingIOError:
            return None

    def _drain(self) -> None:
        part = self._read(self._output)
        if part == b"":
            self._output_open = False
            self._poll.unregister(self._output)
        if not part:
            return
        room = self._output_limit - len(self._kept)
        self._kept += part[: max(room, 0)]
        self._dropped += len(part) - max(min(room, len(part)), 0)

    def take_output(self) -> str:
        """Return what the worker printed since the last call, capped, and say how much was left out."""
        while self._output_open:
            before = len(self._kept) + self._dropped
            self._drain()
            if len(self._kept) + self._dropped == before or self._dropped:
                break
        text = self._kept.decode("utf-8", "backslashreplace")
        if self._dropped:
            text += f"\n… {self._dropped:,} more bytes of output left out"
        self._kept, self._dropped = bytearray(), 0
        return text

    def close(self) -> None:
        """Close the grader's ends."""
        for descriptor in (self._requests, self._replies, self._output):
            os.close(descriptor)


def _only(received: FrameBuffer) -> bytes | None:
    """Return the reply once all of it is there; refuse one that is too long before it is read, and a second one."""
    try:
        frame = received.next()
    except wire.MalformedError as problem:
        raise ProtocolError(f"the worker announced a reply that is too long ({problem})") from None
    if frame is not None and len(received) > 0:
        raise ProtocolError("the worker sent more than one reply")
    return frame
