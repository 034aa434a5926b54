"""A correct homework in another style: a name for Python's own fractions."""

from fractions import Fraction


class Rational:
    def __init__(self, numerator, denominator=1):
        self.value = Fraction(numerator, denominator)

    def __str__(self):
        return str(self.value)

    def __eq__(self, other):
        return isinstance(other, Rational) and self.value == other.value

    def __add__(self, other):
        return self._made(self.value + other.value)

    def __mul__(self, other):
        return self._made(self.value * other.value)

    def __lt__(self, other):
        return self.value < other.value

    def _made(self, value):
        return Rational(value.numerator, value.denominator)
