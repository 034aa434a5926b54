"""The same tasks on fractions that are drawn from the term's seed, and at their edges."""

from fractions import Fraction
from random import Random

import pytest


def drawn(seed, name, many=6):
    """Return pairs of numerator and denominator; drawn by name, so that a new test changes no other's input."""
    random = Random(f"{seed} {name}")
    return [(random.randint(-9, 9), random.randint(2, 9)) for _ in range(many)]


@pytest.mark.points(1)
@pytest.mark.task(id="1.1")
@pytest.mark.hint("There is no fraction with the denominator 0: raise ZeroDivisionError.")
def test_denominator_zero(rational):
    with pytest.raises(ZeroDivisionError):
        rational.Rational(1, 0)


@pytest.mark.points(1)
@pytest.mark.task(id="1.2")
@pytest.mark.hint("The denominator may be negative, and the sign always stands above.")
def test_negative_denominator(rational, ask):
    assert str(ask(rational.Rational(1, -2))) == "-1/2"


@pytest.mark.points(1)
@pytest.mark.task(id="1.2")
@pytest.mark.hint("A whole number has no denominator to show.")
def test_whole_number(rational, ask):
    assert str(ask(rational.Rational(-6, 2))) == "-3"


@pytest.mark.points(1)
@pytest.mark.task(id="1.3")
@pytest.mark.hint("A fraction may be compared with something that is not one.")
def test_other_things_are_not_equal(rational, ask):
    assert ask(rational.Rational(1, 2)) != "1/2"


@pytest.mark.points(1)
@pytest.mark.task(id="2.1")
@pytest.mark.hint("Add several fractions, some of them negative.")
def test_drawn_sums(rational, ask, seed):
    total, expected = rational.Rational(0), Fraction(0)
    for pair in drawn(seed, "sums"):
        total, expected = total + rational.Rational(*pair), expected + Fraction(*pair)
        assert str(ask(total)) == str(expected)


@pytest.mark.points(1)
@pytest.mark.task(id="2.3")
@pytest.mark.hint("Which of two fractions is less can be seen once their denominators are the same.")
def test_order(rational, ask, seed):
    numbers = [(1, 2), (1, 3), *drawn(seed, "order")]
    found = sorted([rational.Rational(*pair) for pair in numbers], key=ask)
    assert [str(ask(each)) for each in found] == [str(each) for each in sorted(Fraction(*pair) for pair in numbers)]
