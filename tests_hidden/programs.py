"""Random programs: straight lines of steps that use values again, or trees that use every value once.

Inputs and steps are drawn so that no step comes near a kink, a pole or an overflow, and every expected derivative is of
ordinary size: what a program tests is the backward pass, not the last digits of arithmetic.
"""

import functools
from collections.abc import Callable
from dataclasses import dataclass

from oracle import Draw, Dual, expected, unit


def anywhere(a, b):
    return True


def away_from_zero(a, b):
    return abs(a) > 0.3


def positive(a, b):
    return a > 0.3


def moderate(a, b):
    return abs(a) < 2.0


def divisor_away_from_zero(a, b):
    return abs(b) > 0.3


@dataclass(frozen=True)
class Operation:
    """One kind of step: how it reads, what it does, the plain numbers it may use, and where its derivative is tame."""

    text: str
    apply: Callable
    numbers: tuple = (None,)
    tame: Callable = anywhere

    @property
    def binary(self):
        return "{b}" in self.text


NUMBERS = (2, 3, -2, 0.5, 1.5, -0.75)

SUMS_AND_PRODUCTS = (
    Operation("{a} + {b}", lambda a, b, n: a + b),
    Operation("{a} * {b}", lambda a, b, n: a * b),
)
DIFFERENCES_AND_QUOTIENTS = (
    Operation("{a} - {b}", lambda a, b, n: a - b),
    Operation("{a} / {b}", lambda a, b, n: a / b, tame=divisor_away_from_zero),
    Operation("-{a}", lambda a, b, n: -a),
)
NUMBERS_ON_THE_RIGHT = (
    Operation("{a} + {n}", lambda a, b, n: a + n, NUMBERS),
    Operation("{a} * {n}", lambda a, b, n: a * n, NUMBERS),
)
POWERS = (
    Operation("{a} ** {n}", lambda a, b, n: a**n, (2, 3, 2.0, -1, 4, -2), away_from_zero),
    Operation("{a} ** {n}", lambda a, b, n: a**n, (0.5, 1.5, -0.5, 2.5), positive),
)
TANH = (Operation("{a}.tanh()", lambda a, b, n: a.tanh(), tame=moderate),)
EXP = (Operation("{a}.exp()", lambda a, b, n: a.exp(), tame=moderate),)
RELU = (Operation("{a}.relu()", lambda a, b, n: a.relu(), tame=away_from_zero),)
EVERYTHING = SUMS_AND_PRODUCTS + DIFFERENCES_AND_QUOTIENTS + NUMBERS_ON_THE_RIGHT + POWERS + TANH + EXP + RELU


@dataclass(frozen=True)
class RandomProgram:
    """Steps, each of which may use any earlier value, and the point at which to try them; called, the last value."""

    point: tuple
    steps: tuple  # of (operation, index of a, index of b, number)

    def __call__(self, *inputs):
        values = list(inputs)
        for operation, a, b, number in self.steps:
            values.append(operation.apply(values[a], values[b], number))
        return values[-1]

    @functools.cached_property
    def expected(self):
        """The value at the point and its derivative with respect to each input, as one list."""
        return expected(self, self.point)

    def __str__(self):
        lines = [f"v{i} = {x}" for i, x in enumerate(self.point)]
        for operation, a, b, number in self.steps:
            lines.append(f"v{len(lines)} = " + operation.text.format(a=f"v{a}", b=f"v{b}", n=number))
        return "; ".join(lines)


class Draft:
    """A program while it is drawn: its steps, and every value so far with its derivatives."""

    def __init__(self, draw, inputs):
        self.draw = draw
        self.point = tuple(draw.signed(0.5, 2.0) for _ in range(inputs))
        self.values = [Dual(x, unit(i, inputs)) for i, x in enumerate(self.point)]
        self.uses = [0] * inputs
        self.steps = []

    def recent(self):
        """Return the index of any value, but more often of one that was computed lately."""
        everything = range(len(self.values))
        return self.draw.one_of(everything[-3:] if self.draw.random() < 0.6 else everything)

    def unused(self):
        """Return the indices of the values that no step has used."""
        return [i for i, uses in enumerate(self.uses) if not uses]

    def shared(self):
        """Return how many computed values are used more than once."""
        return sum(uses > 1 for uses in self.uses[len(self.point) :])

    def propose(self, operation, a, b):
        """Append the step unless it comes near a kink, a pole or an overflow."""
        number = self.draw.one_of(operation.numbers)
        if not operation.tame(self.values[a].value, self.values[b].value):
            return
        result = operation.apply(self.values[a], self.values[b], number)
        if abs(result.value) < 10 and all(abs(slope) < 30 for slope in result.slopes):
            self.values.append(result)
            self.uses.append(0)
            self.uses[a] += 1
            self.uses[b] += operation.binary
            self.steps.append((operation, a, b, number))

    def close(self):
        """Add up what no step has used, so that every value counts."""
        while len(self.unused()) > 1:
            a, b = self.unused()[-2:]
            self.values.append(self.values[a] + self.values[b])
            self.uses.append(0)
            self.uses[a] += 1
            self.uses[b] += 1
            self.steps.append((SUMS_AND_PRODUCTS[0], a, b, None))

    def tame(self):
        """Return whether every derivative of the last value is neither tiny nor huge."""
        return all(0.05 < abs(slope) < 200 for slope in self.values[-1].slopes)


@functools.cache  # whoever grades a class draws them once
def programs(seed, purpose, operations, count):
    """Return `count` programs that use computed values again, made of `operations`."""
    draw = Draw(seed, purpose)
    return tuple(shared_program(draw, operations) for _ in range(count))


@functools.cache
def trees(seed, purpose, operations, count):
    """Return `count` programs that use every value exactly once, made of `operations`."""
    draw = Draw(seed, purpose)
    return tuple(tree(draw, operations) for _ in range(count))


def shared_program(draw, operations):
    """Return a program of three inputs that uses at least three computed values again."""
    while True:
        draft = Draft(draw, inputs=3)
        for _ in range(14):
            draft.propose(draw.one_of(operations), draft.recent(), draft.recent())
        draft.close()
        if draft.tame() and draft.shared() >= 3:
            return RandomProgram(draft.point, tuple(draft.steps))


def tree(draw, operations):
    """Return a program of five inputs that uses every value once."""
    while True:
        draft = Draft(draw, inputs=5)
        for _ in range(8):
            operation, a, b = draw.one_of(operations), draw.one_of(draft.unused()), draw.one_of(draft.unused())
            if a != b or not operation.binary:
                draft.propose(operation, a, b)
        draft.close()
        if draft.tame() and len(draft.steps) >= 8:
            return RandomProgram(draft.point, tuple(draft.steps))
