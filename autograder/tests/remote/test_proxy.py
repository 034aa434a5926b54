"""A remote object computes like the student's, and refuses what would hand an expected value over."""

import math
import operator

import pytest
from pytest import approx

from autograder.errors import MisuseError
from autograder.remote.module import RemoteModule
from autograder.remote.tape import Tape
from autograder.wire import format as wire

from ..support.attacks import RIGHT
from ..support.near import INTERFACE, MORE, Near


@pytest.fixture
def near():
    return Near(RIGHT + MORE)


@pytest.fixture
def engine(near):
    return RemoteModule(Tape(near, lambda: 1.0), INTERFACE, 1, near.names)


# --- what it does


def test_operators_and_methods_compute_over_there(engine):
    x, y = engine.Value(3.0), engine.Value(2.0)
    z = (x * y + x).tanh()
    z.backward()
    assert z.data == approx(math.tanh(9.0))
    assert x.grad == approx(3 * (1 - math.tanh(9.0) ** 2))


def test_operations_wait_until_a_number_is_read(engine, near):
    x = engine.Value(3.0)
    y = x * x + x
    y.backward()
    assert near.requests == []
    assert [y.data, x.grad] == [12.0, 7.0]


def test_an_attribute_can_be_set(engine):
    x = engine.Value(3.0)
    x.grad = 1.5
    assert x.grad == 1.5


def test_a_function_of_the_module_returns_a_plain_value(engine):
    assert engine.double(4) == 8


def test_a_constant_of_the_module_is_a_plain_value(engine):
    assert engine.LIMIT == 3


@pytest.mark.parametrize(("name", "value"), [("truth", True), ("text", "1.0"), ("nothing", None), ("pair", (1, [2.0]))])
def test_other_attributes_arrive_with_their_types(engine, name, value):
    assert getattr(engine.Odd(), name) == value


# --- what it refuses

OTHER = object()
REFUSED = {
    "==": lambda x: x == 1.0,
    "!=": lambda x: x != 1.0,
    "== approx": lambda x: x == approx(1.0),
    "approx ==": lambda x: approx(1.0) == x,
    "<": lambda x: x < 1.0,
    ">=": lambda x: x >= 1.0,
    "max": lambda x: max(x, 1.0),
    "bool": bool,
    "if": lambda x: 1 if x else 0,
    "not": operator.not_,
    "float": float,
    "int": int,
    "complex": complex,
    "index": lambda x: [1][x],
    "round": round,
    "math.tanh": math.tanh,
    "math.isclose": lambda x: math.isclose(x, 1.0),
    "hash": hash,
    "set": lambda x: {x},
    "iter": list,
    "in": lambda x: 1.0 in x,
    "in a list": lambda x: x in [1.0, 2.0],
    "len": len,
    "unpacking": lambda x: [*x],
}


@pytest.mark.parametrize("use", REFUSED.values(), ids=REFUSED.keys())
def test_what_would_tell_the_expected_value_is_refused_here(use, engine, near):
    x = engine.Value(1.0)
    with pytest.raises(TypeError, match=r"read a plain number of it, such as \.data"):
        use(x)
    assert near.requests == []


@pytest.mark.parametrize("value", [1j, {1.0}, b"1", OTHER, lambda: 1, (1.0).__add__, range(3), float])
def test_only_plain_values_cross(value, engine, near):
    with pytest.raises(MisuseError, match="may not cross"):
        engine.Value(value)
    assert near.requests == []


def test_a_number_that_is_none_is_a_misuse(engine):
    with pytest.raises(MisuseError, match=r"`\.data` is a bool; it must be a plain float or int"):
        _ = engine.Odd().data


TOO_LARGE = r"is an integer of more than 14,000 bits, and no larger one may cross to a test$"


def test_an_integer_beyond_the_limit_of_the_wire_is_refused_in_words(engine):
    with pytest.raises(MisuseError, match=rf"^`\.data` {TOO_LARGE}"):
        _ = engine.Wide().data
    with pytest.raises(MisuseError, match="gives an integer of more than 14,000 bits"):
        _ = engine.Odd().huge


def test_an_integer_of_any_size_below_the_limit_crosses_both_ways(engine):
    assert engine.double(math.factorial(1000)) == 2 * math.factorial(1000)


def test_a_list_of_plain_values_longer_than_a_reply_is_refused_in_words(engine):
    with pytest.raises(MisuseError, match="`double` gives a list of more than 64 KiB in all"):
        engine.double([1.5] * 5_000)


def test_the_gradients_of_many_leaves_may_be_large_integers(engine, near):
    leaves = [engine.Value(1.0) for _ in range(60)]
    for leaf in leaves:
        leaf.grad = 10**4000
    assert [leaf.grad for leaf in leaves] == [10**4000] * 60
    assert near.longest <= wire.MAX_REPLY


def test_a_test_that_hands_over_a_larger_integer_is_told_so(engine):
    with pytest.raises(MisuseError, match="an integer of more than 14,000 bits may not cross"):
        engine.double(1 << 14_000)


def test_an_unknown_name_is_an_attribute_error(engine):
    with pytest.raises(AttributeError, match=r"engine\.py defines no Tensor"):
        _ = engine.Tensor


@pytest.mark.parametrize("name", ["__wrapped__", "__array__", "__array_ufunc__", "__dict__"])
def test_names_that_libraries_look_for_are_not_looked_up_over_there(name, engine, near):
    with pytest.raises(AttributeError):
        getattr(engine.Value(1.0), name)
    assert near.requests == []
