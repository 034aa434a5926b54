"""One value, used twice by the same operation. Part 2 of the handout: gradients add up."""

import operator

import pytest
from oracle import Draw, expected, measured
from pytest import approx, param

pytestmark = pytest.mark.task(id="2.2")

AUGMENTED = (operator.iadd, operator.isub, operator.imul, operator.itruediv, operator.ipow)  # +=, -=, *=, /=, **=


@pytest.mark.points(0.5)
@pytest.mark.hint("When both operands are the same value, it receives a gradient from each side: add them.")
@pytest.mark.parametrize(
    "operation",
    [
        param(operator.add, id="sum"),
        param(operator.sub, id="difference"),
        param(operator.mul, id="product"),
        param(operator.truediv, id="quotient"),
    ],
)
def test_both_operands(engine, seed, operation):
    """One value on both sides of an operator"""
    draw = Draw(seed, "both operands")
    point = [draw.fraction(), draw.fraction(), draw.fraction()]

    def function(a, b, c):
        return operation(a, a) * b + c  # a - a and a / a are constant: c tells a gradient of zero from no backward pass

    assert measured(engine, function, point) == approx(expected(function, point), rel=1e-9)


@pytest.mark.points(0.75)
@pytest.mark.hint("The operation was applied twice to one value: the second gradient must not replace the first.")
@pytest.mark.parametrize(
    "operation",
    [
        param(operator.neg, id="negation"),
        param(lambda a: a**2, id="power"),
        param(lambda a: a.tanh(), id="tanh"),
        param(lambda a: a.exp(), id="exp"),
        param(lambda a: a.relu(), id="relu"),
    ],
)
def test_applied_twice(engine, seed, operation):
    """One operation, applied twice to one value"""
    draw = Draw(seed, "applied twice")
    point = [draw.number(0.5, 1.5), draw.number(1, 3), draw.number(1, 3)]

    def function(a, b, c):
        return operation(a) * b + operation(a) * c

    assert measured(engine, function, point) == approx(expected(function, point), rel=1e-9)


@pytest.mark.points(0.5)
@pytest.mark.hint("Two different values may hold equal numbers: tell them apart by identity, never by what they hold.")
def test_equal_numbers(engine, seed):
    """Two values that hold equal numbers stay two values"""
    x = Draw(seed, "equal numbers").fraction()
    a, b = engine.Value(x), engine.Value(x)
    ((a * 2) * (b * 2)).backward()
    assert a.grad == approx(4 * x)  # ∂(4ab)/∂a = 4b
    assert b.grad == approx(4 * x)  # ∂(4ab)/∂b = 4a


@pytest.mark.points(2)
@pytest.mark.hint("x += 1 makes a new value; the old one must stay as it is, for the graph still needs it.")
def test_augmented_assignment(engine, seed):
    """An augmented assignment leaves the old value alone"""
    draw = Draw(seed, "augmented assignment")
    number, point = draw.whole(), [draw.number(1, 3), draw.fraction()]
    for assign in AUGMENTED:

        def with_a_number(a, b, assign=assign):
            return assign(a, number) * a + b

        def with_a_value(a, b, assign=assign):
            return assign(a, b) * a

        assert measured(engine, with_a_number, point) == approx(expected(with_a_number, point), rel=1e-9)
        if assign is not operator.ipow:  # the exponent is a plain number
            assert measured(engine, with_a_value, point) == approx(expected(with_a_value, point), rel=1e-9)
