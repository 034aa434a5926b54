"""What crosses the wire arrives as it was; what may not cross is refused before it is read."""

import struct

import pytest

from autograder.wire import format as wire
from autograder.wire.format import Array, Handle, Opaque, RaisedError
from autograder.wire.reader import Reader, decode_reply

DEEPEST = [[[[[1.0]]]]]


def reply(body: bytes, *, sequence: int = 7, status: int = wire.OK) -> bytes:
    return struct.pack("<IB", sequence, status) + body


def error(kind="ValueError", class_name="Mine", message="text", frames=(("engine.py", 7, "f"),)):
    return reply(wire.encode_error(RaisedError(3, kind, class_name, message, frames)), status=wire.ERROR)


@pytest.mark.parametrize(
    "value",
    [
        *(
            None,
            True,
            False,
            0,
            -1,
            (1 << 63) - 1,
            -(1 << 63),
            1 << 63,
            -(1 << 13_999),
            1 - (1 << 14_000),
            0.0,
            1e308,
            5e-324,
            float("inf"),
            "",
            "α → β",
        ),
        *([], (), {}, [1, 2.0, "three", None, [True]], ("a", ("b",)), {"key": [1.0]}, DEEPEST),
    ],
)
def test_a_plain_value_arrives_with_its_exact_types(value):
    assert repr(decode_reply(reply(wire.encode(value)), 7)) == repr(value)


@pytest.mark.parametrize("deeper", [[DEEPEST], (DEEPEST,), {"key": DEEPEST}, {"a": {"b": {"c": {"d": {"e": {}}}}}}])
def test_a_container_deeper_than_may_cross_is_refused_whatever_it_is_made_of(deeper):
    with pytest.raises(TypeError, match="may not cross"):
        wire.encode(deeper)


def test_dicts_as_deep_as_may_cross_arrive():
    deep = {"a": {"b": {"c": {"d": {"e": 1.0}}}}}
    assert decode_reply(reply(wire.encode(deep)), 7) == deep


def test_minus_zero_keeps_its_sign():
    assert str(decode_reply(reply(wire.encode(-0.0)), 7)) == "-0.0"


def test_nan_arrives_as_nan():
    assert str(decode_reply(reply(wire.encode(float("nan"))), 7)) == "nan"


def test_a_handle_stays_a_handle():
    assert type(Reader(wire.encode(Handle(5))).value()) is Handle


def test_an_array_arrives_with_type_shape_and_bytes():
    array = Reader(wire.encode(Array("float64", (2, 1), b"\0" * 16))).value()
    assert (array.dtype, array.shape, array.data) == ("float64", (2, 1), b"\0" * 16)


class Number(float):
    pass


@pytest.mark.parametrize(
    "value", [Number(1.0), 1 << 14_000, -(1 << 14_000), 1j, b"bytes", {1, 2}, "x" * 4097, [DEEPEST], object()]
)
def test_what_is_no_plain_value_does_not_cross_by_itself(value):
    with pytest.raises(TypeError, match="may not cross"):
        wire.encode(value)


def test_a_dict_crosses_with_text_keys_only():
    with pytest.raises(TypeError, match="str keys"):
        wire.encode({1: 2})


def test_what_may_not_cross_is_described_instead():
    described = Reader(wire.encode(Number(1.0), lambda _: Opaque(5, wire.OTHER, "Number"))).value()
    assert (described.handle, described.kind, described.type_name) == (5, wire.OTHER, "Number")


def test_text_that_is_no_unicode_crosses_escaped():
    assert decode_reply(reply(wire.encode("\ud800")), 7) == "\\ud800"


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        (b"", "ends in the middle"),
        (b"\x04\0\0", "ends in the middle"),  # a float of two bytes
        (bytes([99]), "unknown kind"),
        (wire.encode(1.0) + b"\0", "longer than its value"),
        (struct.pack("<BI", wire.STR, 1 << 31), "longer than may cross"),
        (struct.pack("<BI", wire.LIST, 0xFFFFFFFF), "deeper or longer"),
        (struct.pack("<BI", wire.DICT, 10_001), "deeper or longer"),
        (struct.pack("<BI", wire.LIST, 1) * 2000, "deeper or longer"),
        (struct.pack("<BI", wire.LIST, 6000) + bytes(5998) + struct.pack("<BI", wire.LIST, 5000), "deeper or longer"),
        (struct.pack("<BIB", wire.DICT, 1, wire.NONE), "key is not a text"),
        (bytes([wire.ARRAY, 9, 1]), "unknown type"),
        (bytes([wire.ARRAY, 0, 9]), "too many dimensions"),
        (struct.pack("<BBBII", wire.ARRAY, 0, 1, 1, 0xFFFFFFFF), "larger than may cross"),
        (struct.pack("<BIIBI", wire.OPAQUE, 1, 9, wire.STR, 0), "unknown way"),
    ],
)
def test_bytes_that_are_no_value_are_refused(body, complaint):
    with pytest.raises(wire.MalformedError, match=complaint):
        decode_reply(reply(body), 7)


@pytest.mark.parametrize(
    "frame", [b"", b"\7\0\0\0", reply(wire.encode(1.0), sequence=6), reply(wire.encode(1.0), status=2)]
)
def test_a_reply_to_something_else_is_refused(frame):
    with pytest.raises(wire.MalformedError):
        decode_reply(frame, 7)


def test_an_error_arrives_as_data():
    raised = decode_reply(error(), 7)
    assert (raised.position, raised.kind, raised.class_name, raised.message) == (3, "ValueError", "Mine", "text")
    assert raised.frames == (("engine.py", 7, "f"),)


def test_an_error_crosses_cut_to_what_may_cross():
    raised = decode_reply(error(message="m" * 9000, class_name="n" * 900, frames=(("f", 1, "g"),) * 50), 7)
    assert (len(raised.message), len(raised.class_name), len(raised.frames)) == (4096, 64, 8)


@pytest.mark.parametrize("kind", ["x0p5", "", "print", "RemoteError", "valueerror"])
def test_an_error_of_a_kind_that_python_has_not_is_refused(kind):
    with pytest.raises(wire.MalformedError, match="no kind that Python has"):
        decode_reply(error(kind), 7)
