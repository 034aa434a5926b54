"""Length-prefixed frames on a stream of bytes: a length u32, little-endian, and as many bytes.

One reader waits for a frame; the other takes what has arrived, where one process reads several streams.
"""

from __future__ import annotations

from .format import LENGTH, MalformedError

TYPE_CHECKING = False  # typing's own constant costs its import, 8 ms in every worker
if TYPE_CHECKING:
    from collections.abc import Callable


def framed(message: bytes) -> bytes:
    """Return `message` with its length before it, as it crosses a stream."""
    return LENGTH.pack(len(message)) + message


def read_frame(read: Callable[[int], bytes]) -> bytes | None:
    """Return the next frame without its length; None if the stream ends before the frame does.

    `read` waits for bytes and returns at most as many as asked for, b"" at the end of the stream.
    """
    head = _exactly(read, LENGTH.size)
    return None if head is None else _exactly(read, LENGTH.unpack(head)[0])


def _exactly(read: Callable[[int], bytes], count: int) -> bytes | None:
    data = read(count) if count else b""
    if len(data) == count:  # nearly always: a frame is written at once
        return data
    parts = bytearray(data)
    while data and len(parts) < count:
        data = read(count - len(parts))
        parts += data
    return bytes(parts) if len(parts) == count else None


class FrameBuffer:
    """What has arrived of a stream of frames."""

    def __init__(self, longest: int | None = None) -> None:
        """Accept frames of `longest` bytes at most, without their length; of any size if it is None."""
        self.longest = longest
        self._received = bytearray()

    def __len__(self) -> int:
        """Return how many bytes have arrived that no returned frame held."""
        return len(self._received)

    def add(self, data: bytes) -> None:
        """Keep the bytes that arrived next."""
        self._received += data

    def next(self) -> bytes | None:
        """Return the next frame without its length; None if it has not arrived yet.

        Raise MalformedError if it is too long, as soon as its length has arrived.
        """
        if len(self._received) < LENGTH.size:
            return None
        length = LENGTH.unpack_from(self._received)[0]
        if self.longest is not None and length > self.longest:
            raise MalformedError("a frame is longer than may cross")
        end = LENGTH.size + length
        if len(self._received) < end:
            return None
        frame = bytes(self._received[LENGTH.size : end])
        del self._received[:end]
        return frame
