"""The grader's end of the pipes keeps its deadline and its caps, whatever the other end does."""

import os
import threading
import time
from contextlib import contextmanager, suppress

import pytest

from autograder.errors import ProtocolError, SandboxError, WorkerCrash, WorkerTimeout
from autograder.sandbox.channel import Channel
from autograder.wire import format as wire

CONFINED = b"\1"  # a worker's first byte: it is confined
LATE = 5.0  # seconds; a deadline kept far better than that was kept


class Far:
    """The worker's ends of three pipes, for a test to misuse."""

    def __init__(self, *, output_limit: int = 4096, confined: bool = True) -> None:
        self.requests, requests = os.pipe()
        replies, self.replies = os.pipe()
        output, self.output = os.pipe()
        self.channel = Channel(requests, replies, output, output_limit=output_limit)
        if confined:
            os.write(self.replies, CONFINED)

    def exchange(self, seconds: float = 0.2, operations: bytes = b"") -> bytes:
        self.channel.send(operations)
        return self.channel.receive(seconds)

    def close(self, *descriptors: int) -> None:
        for descriptor in descriptors:
            os.close(descriptor)


@pytest.fixture
def far():
    far = Far()
    yield far
    far.channel.close()
    for descriptor in (far.requests, far.replies, far.output):
        with suppress(OSError):  # the test closed it
            os.close(descriptor)


def framed(body: bytes, sequence: int = 1) -> bytes:
    return wire.HEADER.pack(len(body) + 4, sequence) + body


@contextmanager
def meanwhile(act):
    thread = threading.Thread(target=act)
    thread.start()
    yield
    thread.join()


def later(*acts):
    """Return a function that performs each of `acts` after a moment."""

    def perform():
        for act in acts:
            time.sleep(0.02)
            act()

    return perform


def answered_once(far):
    """Exchange one request, so that the worker is known to be confined."""
    with meanwhile(later(lambda: os.write(far.replies, framed(b"")))):
        far.exchange(LATE)


def test_the_end_of_the_run_ends_a_request_that_may_take_longer(far):
    far.channel.run_end = time.monotonic() + 0.02
    with pytest.raises(WorkerTimeout):
        far.exchange(seconds=3600)


def test_a_reply_comes_back_without_its_length(far):
    with meanwhile(later(lambda: os.write(far.replies, framed(b"body")))):
        assert far.exchange(LATE) == wire.LENGTH.pack(1) + b"body"


def test_a_request_is_framed_and_numbered(far):
    with pytest.raises(WorkerTimeout):
        far.exchange(0.01, b"operations")
    assert os.read(far.requests, 100) == wire.HEADER.pack(14, 1) + b"operations"


def test_a_reply_in_pieces_is_put_together(far):
    pieces = [framed(b"body")[i : i + 1] for i in range(12)]
    with meanwhile(later(*(lambda piece=piece: os.write(far.replies, piece) for piece in pieces))):
        assert far.exchange(LATE) == wire.LENGTH.pack(1) + b"body"


def test_silence_ends_at_the_deadline(far):
    started = time.monotonic()
    with pytest.raises(WorkerTimeout):
        far.exchange(0.1)
    assert time.monotonic() - started < LATE


def test_a_byte_at_a_time_does_not_move_the_deadline(far):
    drip = later(*[lambda: os.write(far.replies, b"\x10")] * 20)
    started = time.monotonic()
    with meanwhile(drip), pytest.raises((WorkerTimeout, ProtocolError)):
        far.exchange(0.1)
    assert time.monotonic() - started < LATE


def test_output_without_end_does_not_move_the_deadline(far):
    stop = threading.Event()

    def flood():
        os.set_blocking(far.output, False)
        while not stop.is_set():
            try:
                os.write(far.output, b"x" * 65536)
            except BlockingIOError:
                time.sleep(0)

    started = time.monotonic()
    with meanwhile(flood):
        with pytest.raises(WorkerTimeout):
            far.exchange(0.2)
        stop.set()
    assert time.monotonic() - started < LATE
    assert len(far.channel.take_output()) < 4096 + 100


def test_a_request_that_nobody_reads_ends_at_the_deadline(far):
    with pytest.raises(WorkerTimeout):
        far.exchange(0.1, bytes(1 << 20))


def test_a_request_longer_than_the_pipe_arrives_whole(far):
    received = bytearray()

    def read():
        while len(received) < (1 << 20) + 8:
            received.extend(os.read(far.requests, 1 << 16))
        os.write(far.replies, framed(b""))

    with meanwhile(read):
        assert far.exchange(LATE, bytes(1 << 20)) == wire.LENGTH.pack(1)


def test_no_time_left_is_a_timeout(far):
    os.write(far.output, b"x")
    with pytest.raises(WorkerTimeout):
        far.exchange(0.0)


@pytest.mark.parametrize("sent", [b"", b"\4", framed(b"body")[:-1]])
def test_an_end_before_the_reply_is_whole_is_a_crash(far, sent):
    with (
        meanwhile(later(lambda: os.write(far.replies, sent), lambda: far.close(far.replies))),
        pytest.raises(WorkerCrash),
    ):
        far.exchange(LATE)


def test_a_worker_that_does_not_listen_any_more_has_crashed(far):
    answered_once(far)
    far.close(far.requests)
    with pytest.raises(WorkerCrash):
        far.exchange()


def test_a_worker_that_ends_before_it_is_confined_is_no_fault_of_the_submission():
    far = Far(confined=False)
    os.write(far.output, b"worker: chroot: not permitted")
    far.close(far.requests, far.replies, far.output)
    with pytest.raises(SandboxError, match="chroot: not permitted"):
        far.exchange()
    far.channel.close()


def test_a_reply_that_nobody_asked_for_is_refused(far):
    answered_once(far)
    os.write(far.replies, framed(b"early"))
    with pytest.raises(ProtocolError, match="nobody asked for"):
        far.exchange()


def test_more_than_one_reply_is_refused(far):
    with (
        meanwhile(later(lambda: os.write(far.replies, framed(b"") * 2))),
        pytest.raises(ProtocolError, match="more than"),
    ):
        far.exchange(LATE)


@pytest.mark.parametrize("length", [wire.MAX_REPLY + 1, 0xFFFFFFFF])
def test_a_reply_that_is_too_long_is_refused_by_its_length(far, length):
    with meanwhile(later(lambda: os.write(far.replies, wire.LENGTH.pack(length)))), pytest.raises(ProtocolError):
        far.exchange(LATE)


def test_closed_output_is_no_end(far):
    far.close(far.output)
    with meanwhile(later(lambda: os.write(far.replies, framed(b"")))):
        assert far.exchange(LATE) == wire.LENGTH.pack(1)


def test_output_is_kept_up_to_its_limit_and_the_rest_counted(far):
    os.write(far.output, b"a" * 5000)
    assert far.channel.take_output() == "a" * 4096 + "\n… 904 more bytes of output left out"


def test_output_is_given_once(far):
    os.write(far.output, b"once")
    assert [far.channel.take_output(), far.channel.take_output()] == ["once", ""]


def test_output_that_is_no_text_is_escaped(far):
    os.write(far.output, b"\xff\x00ok")
    assert far.channel.take_output() == "\\xff\x00ok"
