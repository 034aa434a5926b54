"""A frame comes back whole, however it arrives, and costs no memory before its length is known to be allowed."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.wire.format import MalformedError
from autograder.wire.framing import FrameBuffer, framed, read_frame

messages = st.lists(st.binary(max_size=300), max_size=5)


def dripping(data, most):
    """Return a function that reads `data`, at most `most` bytes at a time."""
    stream = io.BytesIO(data)
    return lambda count: stream.read(min(count, most))


@given(messages, st.integers(1, 50))
def test_a_blocking_reader_returns_each_message_in_turn(sent, most):
    read = dripping(b"".join(map(framed, sent)), most)
    assert [read_frame(read) for _ in sent] == sent
    assert read_frame(read) is None


@given(messages, st.integers(1, 50))
def test_a_buffer_returns_each_message_in_turn(sent, most):
    data, buffer, received = b"".join(map(framed, sent)), FrameBuffer(), []
    for start in range(0, len(data), most):
        buffer.add(data[start : start + most])
        while (message := buffer.next()) is not None:
            received.append(message)
    assert received == sent
    assert len(buffer) == 0


@pytest.mark.parametrize("missing", [1, 4, 5, 7])
def test_a_stream_that_ends_within_a_frame_has_no_frame(missing):
    assert read_frame(dripping(framed(b"body")[:-missing], 100)) is None


def test_a_buffer_waits_for_the_rest_of_a_frame():
    buffer = FrameBuffer()
    buffer.add(framed(b"body")[:-1])
    assert buffer.next() is None


@pytest.mark.parametrize(("length", "refused"), [(8, False), (9, True), (0xFFFFFFFF, True)])
def test_a_frame_longer_than_allowed_is_refused_by_its_length_alone(length, refused):
    buffer = FrameBuffer(longest=8)
    buffer.add(length.to_bytes(4, "little"))
    if refused:
        with pytest.raises(MalformedError, match="longer"):
            buffer.next()
    else:
        assert buffer.next() is None
