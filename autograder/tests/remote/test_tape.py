"""What the submission raises arrives at the test's own line, as the builtin that it was, once."""

import math
from typing import Any

import pytest
from pytest import approx

from autograder.errors import RemoteError, WorkerCrash
from autograder.remote.module import RemoteModule
from autograder.remote.tape import Tape

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


def test_after_an_error_of_what_was_asked_for_the_test_goes_on(engine):
    x = engine.Value(1.0)
    with pytest.raises(LookupError):
        engine.fail("first")
    assert x.data == 1.0


def test_after_an_error_in_the_queue_nothing_more_is_asked(engine, near):
    x = engine.Value(800.0)
    with pytest.raises(OverflowError):
        _ = (x.exp() + x).data
    asked = len(near.requests)
    with pytest.raises(OverflowError):
        _ = x.data
    assert len(near.requests) == asked


def product(engine, factors):
    """Return the leaves of a product, after its backward pass, and what their gradients must be."""
    leaves = [engine.Value(factor) for factor in factors]
    y = leaves[0]
    for leaf in leaves[1:]:
        y = y * leaf
    y.backward()
    return leaves, [approx(math.prod(factors) / factor) for factor in factors]


def by_turns(leaves):
    return [(leaf.data, leaf.grad)[1] for leaf in leaves]


def one_attribute(leaves):
    return [leaf.grad for leaf in leaves]


@pytest.mark.parametrize("gradients", [by_turns, one_attribute])
def test_a_larger_graph_is_read_in_no_more_round_trips(gradients):
    asked = []
    for count in (3, 60):
        near: Any = Near(RIGHT + MORE)
        engine = RemoteModule(Tape(near, lambda: 1.0), INTERFACE, 1, near.names)
        leaves, expected = product(engine, [1.0 + 1 / number for number in range(1, count + 1)])
        assert gradients(leaves) == expected
        asked.append(len(near.requests))
    assert asked[0] == asked[1]


def test_what_was_read_before_does_not_come_along_with_another_graph():
    sizes = []
    for count in (3, 60):
        near: Any = Near(RIGHT + MORE)
        engine = RemoteModule(Tape(near, lambda: 1.0), INTERFACE, 1, near.names)
        earlier, _ = product(engine, [1.0] * count)
        assert one_attribute(earlier) == [1.0] * count
        a = engine.Value(2.0)
        (a * a).backward()
        assert a.grad == 4.0
        sizes.append(len(near.requests[-1]))
    assert sizes[0] == sizes[1]


def test_a_parameter_of_an_earlier_graph_is_read_as_the_later_one_left_it(engine):
    parameters = [engine.Value(1.0), engine.Value(2.0)]
    assert parameters[0].grad == 0.0
    loss = engine.Value(3.0) * parameters[0] + parameters[1]
    loss.backward()
    assert [parameter.grad for parameter in parameters] == [3.0, 1.0]


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


def test_a_crash_names_the_operation_that_was_under_way(engine, near):
    x = engine.Value(0.5)
    _ = x.data
    near.crash = WorkerCrash("the worker's process ended")
    with pytest.raises(WorkerCrash) as problem:
        _ = x.tanh().data
    assert problem.value.operation == "`tanh`"
