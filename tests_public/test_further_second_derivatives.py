"""Going further, part 7: a backward pass that builds graphs, so that derivatives have derivatives. Worth no points."""

import math

import pytest
from pytest import approx

pytestmark = pytest.mark.unscored


def derivatives(higher_order, y, x, order):
    """Return the derivatives of y with respect to x up to an order, as numbers."""
    found = []
    for _ in range(order):
        (y,) = higher_order.grad(y, [x])
        found.append(y.data)
    return found


@pytest.mark.task(id="7.1")
@pytest.mark.hint("A partial is a function without arguments that returns a Value: for a · b, those are b and a.")
def test_first_derivatives(higher_order):
    """First derivatives of every operation at once"""
    x = higher_order.Value(0.7)
    y = 1 / (2 - x) - x / 3 + x.exp() * x.tanh() + x**3 - 5
    (slope,) = derivatives(higher_order, y, x, 1)
    t = math.tanh(0.7)
    expected = 1 / 1.3**2 - 1 / 3 + math.exp(0.7) * (t + 1 - t**2) + 3 * 0.7**2
    assert y.data == approx(1 / 1.3 - 0.7 / 3 + math.exp(0.7) * t + 0.7**3 - 5)
    assert slope == approx(expected)


@pytest.mark.task(id="7.2")
@pytest.mark.hint("A value used twice receives two gradients: add them, as Values.")
def test_reused_value(higher_order):
    """a·a + a at 3 has the derivatives 7 and 2"""
    a = higher_order.Value(3.0)
    assert derivatives(higher_order, a * a + a, a, 2) == approx([7.0, 2.0])


@pytest.mark.task(id="7.2")
@pytest.mark.hint(
    "The gradient must be a Value with parents: multiply partials and gradients as Values, not their data."
)
@pytest.mark.parametrize("number", [3.0, -1.5, 0.0], ids=str)
def test_second_derivative_of_a_cube(higher_order, number):
    """d²(a³)/da² = 6a, with a³ as a product"""
    a = higher_order.Value(number)
    first, second, third = derivatives(higher_order, a * a * a, a, 3)
    assert first == approx(3 * number**2)
    assert second == approx(6 * number)
    assert third == approx(6.0)


@pytest.mark.task(id="7.1")
@pytest.mark.hint("The partial of a power is n · a to the power n - 1, computed with Values.")
def test_derivatives_of_a_power(higher_order):
    """The derivatives of a⁴ at 2"""
    a = higher_order.Value(2.0)
    assert derivatives(higher_order, a**4, a, 5) == approx([32.0, 48.0, 48.0, 24.0, 0.0])


@pytest.mark.task(id="7.1")
@pytest.mark.hint("The partial of tanh is 1 - t · t, where t is the result itself.")
def test_derivatives_of_tanh(higher_order):
    """The first three derivatives of tanh at 0.5"""
    x = higher_order.Value(0.5)
    t = math.tanh(0.5)
    expected = [1 - t**2, -2 * t * (1 - t**2), (1 - t**2) * (6 * t**2 - 2)]
    assert derivatives(higher_order, x.tanh(), x, 3) == approx(expected)


@pytest.mark.task(id="7.2")
@pytest.mark.hint("A value that the output does not depend on has the derivative 0.")
def test_an_input_without_influence(higher_order):
    """The derivative with respect to something else is 0"""
    a, b = higher_order.Value(3.0), higher_order.Value(4.0)
    slope_a, slope_b = higher_order.grad(a * a, [a, b])
    assert slope_a.data == approx(6.0)
    assert slope_b.data == approx(0.0)


@pytest.mark.task(id="7.3")
@pytest.mark.hint("Row i holds the derivatives of the gradient's entry i.")
def test_hessian_of_a_product(higher_order):
    """The Hessian of w0²·w1 at (1.5, -2)"""
    w0, w1 = higher_order.Value(1.5), higher_order.Value(-2.0)
    first, second = higher_order.hessian(w0**2 * w1, [w0, w1])
    assert first == approx([-4.0, 3.0])  # 2·w1, 2·w0
    assert second == approx([3.0, 0.0])  # 2·w0, 0


@pytest.mark.task(id="7.3")
@pytest.mark.hint("Row i holds the derivatives of the gradient's entry i.")
def test_hessian_of_a_cubic(higher_order):
    """The Hessian of x²·y + y³ at (1.3, -0.7)"""
    x, y = higher_order.Value(1.3), higher_order.Value(-0.7)
    first, second = higher_order.hessian(x**2 * y + y**3, [x, y])
    assert first == approx([-1.4, 2.6])  # 2y, 2x
    assert second == approx([2.6, -4.2])  # 2x, 6y


@pytest.mark.task(id="7.4")
@pytest.mark.hint("Take the gradient, multiply it by the constant vector, and differentiate that number once more.")
def test_hessian_vector_product(higher_order):
    """The Hessian of x²·y + y³ times (2, -1)"""
    x, y = higher_order.Value(1.3), higher_order.Value(-0.7)
    product = higher_order.hessian_vector_product(x**2 * y + y**3, [x, y], [2.0, -1.0])
    assert product == approx([-5.4, 9.4])  # -1.4 · 2 - 2.6 and 2.6 · 2 + 4.2


@pytest.mark.task(id="7.5")
@pytest.mark.hint("Keep the inner gradient in the graph: the step depends on θ through it too.")
def test_meta_gradient(higher_order):
    """The gradient through one inner step, as in MAML"""
    full = higher_order.meta_gradient(0.5, 1.0, 0.0, 0.4, first_order=False)
    assert full == approx(0.42)  # (θ′ - b)(1 - α), with θ′ = 0.6 · 0.5 + 0.4 · 1 = 0.7


@pytest.mark.task(id="7.5")
@pytest.mark.hint("The first-order gradient is that at the point where the step arrived.")
def test_first_order_meta_gradient(higher_order):
    """The gradient without the second-order term, as in FOMAML"""
    first = higher_order.meta_gradient(0.5, 1.0, 0.0, 0.4, first_order=True)
    assert first == approx(0.7)  # θ′ - b
