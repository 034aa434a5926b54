"""The expressions of the three readings, and one check that needs no derivation by hand."""

import math

import pytest
from pytest import approx

pytestmark = pytest.mark.task(id="2.2")


@pytest.mark.points(2)
@pytest.mark.hint("Inside tanh stands a sum of products: multiply the local derivatives along each way down.")
def test_tanh_neuron(engine):
    """The neuron tanh(w1·x1 + w2·x2 + b)"""
    x1, x2, w1, w2, b = (engine.Value(number) for number in (1.5, -2.0, 0.6, 0.4, 0.1))
    y = (w1 * x1 + w2 * x2 + b).tanh()
    y.backward()
    slope = 1 - math.tanh(0.2) ** 2  # at 0.6 · 1.5 - 0.4 · 2 + 0.1 = 0.2
    assert y.data == approx(math.tanh(0.2))
    assert w1.grad == approx(1.5 * slope)  # x1 · tanh'
    assert w2.grad == approx(-2.0 * slope)  # x2 · tanh'
    assert b.grad == approx(slope)
    assert x1.grad == approx(0.6 * slope)  # w1 · tanh'
    assert x2.grad == approx(0.4 * slope)  # w2 · tanh'


@pytest.mark.points(1)
@pytest.mark.hint("Where tanh is nearly flat the gradient is small, but it is there.")
def test_saturated_neuron(engine):
    """The neuron tanh(x·w + b) where tanh is nearly flat"""
    x, w, b = engine.Value(2.0), engine.Value(-3.0), engine.Value(1.0)
    y = (x * w + b).tanh()
    y.backward()
    assert y.data == approx(math.tanh(-5.0))
    assert w.grad == approx(2.0 / math.cosh(5.0) ** 2)  # x · tanh', and tanh' = 1/cosh²


@pytest.mark.points(2)
@pytest.mark.hint("The error is squared after tanh: its derivative is a factor of every gradient.")
def test_squared_error(engine):
    """The squared error ½ (tanh(w·x + b) - t)² of one example"""
    w, b, x, t = engine.Value(0.8), engine.Value(-0.3), 1.5, 0.2
    loss = 0.5 * ((w * x + b).tanh() - t) ** 2
    loss.backward()
    y = math.tanh(0.9)  # 0.8 · 1.5 - 0.3
    assert loss.data == approx(0.5 * (y - 0.2) ** 2)
    assert w.grad == approx((y - 0.2) * (1 - y**2) * 1.5)  # (y - t) · tanh' · x
    assert b.grad == approx((y - 0.2) * (1 - y**2))


@pytest.mark.points(2)
@pytest.mark.hint(
    "d is used twice: its gradient is complete only when tanh and the product have both added their share."
)
def test_tangled_expression(engine):
    """The expression tanh(d + a) · d + b with d = a·b + c"""
    a, b, c = engine.Value(0.7), engine.Value(-1.3), engine.Value(2.0)
    d = a * b + c
    e = (d + a).tanh()
    y = e * d + b
    y.backward()
    d, e = 1.09, math.tanh(1.79)  # 0.7 · (-1.3) + 2 and tanh(d + 0.7)
    slope = (1 - e**2) * d
    assert y.data == approx(e * d - 1.3)
    assert a.grad == approx(slope * (-1.3 + 1) + e * -1.3)  # tanh' · d · (b + 1) + e · b
    assert b.grad == approx(slope * 0.7 + e * 0.7 + 1)  # tanh' · d · a + e · a + 1
    assert c.grad == approx(slope + e)  # tanh' · d + e


@pytest.mark.points(2)
@pytest.mark.hint("Every operation takes part here: first make the tests of the single operations pass.")
def test_every_operation(engine):
    """The expression tanh((a·b + eᵇ) · (a + c)) + relu(a²·c) + (b / (c + 2))²"""
    a, b, c = engine.Value(0.5), engine.Value(-1.2), engine.Value(0.9)
    y = ((a * b + b.exp()) * (a + c)).tanh() + (a * a * c).relu() + (b / (c + 2.0)) ** 2
    y.backward()
    p, q = -0.6 + math.exp(-1.2), 1.4  # a·b + eᵇ and a + c
    t = math.tanh(p * q)
    assert y.data == approx(t + 0.225 + (-1.2 / 2.9) ** 2)
    assert a.grad == approx((1 - t**2) * (-1.2 * q + p) + 0.9)  # tanh' · (b·q + p) + 2·a·c
    assert b.grad == approx((1 - t**2) * (0.5 + math.exp(-1.2)) * q - 2.4 / 2.9**2)  # … · q + 2b / (c + 2)²
    assert c.grad == approx((1 - t**2) * p + 0.25 - 2 * 1.44 / 2.9**3)  # tanh' · p + a² - 2b² / (c + 2)³


def composite(x):
    """Return an expression of every operation at once, far from the kink of relu."""
    y = (x * 0.5 - 1) ** 3 + 2 / (1 + x.exp())
    return (y.tanh() + x.relu() * y) / (x + 3) - y


@pytest.mark.points(2.25)
@pytest.mark.hint(
    "The slope of your own forward pass disagrees with your gradient: one of the local derivatives is wrong."
)
def test_gradient_agrees_with_a_central_difference(engine):
    """The gradient agrees with (f(x + h) - f(x - h)) / 2h"""
    x, h = engine.Value(0.8), 1e-5
    composite(x).backward()
    above, below = composite(engine.Value(0.8 + h)), composite(engine.Value(0.8 - h))
    slope = x.grad
    assert slope == approx((above.data - below.data) / (2 * h), rel=1e-5)
    assert slope == approx(-0.005989941298799696, rel=1e-5)  # f'(0.8), from the formulas: both numbers above are yours
