"""What the submission raises arrives at the test's own line, as the builtin that it was, once."""

from typing import Any

import pytest

from autograder.errors import RemoteError, WorkerCrash
from autograder.remote.proxy import RemoteModule
from autograder.remote.tape import Tape
from autograder.wire.format import OPERATOR_CODES

from ..support.attacks import RIGHT
from ..support.near import INTERFACE, MORE, Near


@pytest.fixture
def near():
    return Near(RIGHT + MORE)


@pytest.fixture
def engine(near):
    return RemoteModule(Tape(near, lambda: 1.0), INTERFACE, 1, near.names)


def failing_line(problem):
    """Return the number of the innermost line of this file in a traceback."""
    return [entry.lineno + 1 for entry in problem.traceback if str(entry.path) == __file__][-1]


def test_a_queued_error_points_at_the_line_that_queued_it(engine):
    x = engine.Value(800.0)
    y = x.exp()  # math range error, found out below
    with pytest.raises(RemoteError) as problem:
        _ = (y + x).data
    assert problem.value.kind == "OverflowError"
    assert problem.value.operation == "`exp`"
    assert failing_line(problem) == test_a_queued_error_points_at_the_line_that_queued_it.__code__.co_firstlineno + 2


def test_a_remote_error_is_the_builtin_that_it_was(engine):
    with pytest.raises(OverflowError, match="math range error"):
        _ = engine.Value(800.0).exp().data
    with pytest.raises(RemoteError):
        _ = engine.Value(800.0).data


def test_an_error_of_a_family_keeps_its_message(engine):
    with pytest.raises(LookupError, match=r"^LookupError: not there$"):
        engine.fail("not there")


def test_after_an_error_nothing_more_is_asked(engine, near):
    x = engine.Value(1.0)
    with pytest.raises(LookupError):
        engine.fail("first")
    asked = len(near.requests)
    with pytest.raises(LookupError, match="first"):
        _ = x.data
    assert len(near.requests) == asked


def test_the_gradients_of_one_graph_come_in_one_round_trip(engine, near):
    a, b = engine.Value(2.0), engine.Value(3.0)
    y = a * b
    y.backward()
    assert [y.data, a.grad, b.grad, a.data, b.data] == [6.0, 3.0, 2.0, 2.0, 3.0]
    assert len(near.requests) == 1


def test_leaves_that_are_read_by_turns_come_in_two(engine, near):
    leaves = [engine.Value(float(number)) for number in range(5)]
    assert [(leaf.data, leaf.grad) for leaf in leaves] == [(float(number), 0.0) for number in range(5)]
    assert len(near.requests) == 2


def test_what_was_constructed_before_an_earlier_read_does_not_come_along(engine, near):
    old = [engine.Value(0.0) for _ in range(50)]
    _ = old[0].data
    a = engine.Value(2.0)
    (a * a).backward()
    assert a.grad == 4.0
    assert len(near.requests[-1]) < 150  # bytes


def test_the_parameters_of_an_earlier_graph_come_in_one_round_trip(engine, near):
    parameters = [engine.Value(1.0), engine.Value(2.0)]
    _ = parameters[0].data
    loss = engine.Value(3.0) * parameters[0] + parameters[1]
    loss.backward()
    assert [parameter.grad for parameter in parameters] == [3.0, 1.0]
    assert len(near.requests) == 2


@pytest.mark.parametrize(
    "act", [lambda engine, x: engine.clear(x), lambda engine, x: x.clear()], ids=["call", "method"]
)
def test_a_number_is_read_again_after_whatever_may_have_changed_it(act):
    clears = "\ndef clear(value):\n    value.grad = 0.0\n\nValue.clear = clear\n"
    near: Any = Near(RIGHT + clears)
    engine = RemoteModule(Tape(near, lambda: 1.0), INTERFACE, 1, near.names)
    a, b = engine.Value(2.0), engine.Value(3.0)
    (a * b).backward()
    assert (a.grad, b.grad) == (3.0, 2.0)
    act(engine, b)
    assert (a.grad, b.grad) == (3.0, 0.0)


def test_what_is_queued_after_a_question_has_a_handle_of_its_own(engine):
    x = engine.Value(2.0)
    tape = x._remote_origin.tape
    first = tape.unused
    tape.ask([(OPERATOR_CODES["neg"], (x._remote_handle,))] * 1000, 1.0)
    assert (x * x)._remote_handle == first + 1000
    assert tape.unused == first + 1001


def test_a_crash_names_the_operation_that_was_under_way(engine, near):
    x = engine.Value(0.5)
    _ = x.data
    near.crash = WorkerCrash("the worker's process ended")
    with pytest.raises(WorkerCrash) as problem:
        _ = x.tanh().data
    assert problem.value.operation == "`tanh`"
