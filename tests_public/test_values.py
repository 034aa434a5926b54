"""What each operation computes, before there is any gradient. Part 1 of the handout.

Every expression is computed twice: with Values, and with plain numbers, as Python does it.
"""

import math

import pytest
from pytest import approx

points = pytest.mark.points


@pytest.mark.points(0.25)
@pytest.mark.task(id="1.1")
@pytest.mark.hint("The result is a new Value: it holds what the two numbers give, and remembers where it came from.")
@pytest.mark.parametrize(
    "operation",
    [
        pytest.param(lambda a, b: a + b, id="a + b"),
        pytest.param(lambda a, b: a * b, id="a * b"),
    ],
)
def test_value_of_sum_and_product(engine, operation):
    assert operation(engine.Value(2.0), engine.Value(-3.0)).data == approx(operation(2.0, -3.0))
    assert operation(engine.Value(0.5), engine.Value(4.0)).data == approx(operation(0.5, 4.0))


@pytest.mark.points(0.25)
@pytest.mark.task(id="1.2")
@pytest.mark.hint("The result is a new Value: it holds what Python computes for the plain numbers.")
@pytest.mark.parametrize(
    "operation",
    [
        pytest.param(lambda a, _: -a, id="-a"),
        pytest.param(lambda a, b: a - b, id="a - b"),
        pytest.param(lambda a, b: a / b, id="a / b"),
        pytest.param(lambda a, _: a**3, id="a ** 3"),
        pytest.param(lambda a, _: a**-0.5, id="a ** -0.5"),
    ],
)
def test_value_of_the_other_operators(engine, operation):
    assert operation(engine.Value(2.0), engine.Value(-3.0)).data == approx(operation(2.0, -3.0))
    assert operation(engine.Value(0.5), engine.Value(4.0)).data == approx(operation(0.5, 4.0))


@pytest.mark.task(id="1.2")
@pytest.mark.hint("When the right operand is a plain number, make it a Value first.")
@pytest.mark.parametrize(
    "operation",
    [
        pytest.param(lambda x: x + 2, id="x + 2", marks=points(0.25)),
        pytest.param(lambda x: x - 2, id="x - 2", marks=points(0.25)),
        pytest.param(lambda x: x * 2, id="x * 2", marks=points(0.25)),
        pytest.param(lambda x: x / 2, id="x / 2", marks=points(0.5)),
    ],
)
def test_value_with_a_number_on_the_right(engine, operation):
    assert operation(engine.Value(5.0)).data == approx(operation(5.0))
    assert operation(engine.Value(-3.0)).data == approx(operation(-3.0))


@pytest.mark.task(id="1.3")
@pytest.mark.hint("Python calls x.__rsub__(2) for 2 - x: the number is the left operand. sum() starts with 0 + x.")
@pytest.mark.parametrize(
    "operation",
    [
        pytest.param(lambda x: 2 + x, id="2 + x", marks=points(0.25)),
        pytest.param(lambda x: 2 - x, id="2 - x", marks=points(0.5)),
        pytest.param(lambda x: 2 * x, id="2 * x", marks=points(0.25)),
        pytest.param(lambda x: 2 / x, id="2 / x", marks=points(0.25)),
        pytest.param(lambda x: sum([x, x, x]), id="sum of a list", marks=points(0.25)),
    ],
)
def test_value_with_a_number_on_the_left(engine, operation):
    assert operation(engine.Value(5.0)).data == approx(operation(5.0))
    assert operation(engine.Value(-3.0)).data == approx(operation(-3.0))


@pytest.mark.points(0.25)
@pytest.mark.task(id="1.4")
@pytest.mark.hint("The module math has tanh and exp; relu(a) is the larger one of a and 0.")
@pytest.mark.parametrize(
    ("name", "function"),
    [
        pytest.param("tanh", math.tanh, id="tanh"),
        pytest.param("exp", math.exp, id="exp"),
        pytest.param("relu", lambda a: max(a, 0.0), id="relu"),
    ],
)
def test_value_of_a_function(engine, name, function):
    assert getattr(engine.Value(1.5), name)().data == approx(function(1.5))
    assert getattr(engine.Value(-0.5), name)().data == approx(function(-0.5))
