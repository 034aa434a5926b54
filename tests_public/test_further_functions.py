"""Going further, part 3: more functions, and where calculus runs out. Worth no points."""

import math

import pytest
from pytest import approx

pytestmark = pytest.mark.unscored


@pytest.mark.task(id="3.1")
@pytest.mark.hint("d ln(a)/da = 1/a.")
def test_logarithm(engine):
    a = engine.Value(2.5)
    y = a.log()
    y.backward()
    assert y.data == approx(math.log(2.5))
    assert a.grad == approx(0.4)  # 1/a


@pytest.mark.task(id="3.1")
@pytest.mark.hint("Each use of a adds its share, and each share is multiplied by what arrives from above.")
def test_logarithm_in_a_composition(engine):
    """The expression a · ln(a) + ln(a)"""
    a = engine.Value(2.0)
    (a * a.log() + a.log()).backward()
    assert a.grad == approx(math.log(2.0) + 1 + 0.5)  # ln(a) + 1 + 1/a


@pytest.mark.task(id="3.1")
@pytest.mark.hint("d√a/da = 1 / 2√a.")
def test_square_root(engine):
    a = engine.Value(9.0)
    y = 3 * a.sqrt()
    y.backward()
    assert y.data == approx(9.0)
    assert a.grad == approx(0.5)  # 3 / 2√a


@pytest.mark.task(id="3.1")
@pytest.mark.hint("|a| falls on the left of zero and rises on the right: its derivative is the sign of a.")
@pytest.mark.parametrize(("number", "slope"), [(-1.0, -1.0), (0.0, 0.0), (1.0, 1.0)], ids=["-1", "0", "1"])
def test_absolute_value(engine, number, slope):
    """The absolute value; at its kink the derivative is 0 by convention"""
    a = engine.Value(number)
    y = abs(a)
    y.backward()
    assert y.data == approx(abs(number))
    assert a.grad == approx(slope)


@pytest.mark.task(id="3.2")
@pytest.mark.hint("With s for the sigmoid, the fused rule is s · (1 - s).")
@pytest.mark.parametrize("number", [-3.0, -0.5, 0.0, 0.8, 4.0], ids=str)
def test_sigmoid_two_ways(engine, number):
    """The sigmoid composed of operations and fused into one agree"""
    a, b = engine.Value(number), engine.Value(number)
    composed, fused = engine.composed_sigmoid(a), b.sigmoid()
    (composed * 2).backward()
    (fused * 2).backward()
    s = 1 / (1 + math.exp(-number))
    assert composed.data == approx(s)
    assert fused.data == approx(s)
    assert a.grad == approx(2 * s * (1 - s))
    assert b.grad == approx(2 * s * (1 - s))


@pytest.mark.task(id="3.2")
@pytest.mark.hint("For a large negative a, e to the power of -a is too large for a float. Take a form without it.")
def test_fused_sigmoid_far_from_zero(engine):
    """The fused sigmoid does not overflow"""
    a = engine.Value(-800.0)
    y = a.sigmoid()
    y.backward()
    assert y.data == approx(0.0)
    assert a.grad == approx(0.0)


@pytest.mark.task(id="3.3")
@pytest.mark.hint("relu has a kink at zero, where its derivative is 0 by convention.")
@pytest.mark.parametrize(("number", "slope"), [(-1.0, 0.0), (0.0, 0.0), (1.0, 1.0)], ids=["-1", "0", "1"])
def test_slope_of_relu(engine, number, slope):
    """The derivative of relu left of its kink, at it and right of it"""
    a = engine.Value(number)
    a.relu().backward()
    assert a.grad == approx(slope)


@pytest.mark.task(id="3.1")
@pytest.mark.hint("At zero the slope of the square root grows without bound: its limit from the right is math.inf.")
def test_square_root_of_zero(engine):
    """The derivative of the square root at 0 is infinite"""
    a = engine.Value(0.0)
    a.sqrt().backward()
    assert a.grad == math.inf


@pytest.mark.task(id="3.3")
@pytest.mark.hint("The result is one operand's number. That operand's local derivative is 1, the other's is 0.")
@pytest.mark.parametrize(("condition", "left", "right"), [(True, 1.0, 0.0), (False, 0.0, 1.0)], ids=["a", "b"])
def test_where(engine, condition, left, right):
    """where(condition, a, b) takes the value and the gradient of one operand"""
    a, b = engine.Value(4.0), engine.Value(7.0)
    y = engine.where(condition, a, b)
    y.backward()
    assert y.data == approx(4.0 if condition else 7.0)
    assert a.grad == approx(left)
    assert b.grad == approx(right)


@pytest.mark.task(id="3.3")
@pytest.mark.hint("Both operands are computed before one is chosen: 0 from the choice, times infinity, is nan.")
def test_where_does_not_protect_the_gradient(engine):
    """The trap: where(a > 0, √a, 0) at 0 has the value 0 and the gradient nan"""
    a = engine.Value(0.0)
    y = engine.where(False, a.sqrt(), engine.Value(0.0))
    y.backward()
    assert y.data == approx(0.0)
    assert math.isnan(a.grad)


@pytest.mark.task(id="3.3")
@pytest.mark.hint("Look at the number first, and compute the square root only where it is above zero.")
@pytest.mark.parametrize(
    ("number", "slope"), [(0.0, 0.0), (0.25, 1.0), (4.0, 0.25), (-1.0, 0.0)], ids=["0", "0.25", "4", "-1"]
)
def test_mask_before_the_square_root(engine, number, slope):
    """The way out of the trap: decide before computing"""
    a = engine.Value(number)
    y = engine.sqrt_or_zero(a) + 0 * a
    y.backward()
    assert y.data == approx(math.sqrt(max(number, 0.0)))
    assert a.grad == approx(slope)


@pytest.mark.task(id="3.3")
@pytest.mark.hint("Whatever the base, its power 0 is 1: a constant.")
def test_exponent_of_zero(engine):
    """A power with the exponent 0 is a constant"""
    a = engine.Value(1.5)
    y = a**0 + a * 2
    y.backward()
    assert y.data == approx(4.0)  # 1 + 3
    assert a.grad == approx(2.0)  # d(a⁰)/da = 0
