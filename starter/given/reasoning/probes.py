# Copied by `autograder starter` from autograder/diagnosis/reasoning/probes.py: edit that file.
"""Small experiments in the worker of a failed test: with one operator, and here with the pass as a whole.

They tell apart theories that explain a record equally well. The numbers are those that the operator met in the test,
and others, so that no mistake is read from one point alone.
"""

from __future__ import annotations

import math
from functools import cached_property

from .beside import Beside
from .program import Node, Place, leaves_of
from .reference import close
from .sample import Sample
from .witness import new_value

_X = 1.7
_FACTORS = (3.0, 1.23456789, 0.0002, -1.0)  # what is clipped, rounded, taken for 0, and loses its sign


class Laboratory(Beside):
    """The pass as a whole, whatever the operator."""

    def shows(self, code: str) -> bool:
        """Return True if an experiment shows a mistake of the pass as a whole."""
        return {
            "only-output": lambda: self.stops_everywhere,
            "left-over": lambda: self.remembers,
            "equal-values-merge": lambda: self.merges_equals,
            "order-by-number": lambda: self.orders_by_number,
            "visited-again": lambda: self.visits_again,
        }[code]()

    @property
    def loses_everywhere(self) -> bool:
        """Return True if even sums and products leave one gradient of two, so that no operator is to blame."""
        return all(self.loses_a_gradient(subject) for subject in ("+", "*"))

    @property
    def stops_everywhere(self) -> bool:
        """Return True if only the output passes a gradient on, whatever it was made with."""
        whole = (self.flag("all behind", each, lambda sample: all(self._stopped(sample))) for each in ("+", "*"))
        return all(whole)

    @property
    def cuts_everywhere(self) -> bool:
        """Return True if not even a sum or a product by itself passes a gradient on."""
        return all(not any(alone.got) for subject in ("+", "*") for alone in self.alone(subject))

    @property
    def visits_again(self) -> bool:
        """Return True if a value that is both operands of the output passes its gradient on more than once."""
        return self.flag("again", "+", self._visits_again)

    def _visits_again(self, _: Sample) -> bool:
        """Try b + b with b = u + v."""
        u, v = leaves_of(1.7, 0.6)
        steps = [u, v, Node(Place(2), "add", (Place(0), Place(1)))]
        held = self.witness.replayed([*steps, Node(Place(3), "add", (Place(2), Place(2)))])
        return held is not None and all((each.grad or 0.0) > 2.0 for each in held[:2])

    @property
    def merges_equals(self) -> bool:
        """Return True if two sums of equal numbers give other gradients than two sums of different numbers."""
        return self.flag("equal", "+", self._merges)

    def _merges(self, _: Sample) -> bool:
        right = [1.0] * 4
        return all(  # three times: where a set decides, it may be luck
            self._two_sums(1.7, 0.6) not in ([], right) and self._two_sums(1.6, 0.5) == right for _ in range(3)
        )

    def _two_sums(self, x: float, y: float) -> list[float]:
        """Return the gradients of (1.7 + 0.6) + (x + y)."""
        leaves = leaves_of(1.7, 0.6, x, y)
        sums = [Node(Place(20 + i), "add", (Place(2 * i), Place(2 * i + 1))) for i in range(2)]
        total = Node(Place(22), "add", (Place(20), Place(21)))
        return self.gradients([*leaves, *sums, total], 4)

    @property
    def remembers(self) -> bool:
        """Return True if the same sum, made anew several times, has other gradients one of the times."""
        return self.flag("anew", "+", lambda _: len({self._sum_of_two() for _ in range(5)}) > 1)

    def _sum_of_two(self) -> tuple[float, ...]:
        """Return the gradients of 1.7 + 0.6: there is one order alone, in a set too."""
        leaves = leaves_of(1.7, 0.6)
        return tuple(self.gradients([*leaves, Node(Place(20), "add", (Place(0), Place(1)))], 2))

    @property
    def orders_by_number(self) -> bool:
        """Return True if a gradient gets through two sums or not, as the last one is more or less than the first."""
        return self.flag("number", "+", lambda _: self._two_in_turn(2.0) != self._two_in_turn(-2.0))

    def _two_in_turn(self, x: float) -> bool:
        """Try (1.7 + 0.6) + x; return True if all gradients are 1."""
        leaves = leaves_of(1.7, 0.6, x)
        inner = Node(Place(20), "add", (Place(0), Place(1)))
        return self.gradients([*leaves, inner, Node(Place(21), "add", (Place(20), Place(2)))], 3) == [1.0] * 3

    @property
    def fault_of_any(self) -> str:
        """Return the code of what makes the gradients of any operator wrong alike; "" for nothing."""
        products, others = self._of_products, self._of_others
        if self._start and products and all(close(got, right + self._start) for right, got in products.items()):
            return "start-not-zero"
        alike = {right: got for right, got in products.items() if right in others and close(got, others[right])}
        if len({*alike.values()}) > 1 and not all(map(close, alike.values(), alike)):
            return "visited-again" if self.visits_again else "gradients-altered"
        return ""

    @cached_property
    def _start(self) -> float:
        """Return the gradient that a new value has."""
        leaf = new_value(self.witness, _X)
        return (leaf and leaf.gradient) or 0.0

    @cached_property
    def _of_products(self) -> dict[float, float]:
        """Return what x * c leaves, by c, which it should be."""
        return {factor: got for factor in _FACTORS for got in self._left(_X, "mul", factor)}

    @cached_property
    def _of_others(self) -> dict[float, float]:
        """Return what operators without a product leave, by what it should be: exp(x), and x ** -1 at 1."""
        return {
            factor: got
            for factor in _FACTORS
            for got in (self._left(math.log(factor), "exp") if factor > 0 else self._left(1.0, "pow", -1))
        }

    def _left(self, x: float, operation: str, *operands: float) -> list[float]:
        """Return the gradient that one operation leaves to its value; [] if it raises, or is not known."""
        return self.gradients([*leaves_of(x), Node(Place(1), operation, (Place(0), *operands))], 1)
