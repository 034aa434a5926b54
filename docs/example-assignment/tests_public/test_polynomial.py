"""One example of each function."""

import pytest
from pytest import approx


@pytest.mark.points(1)
@pytest.mark.task(id="1.1")
@pytest.mark.hint("Each coefficient is multiplied by a power of x, the first by x⁰ = 1.")
def test_value(polynomial):
    assert polynomial.value([1, 0, 3], 2) == approx(13)  # 1 + 3·2²


@pytest.mark.points(1)
@pytest.mark.task(id="1.2")
@pytest.mark.hint("The derivative of c·xⁿ is n·c·xⁿ⁻¹, so every coefficient moves one place down.")
def test_derivative(polynomial):
    assert polynomial.derivative([1, 4, 3]) == approx([4, 6])  # (1 + 4x + 3x²)′


@pytest.mark.points(1)
@pytest.mark.task(id="1.3")
@pytest.mark.hint("Multiply every term of one by every term of the other; the powers add.")
def test_product(polynomial):
    assert polynomial.product([1, 1], [2, 3]) == approx([2, 5, 3])  # (1 + x)(2 + 3x)


@pytest.mark.points(1)
@pytest.mark.task(id="2.1")
@pytest.mark.after("test_value")
@pytest.mark.hint("Halve the interval, and keep the half at whose ends the signs differ.")
def test_root(polynomial):
    assert polynomial.root([-2, 0, 1], 0, 2) == approx(2**0.5)
