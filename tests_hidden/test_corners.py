"""Points where formulas break: kinks, zeros, numbers of very different size; and values that are read again."""

import operator

import pytest
from oracle import Draw, expected, measured
from pytest import approx


@pytest.mark.points(1.5)
@pytest.mark.task(id="1.4")
@pytest.mark.hint("relu has a kink at zero, where its derivative is 0 by convention.")
def test_relu_at_its_kink(engine):
    """The derivative of relu at its kink"""
    beside = engine.Value(2.0)
    beside.relu().backward()
    assert beside.grad == approx(1.0)
    a, b, c = engine.Value(0.0), engine.Value(3.0), engine.Value(1.0)
    (a.relu() * b + c).backward()
    assert c.grad == approx(1.0)
    assert a.grad == approx(0.0)  # relu'(0) · b


@pytest.mark.points(0.75)
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


@pytest.mark.points(0.5)
@pytest.mark.task(id="1.1")
@pytest.mark.hint("A factor of zero has a gradient like any other: the other factor.")
def test_product_with_zero(engine, seed):
    """A product with zero"""
    x = Draw(seed, "product with zero").fraction()
    a, b = engine.Value(0.0), engine.Value(x)
    (a * b).backward()
    assert a.grad == approx(x)  # ∂(ab)/∂a = b
    assert b.grad == approx(0.0)  # ∂(ab)/∂b = a


@pytest.mark.points(0.5)
@pytest.mark.task(id="1.4")
@pytest.mark.hint("Far from zero, tanh is flat: its value is close to 1 or -1, and finite.")
@pytest.mark.parametrize("sign", [pytest.param(1, id="positive"), pytest.param(-1, id="negative")])
def test_tanh_far_from_zero(engine, sign):
    """tanh far from zero"""
    a, b = engine.Value(sign * 20.0), engine.Value(3.0)
    (a.tanh() * b).backward()
    assert b.grad == approx(sign)  # tanh a, which differs from ±1 by 2 e⁻⁴⁰
    assert a.grad == approx(0.0)  # (1 - tanh² a) · b


@pytest.mark.points(0.5)
@pytest.mark.task(id="1.4")
@pytest.mark.hint("exp must be right for large inputs and for negative ones, not only around zero: do not clip it.")
@pytest.mark.parametrize(
    ("low", "high"),
    [
        pytest.param(4, 5, id="large"),
        pytest.param(-7, -5, id="negative"),
        pytest.param(20.5, 30, id="larger"),
        pytest.param(55, 65, id="very large"),
    ],
)
def test_exp_far_from_zero(engine, seed, low, high):
    """exp far from zero"""
    point, exp = [Draw(seed, "exp far from zero").number(low, high)], operator.methodcaller("exp")
    assert measured(engine, exp, point) == approx(expected(exp, point), rel=1e-9, abs=0.0)


@pytest.mark.points(1)
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


@pytest.mark.points(0.75)
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
