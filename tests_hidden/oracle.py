"""Expected derivatives, by another method than the one under test, and the source of random inputs.

The method is forward mode: a `Dual` carries its value and its derivative with respect to every input, and each
operation computes both at once. There is no graph, no order and nothing to accumulate, so the mistakes of a backward
pass cannot happen here.
"""

import math
from random import Random


class Dual:
    """A number and its derivative with respect to each input."""

    def __init__(self, value, slopes):
        self.value = value
        self.slopes = slopes

    def chained(self, value, slope):
        """Return f(a), given f(a) and f'(a): (f(a))' = f'(a) · a'."""
        return Dual(value, tuple(slope * s for s in self.slopes))

    def as_dual(self, number):
        """Return a plain number as a constant: its derivatives are zero."""
        return number if isinstance(number, Dual) else Dual(number, (0.0,) * len(self.slopes))

    def __add__(self, other):
        other = self.as_dual(other)
        return Dual(self.value + other.value, tuple(s + t for s, t in zip(self.slopes, other.slopes, strict=True)))

    def __mul__(self, other):
        other = self.as_dual(other)
        product_rule = (s * other.value + self.value * t for s, t in zip(self.slopes, other.slopes, strict=True))
        return Dual(self.value * other.value, tuple(product_rule))

    def __truediv__(self, other):
        other = self.as_dual(other)
        quotient_rule = (
            (s * other.value - self.value * t) / other.value**2 for s, t in zip(self.slopes, other.slopes, strict=True)
        )
        return Dual(self.value / other.value, tuple(quotient_rule))

    def __neg__(self):
        return self.chained(-self.value, -1.0)

    def __sub__(self, other):
        return self + -self.as_dual(other)

    def __pow__(self, n):
        return self.chained(self.value**n, n * self.value ** (n - 1))

    def __radd__(self, number):
        return self.as_dual(number) + self

    def __rmul__(self, number):
        return self.as_dual(number) * self

    def __rsub__(self, number):
        return self.as_dual(number) - self

    def __rtruediv__(self, number):
        return self.as_dual(number) / self

    def tanh(self):
        return self.chained(math.tanh(self.value), 1.0 / math.cosh(self.value) ** 2)

    def exp(self):
        return self.chained(math.exp(self.value), math.exp(self.value))

    def relu(self):
        return self.chained(max(0.0, self.value), float(self.value > 0.0))


def unit(i, length):
    """Return the derivatives of input `i`: 1 with respect to itself, 0 with respect to the others."""
    return tuple(float(i == j) for j in range(length))


def expected(function, point):
    """Return the value of `function` at `point` and its derivative with respect to each coordinate, as one list."""
    output = function(*(Dual(x, unit(i, len(point))) for i, x in enumerate(point)))
    return [output.value, *output.slopes]


def measured(engine, function, point):
    """Return what `expected` does, but as the engine under test has it: from one fresh graph and one backward pass."""
    inputs = [engine.Value(x) for x in point]
    output = function(*inputs)
    output.backward()
    return [output.data, *(x.grad for x in inputs)]


def agree(numbers, others):
    """Return whether two lists of numbers agree to nine digits, as `approx` does in ten times the time."""
    return all(math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12) for a, b in zip(numbers, others, strict=True))


class Draw:
    """A source of random inputs: the same seed and purpose give the same inputs on every Python."""

    def __init__(self, seed, purpose):
        self.random = Random(f"{seed} {purpose}").random  # the only method whose sequence Python promises to keep

    def one_of(self, choices):
        """Return one of a sequence."""
        return choices[int(self.random() * len(choices))]

    def number(self, low, high):
        """Return a number between `low` and `high`, of two decimals so that a report can be read."""
        return round(low + (high - low) * self.random(), 2)

    def signed(self, low, high):
        """Return a number of either sign, whose size is between `low` and `high`."""
        return self.number(low, high) * self.one_of((-1, 1))

    def whole(self):
        """Return an int from 2 to 5, of either sign."""
        return self.one_of((-5, -4, -3, -2, 2, 3, 4, 5))

    def fraction(self):
        """Return a float between 1 and 3, of either sign."""
        return self.signed(1, 3)
