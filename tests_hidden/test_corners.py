"""Points where formulas break: kinks, zeros, numbers of very different size; and values that are read again."""

import operator
from itertools import product

import pytest
from oracle import Draw, expected, measured
from pytest import approx

relu, tanh, exp = map(operator.methodcaller, ("relu", "tanh", "exp"))
ZERO_ALLOWED = (operator.add, operator.sub, operator.mul)  # defined for a zero on either side


@pytest.mark.points(2)
@pytest.mark.task(id="1.4")
@pytest.mark.hint(
    "relu has one kink, at zero, where its derivative is 0 by convention; however near to it, it is 0 or 1."
)
def test_relu_at_its_kink(engine, seed):
    """relu at its kink, and just beside it"""
    small = Draw(seed, "relu at its kink").number(0.01, 0.09)
    for x in (2.0, small, -small, 1e-6, -1e-6):
        assert measured(engine, relu, [x]) == approx(expected(relu, [x]), rel=1e-9)
    below = engine.Value(-small)
    assert below.relu().data == approx(0.0)
    assert below.data == approx(-small)  # relu changes its result, not its operand
    a, b, c = engine.Value(0.0), engine.Value(3.0), engine.Value(1.0)
    (a.relu() * b + c).backward()
    assert c.grad == approx(1.0)
    assert a.grad == approx(0.0)  # relu'(0) · b


@pytest.mark.points(2)
@pytest.mark.task(id="1.2")
@pytest.mark.hint("At zero too, the derivative of a power is n times the power below: nothing needs to be divided.")
def test_power_of_zero(engine):
    """Powers of zero"""
    beside = engine.Value(2.0)
    (beside**2).backward()
    assert beside.grad == approx(4.0)  # 2a at a = 2
    for exponent, slope in ((1, 1.0), (2, 0.0), (3, 0.0)):  # n · 0ⁿ⁻¹
        a, b, c = engine.Value(0.0), engine.Value(3.0), engine.Value(1.0)
        (a**exponent * b + c).backward()
        assert c.grad == approx(1.0)
        assert a.grad == approx(slope * 3.0)


@pytest.mark.points(2)
@pytest.mark.task(id="1.1")
@pytest.mark.hint("A value of zero is a value like any other, and its gradient is rarely zero: a bias starts at 0.")
def test_operand_of_zero(engine, seed):
    """A value of zero on either side of an operator"""
    x = Draw(seed, "operand of zero").fraction()
    for operation, point in product(ZERO_ALLOWED, ([0.0, x], [x, 0.0], [0, x])):
        assert measured(engine, operation, point) == approx(expected(operation, point), rel=1e-9)


@pytest.mark.points(1)
@pytest.mark.task(id="1.3")
@pytest.mark.hint("sum() starts with the plain number 0; adding 0, on either side, changes neither value nor gradient.")
def test_sum_with_zeros(engine, seed):
    """A sum of values and zeros"""
    draw = Draw(seed, "sum with zeros")
    x, y = draw.fraction(), draw.fraction()

    def function(a, b, c):
        return sum([a, 0, b * 2, 0.0, c]) * b + sum([c, a]) + 0

    for point in ([x, y, 0.0], [0.0, x, y], [x, y, x]):
        assert measured(engine, function, point) == approx(expected(function, point), rel=1e-9)


@pytest.mark.points(2)
@pytest.mark.task(id="1.4")
@pytest.mark.hint(
    "Far from zero, tanh is nearly flat: its value is close to 1 or -1, its slope small, and neither is cut."
)
def test_tanh_far_from_zero(engine):
    """tanh far from zero"""
    for x in (3.5, -3.5, 7.0, -7.0):
        value, slope = expected(tanh, [x])
        assert measured(engine, tanh, [x]) == [approx(value, rel=1e-9), approx(slope, rel=1e-6, abs=0.0)]
    for sign in (1, -1):
        a, b = engine.Value(sign * 20.0), engine.Value(3.0)
        (a.tanh() * b).backward()
        assert b.grad == approx(sign)  # tanh a, which differs from ±1 by 2 e⁻⁴⁰
        assert a.grad == approx(0.0)  # (1 - tanh² a) · b


@pytest.mark.points(2)
@pytest.mark.task(id="1.4")
@pytest.mark.hint("exp must be right for large inputs and for negative ones, not only around zero: do not clip it.")
def test_exp_far_from_zero(engine, seed):
    """exp far from zero"""
    draw = Draw(seed, "exp far from zero")
    for low, high in ((4, 5), (-7, -5), (20.5, 30), (55, 65)):
        point = [draw.number(low, high)]
        assert measured(engine, exp, point) == approx(expected(exp, point), rel=1e-9, abs=0.0)


@pytest.mark.points(2)
@pytest.mark.task(id="2.2")
@pytest.mark.hint("A large constant has no part in a derivative. Multiply local derivatives; do not take differences.")
def test_large_constant(engine, seed):
    """A large constant does not blur the gradient"""
    draw = Draw(seed, "large constant")
    x, y = draw.fraction(), draw.fraction()
    a, b = engine.Value(x), engine.Value(y)
    (a * b + 1e9).backward()
    assert a.grad == approx(y, rel=1e-9)  # ∂(ab + c)/∂a = b
    assert b.grad == approx(x, rel=1e-9)  # ∂(ab + c)/∂b = a


@pytest.mark.points(2)
@pytest.mark.task(id="2.2")
@pytest.mark.hint("Reading a number must not change it.")
def test_reading_again(engine, seed):
    """Values and gradients stay the same however often they are read"""
    draw = Draw(seed, "reading again")
    x, y = draw.fraction(), draw.fraction()
    a, b = engine.Value(x), engine.Value(y)
    product = a * b
    product.backward()
    first = [a.grad, b.grad, product.data, a.data]
    again = [a.data, product.data, b.grad, a.grad]
    assert first == approx([y, x, x * y, x])  # ∂(ab)/∂a = b, ∂(ab)/∂b = a
    assert again == approx([x, x * y, x, y])
