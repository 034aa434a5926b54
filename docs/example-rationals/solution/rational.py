"""Exact fractions: 1/10 + 2/10 is 3/10, where 0.1 + 0.2 is 0.30000000000000004."""

from math import gcd


class Rational:
    """A fraction in lowest terms, whose sign stands above."""

    def __init__(self, numerator, denominator=1):  # task 1.1
        """Keep numerator / denominator; raise ZeroDivisionError if the denominator is 0."""
        if denominator == 0:
            raise ZeroDivisionError("a fraction with the denominator 0")
        common = gcd(numerator, denominator) * (1 if denominator > 0 else -1)
        self._above, self._below = numerator // common, denominator // common

    def __str__(self):  # task 1.2
        """Return "1/2", or "3" for a whole number."""
        return str(self._above) if self._below == 1 else f"{self._above}/{self._below}"

    def __eq__(self, other):  # task 1.3
        """Return True if both are the same number; nothing but a Rational equals one."""
        if not isinstance(other, Rational):
            return NotImplemented
        return self._above * other._below == other._above * self._below

    def __add__(self, other):  # task 2.1
        """Return the sum of two Rationals."""
        return Rational(self._above * other._below + other._above * self._below, self._below * other._below)

    def __mul__(self, other):  # task 2.2
        """Return the product of two Rationals."""
        return Rational(self._above * other._above, self._below * other._below)

    def __lt__(self, other):  # task 2.3
        """Return True if this number is less than the other Rational."""
        return self._above * other._below < other._above * self._below
