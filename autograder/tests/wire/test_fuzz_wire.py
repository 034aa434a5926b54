"""Whatever a worker sends, the grader reads a value in time or names what is wrong with it."""

import math
import os
import struct
import threading
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.errors import ProtocolError, WorkerCrash, WorkerTimeout
from autograder.sandbox.channel import Channel
from autograder.wire import format as wire
from autograder.wire.format import Handle, Opaque, RaisedError
from autograder.wire.reader import Reader, decode_reply

FIXED = settings(derandomize=True, deadline=None, database=None)  # the same examples on every run

PLAIN = (type(None), bool, int, float, str, list, tuple, dict, Handle, Opaque, wire.Array, RaisedError)
SECONDS = 0.05
LATE = 5.0  # seconds: what a deadline of SECONDS may become on a busy machine

numbers = (
    st.integers(-(1 << 63), (1 << 63) - 1)
    | st.integers(-(1 << 14_000) + 1, (1 << 14_000) - 1)
    | st.floats(allow_nan=False)
)
texts = st.text(st.characters(codec="utf-8"), max_size=50)
leaves = st.none() | st.booleans() | numbers | texts
values = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=5) | st.tuples(inner, inner) | st.dictionaries(texts, inner, max_size=5),
    max_leaves=20,
).filter(lambda value: depth(value) <= wire.MAX_DEPTH)


def depth(value):
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else None
    return 0 if parts is None else 1 + max(map(depth, parts), default=0)


def almost_replies():
    """Return frames that begin like a reply, so that what follows is reached."""
    heads = st.sampled_from([struct.pack("<IB", 7, status) for status in (wire.OK, wire.ERROR)])
    tags = st.sampled_from([bytes([tag]) for tag in range(14)])
    counts = st.sampled_from([struct.pack("<I", count) for count in (0, 1, 2, 5, 10_000, 10_001, 0xFFFFFFFF)])
    piece = tags | counts | st.binary(max_size=60)
    return st.builds(lambda head, pieces: head + b"".join(pieces), heads, st.lists(piece, max_size=12))


@given(values)
@settings(FIXED, max_examples=100)
def test_every_plain_value_survives_the_way(value):
    decoded = Reader(wire.encode(value)).value()
    assert (repr(decoded), decoded) == (repr(value), value)


@given(st.floats(width=64))
@settings(FIXED, max_examples=100)
def test_every_bit_of_a_float_survives_the_way(number):
    decoded = Reader(wire.encode(number)).value()
    assert math.isnan(number) or struct.pack("<d", decoded) == struct.pack("<d", number)


@given(st.binary(max_size=200) | almost_replies())
@settings(FIXED, max_examples=600)
def test_any_frame_is_a_value_or_malformed(frame):
    try:
        value = decode_reply(frame, 7)
    except wire.MalformedError:
        return
    assert type(value) in PLAIN


@given(values, st.data())
@settings(FIXED, max_examples=150)
def test_a_frame_that_is_cut_short_is_malformed(value, data):
    frame = struct.pack("<IB", 7, wire.OK) + wire.encode(value)
    cut = data.draw(st.integers(0, len(frame) - 1))
    with pytest.raises(wire.MalformedError):
        decode_reply(frame[:cut], 7)


@given(
    st.lists(
        st.binary(min_size=1, max_size=40) | almost_replies().map(lambda f: wire.LENGTH.pack(len(f)) + f), max_size=6
    )
)
@settings(FIXED, max_examples=60)
def test_any_bytes_in_any_pieces_end_in_time(pieces):
    requests, near_requests = os.pipe()
    near_replies, replies = os.pipe()
    near_output, output = os.pipe()
    channel = Channel(near_requests, near_replies, near_output, output_limit=1000)
    os.write(replies, b"\1")

    def write():
        for piece in pieces:
            os.write(replies, piece)
            os.write(output, piece)
            time.sleep(0.001)
        if len(pieces) % 2:
            os.close(replies)

    thread, started = threading.Thread(target=write), time.monotonic()
    thread.start()
    try:
        channel.send(b"")
        decode_reply(channel.receive(SECONDS), channel.sequence)
    except (ProtocolError, wire.MalformedError, WorkerCrash, WorkerTimeout):
        pass
    finally:
        thread.join()
        spent = time.monotonic() - started
        channel.close()
        for descriptor in (requests, output, *([] if len(pieces) % 2 else [replies])):
            os.close(descriptor)
    assert spent < LATE
