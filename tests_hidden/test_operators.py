"""Every operator by itself, at points that nobody knows beforehand. Part 1 of the handout."""

import operator
from itertools import product

import pytest
from oracle import Draw, expected, measured
from pytest import approx, param

points = pytest.mark.points


@pytest.mark.points(0.25)
@pytest.mark.task(id="1.1")
@pytest.mark.hint("Derive the result by each operand in turn, while the other one is held fixed.")
@pytest.mark.parametrize("operation", [param(operator.add, id="sum"), param(operator.mul, id="product")])
def test_sum_and_product(engine, seed, operation):
    """A sum and a product: the result and both gradients"""
    draw = Draw(seed, "sum and product")
    point = [draw.fraction(), draw.fraction()]
    assert measured(engine, operation, point) == approx(expected(operation, point), rel=1e-9)


@pytest.mark.points(0.25)
@pytest.mark.task(id="1.2")
@pytest.mark.hint("A difference and a quotient treat their two operands differently: derive by each of them in turn.")
@pytest.mark.parametrize("operation", [param(operator.sub, id="difference"), param(operator.truediv, id="quotient")])
def test_difference_and_quotient(engine, seed, operation):
    """A difference and a quotient: the result and both gradients"""
    draw = Draw(seed, "difference and quotient")
    point = [draw.fraction(), draw.fraction()]
    assert measured(engine, operation, point) == approx(expected(operation, point), rel=1e-9)


@pytest.mark.points(0.25)
@pytest.mark.task(id="1.2")
@pytest.mark.hint("Minus a value is an operation like any other: its result must remember where it came from.")
def test_minus_a_value(engine, seed):
    """Minus a value: the result and its gradient"""
    point = [Draw(seed, "negation").fraction()]
    assert measured(engine, operator.neg, point) == approx(expected(operator.neg, point), rel=1e-9)


@pytest.mark.points(0.25)
@pytest.mark.task(id="1.2")
@pytest.mark.hint("Multiply by the exponent, then lower the exponent by one: so for negative and fractional ones too.")
@pytest.mark.parametrize(
    "exponent", [param(3, id="int"), param(-2, id="negative"), param(2.0, id="float"), param(0.5, id="root")]
)
def test_exponents(engine, seed, exponent):
    """A power: the result and its gradient"""
    point = [Draw(seed, "power").number(1.5, 2.5)]

    def power(a):
        return a**exponent

    assert measured(engine, power, point) == approx(expected(power, point), rel=1e-9)


@pytest.mark.points(2)
@pytest.mark.task(id="1.2")
@pytest.mark.hint("One rule serves every exponent: n times the base to the power of n - 1.")
def test_further_exponents(engine, seed):
    """A power with a larger exponent: the result and its gradient"""
    draw = Draw(seed, "further exponents")
    for exponent in (4, 5, 6, -3, 2.5, -1.5, 7.0):
        point = [draw.number(1.2, 1.8)]

        def power(a, exponent=exponent):
            return a**exponent

        assert measured(engine, power, point) == approx(expected(power, point), rel=1e-9)


@pytest.mark.points(2)
@pytest.mark.task(id="1.2")
@pytest.mark.hint("7 / 2 is 3.5, for whole numbers too: `//` leaves the remainder out.")
def test_quotient_of_whole_numbers(engine, seed):
    """A quotient of whole numbers: the result and both gradients"""
    draw = Draw(seed, "quotient of whole numbers")
    a, b = draw.one_of((3, 5, 7, 9)), draw.one_of((2, 4, -2, -4))  # b never divides a
    for function, point in (
        (operator.truediv, [a, b]),
        (lambda x: x / b, [a]),
        (lambda x: a / x, [b]),
        (lambda x: x**-1 * a, [b]),
    ):
        assert measured(engine, function, point) == approx(expected(function, point), rel=1e-9)


@pytest.mark.points(0.25)
@pytest.mark.task(id="1.4")
@pytest.mark.hint(
    "Check the derivative of tanh, exp or relu with pencil and paper: two of them can be told from the result."
)
@pytest.mark.parametrize(
    ("name", "low", "high"),
    [
        param("tanh", -1.5, -0.5, id="tanh"),
        param("exp", 0.5, 2, id="exp"),
        param("relu", 0.25, 0.75, id="relu of a positive number"),
        param("relu", -2, -0.5, id="relu of a negative number"),
    ],
)
def test_function(engine, seed, name, low, high):
    """A function of one value: the result and its gradient"""
    point = [Draw(seed, f"function {name}").number(low, high)]
    function, mirrored = operator.methodcaller(name), [-point[0]]
    assert measured(engine, function, point) == approx(expected(function, point), rel=1e-9)
    assert measured(engine, function, mirrored) == approx(expected(function, mirrored), rel=1e-9)


@pytest.mark.task(id="1.3")
@pytest.mark.hint(
    "With a plain number on the left, Python calls a reflected method of the right operand, such as __radd__: "
    "mind the order."
)
@pytest.mark.parametrize(
    "operation",
    [
        param(operator.add, id="plus", marks=points(0.25)),
        param(operator.sub, id="minus", marks=points(1.25)),
        param(operator.mul, id="times", marks=points(0.25)),
        param(operator.truediv, id="divided by", marks=points(0.25)),
    ],
)
def test_number_on_the_left(engine, seed, operation):
    """A plain number on the left of an operator: the result and the gradient"""
    draw = Draw(seed, "number on the left")
    whole, x = draw.whole(), draw.fraction()
    for number, point in product((whole, -whole), ([x], [-x])):

        def function(a, number=number):
            return operation(number, a)

        assert measured(engine, function, point) == approx(expected(function, point), rel=1e-9)


@pytest.mark.task(id="1.2")
@pytest.mark.hint("A plain number on the right becomes a Value first, for the result and for the derivative alike.")
@pytest.mark.parametrize(
    "operation",
    [
        param(operator.add, id="plus", marks=points(0.25)),
        param(operator.sub, id="minus", marks=points(0.25)),
        param(operator.mul, id="times", marks=points(0.25)),
        param(operator.truediv, id="divided by", marks=points(1.25)),
    ],
)
def test_number_on_the_right(engine, seed, operation):
    """A plain number on the right of an operator: the result and the gradient"""
    draw = Draw(seed, "number on the right")
    whole, x = draw.whole(), draw.fraction()
    for number, point in product((whole, -whole), ([x], [-x])):

        def function(a, number=number):
            return operation(a, number)

        assert measured(engine, function, point) == approx(expected(function, point), rel=1e-9)


@pytest.mark.points(0.5)
@pytest.mark.task(id="2.2")
@pytest.mark.hint("A local derivative is only a factor: it is multiplied by the gradient that arrives from above.")
@pytest.mark.parametrize(
    "inner",
    [
        param(operator.neg, id="negation"),
        param(lambda a: 3 / a, id="quotient"),
        param(lambda a: a**3, id="power"),
        param(lambda a: a.tanh(), id="tanh"),
        param(lambda a: a.exp(), id="exp"),
        param(lambda a: a.relu(), id="relu"),
    ],
)
def test_chain_rule(engine, seed, inner):
    """An operation inside others: the factors of the chain rule multiply"""
    draw = Draw(seed, "chain rule")
    before, after, point = draw.number(1, 2), draw.fraction(), [draw.number(0.25, 0.75)]

    def function(a):
        return inner(a * before) * after

    assert measured(engine, function, point) == approx(expected(function, point), rel=1e-9)
