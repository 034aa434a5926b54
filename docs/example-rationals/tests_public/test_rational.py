"""One example of each task."""

import pytest


@pytest.mark.points(1)
@pytest.mark.task(id="1.2")
@pytest.mark.hint("Divide both numbers by their greatest common divisor.")
def test_lowest_terms(rational, ask):
    assert str(ask(rational.Rational(6, 8))) == "3/4"


@pytest.mark.points(1)
@pytest.mark.task(id="1.3")
@pytest.mark.hint("1/2 and 2/4 are the same number, 1/2 and 1/3 are not.")
def test_equal_numbers(rational, ask):
    half = rational.Rational(1, 2)
    assert ask(half) == rational.Rational(2, 4)
    assert ask(half) != rational.Rational(1, 3)


@pytest.mark.points(1)
@pytest.mark.task(id="2.1")
@pytest.mark.after("test_lowest_terms")
@pytest.mark.hint("Bring both to the same denominator, then add what stands above.")
def test_sum(rational, ask):
    assert str(ask(rational.Rational(1, 2) + rational.Rational(1, 6))) == "2/3"


@pytest.mark.points(1)
@pytest.mark.task(id="2.2")
@pytest.mark.after("test_lowest_terms")
@pytest.mark.hint("Multiply above with above, and below with below.")
def test_product(rational, ask):
    assert str(ask(rational.Rational(2, 3) * rational.Rational(3, 5))) == "2/5"
