"""Operations cross in the order in which they were queued, with their operands' exact types, whatever their shape."""

import math
from typing import Any

import pytest

from autograder.wire import batch
from autograder.wire import format as wire
from autograder.wire.batch import Batch, encode_batch
from autograder.wire.format import OPERATOR_CODES, Handle
from autograder.wire.reader import decode_reply
from autograder.worker.serve import Service

A, B = Handle(1), Handle(2)
ADD, POW, NEG, GETITEM = (OPERATOR_CODES[name] for name in ("add", "pow", "neg", "getitem"))


class Told:
    """An object that answers with what it was told."""

    def __add__(self, other):
        return f"self + {other!r}"

    def __radd__(self, other):
        return f"{other!r} + self"

    def __neg__(self):
        return "-self"

    def __pow__(self, *others):
        return f"pow{others!r}"

    def __getitem__(self, key):
        return f"[{key!r}]"

    def __call__(self, *positional, **named):
        return f"called with {positional!r} {named!r}"

    def __repr__(self):
        return "told"

    def backward(self, *positional, **named):
        return f"backward{positional!r}{named!r}"


def performed(*operations):
    """Return what a worker says of the last of some operations on two objects."""
    worker = Service("/", [], bytearray(8))
    worker._objects.update({1: Told(), 2: Told()})
    return decode_reply(wire.LENGTH.pack(7) + worker.answer(encode_batch(operations)), 7)


@pytest.mark.parametrize(
    ("code", "arguments", "answer"),
    [
        (ADD, (A, B), "self + told"),
        (ADD, (A, 2.0), "self + 2.0"),
        (ADD, (A, 2), "self + 2"),
        (ADD, (A, True), "self + True"),
        (ADD, (A, -0.0), "self + -0.0"),
        (ADD, (A, math.inf), "self + inf"),
        (ADD, (A, "text"), "self + 'text'"),
        (ADD, (A, None), "self + None"),
        (ADD, (A, 1 << 53), f"self + {1 << 53}"),
        (ADD, (A, (1 << 53) + 1), f"self + {(1 << 53) + 1}"),
        (ADD, (A, -(1 << 63)), f"self + {-(1 << 63)}"),
        (ADD, (2.5, A), "2.5 + self"),
        (ADD, (2, A), "2 + self"),
        (ADD, ((1 << 53) + 1, A), f"{(1 << 53) + 1} + self"),
        (NEG, (A,), "-self"),
        (POW, (A, 3), "pow(3,)"),
        (GETITEM, (A, "key"), "['key']"),
        (wire.CALL, (A, (0.5,), {}), "called with (0.5,) {}"),
        (wire.CALL, (A, (3,), {}), "called with (3,) {}"),
        (wire.CALL, (A, (1 << 60,), {}), f"called with ({1 << 60},) {{}}"),
        (wire.CALL, (A, (B,), {}), "called with (told,) {}"),
        (wire.CALL, (A, (), {}), "called with () {}"),
        (wire.CALL, (A, (0.5,), {"label": "a"}), "called with (0.5,) {'label': 'a'}"),
        (wire.METHOD, (A, "backward", (), {}), "backward(){}"),
        (wire.METHOD, (A, "backward", (1.0,), {}), "backward(1.0,){}"),
        (wire.METHOD, (A, "backward", (), {"seed": 2}), "backward(){'seed': 2}"),
    ],
)
def test_an_operation_is_performed_as_it_was_written(code, arguments, answer):
    assert performed((code, 1024, arguments)) == answer


def test_operations_of_all_shapes_are_performed_in_their_order():
    last = performed(
        (ADD, 1024, (A, 1.0)),  # a record
        (wire.CALL, 1025, (A, (Handle(1024), None), {})),  # none
        (wire.METHOD, 1026, (B, "backward", (), {})),
        (wire.CALL, 1027, (B, ([Handle(1025), Handle(1026)],), {})),
    )
    assert last == """called with (["called with ('self + 1.0', None) {}", 'backward(){}'],) {}"""


@pytest.mark.parametrize("position", [0, 1, 2, 3])
def test_an_error_says_which_operation_raised_it(position):
    operations: list[Any] = [
        (ADD, 1024, (A, 1.0)),
        (ADD, 1025, (A, None)),
        (NEG, 1026, (A,)),
        (wire.METHOD, 1027, (A, "backward", (), {})),
    ]
    operations[position] = (wire.METHOD, 1030, (A, "missing", (), {}))
    raised = performed(*operations)
    assert (raised.kind, raised.position) == ("AttributeError", position)


def test_more_names_than_a_record_can_hold_cross_all_the_same():
    names = [f"name{number}" for number in range(300)]
    read = Batch(encode_batch([(wire.METHOD, 1024 + i, (A, name, (), {})) for i, name in enumerate(names)]))
    assert read.at_run()
    told = [read.names[int(operand)] for *_, operand in read.run()]
    while not read.at_end:
        assert not read.at_run()
        told.append(read.operation()[2][1])
    assert told == names


def test_common_operations_cost_eighteen_bytes_each():
    chain = [(ADD, 1024 + i, (A, float(i))) for i in range(100)]
    assert len(encode_batch(chain)) == 1 + 1 + 4 + 100 * batch.RECORD.size == 6 + 1800


def test_a_run_that_is_cut_short_is_refused():
    cut = Batch(encode_batch([(ADD, 1024, (A, 1.0))])[:-1])
    assert cut.at_run()
    with pytest.raises(wire.MalformedError, match="ends in the middle"):
        cut.run()
