"""Small experiments in the worker of a failed test: one operator by itself, on fresh values.

They tell apart theories that explain a record equally well. The numbers are those that the operator met in the test,
and others, so that no mistake is read from one point alone.
"""

from __future__ import annotations

from .bench import Bench
from .program import BINARY, LEAF, Node, Numbers, Place
from .reference import close
from .sample import Sample
from .witness import Held


class Laboratory(Bench):
    """Operators beside others, and the pass as a whole."""

    def loses_a_gradient(self, subject: str) -> bool:
        """Return True if an operator, used twice on one value, leaves it one of its two gradients."""
        return self.flag(
            "twice", subject, lambda sample: any(self._loses(sample, i) for i in range(len(sample.values)))
        )

    def loses_in_one(self, subject: str) -> bool:
        """Return True if a value that is both operands of one operator is left one of its two gradients."""
        return self.flag("both", subject, self._loses_in_one)

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
    def keeps_the_last_use(self) -> bool:
        """Return True if of two uses the one counts that was made last, not the one whose gradient arrives last."""
        return self.flag("last", "+", self._keeps_last)

    def _keeps_last(self, _: Sample) -> bool:
        """Try x * 2 + x."""
        leaf, twice = Node(Place(0), LEAF, (1.7,)), Node(Place(1), "mul", (Place(0), 2))
        held = self.witness.replayed([leaf, twice, Node(Place(2), "add", (Place(1), Place(0)))])
        return held is not None and held[0].grad == 1.0

    def stops_behind(self, subject: str) -> bool:
        """Return True if a gradient gets past an operator, but then no further than to one of its operands."""
        return self.flag("behind", subject, lambda sample: any(self._stopped(sample)))

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
        u, v = _leaves(1.7, 0.6)
        steps = [u, v, Node(Place(2), "add", (Place(0), Place(1)))]
        held = self.witness.replayed([*steps, Node(Place(3), "add", (Place(2), Place(2)))])
        return held is not None and all((each.grad or 0.0) > 2.0 for each in held[:2])

    def forgets_what_arrives(self, subject: str) -> bool:
        """Return True if an operator gives its local derivatives, whatever the gradient of its result."""
        return self.flag("forgets", subject, self._forgets)

    def _forgets(self, sample: Sample) -> bool:
        """Try f(x) * 3."""
        got = self._inside(sample)
        return bool(got) and any(sample.right) and all(map(close, got, sample.right))

    def is_wrong_inside(self, subject: str) -> bool:
        """Return True if an operator that is right by itself passes on a wrong gradient inside a product."""
        return self.is_right_alone("*") and self.flag("inside", subject, self._wrong_inside)

    def _wrong_inside(self, sample: Sample) -> bool:
        got = self._inside(sample)
        return any(got) and not all(map(close, got, [3.0 * right for right in sample.right]))

    def _inside(self, sample: Sample) -> list[float]:
        """Return the gradients that f(x) * 3 leaves; [] if they are not known."""
        leaves = sample.leaves()
        times = Node(Place(21), "mul", (Place(20), 3.0))
        return self.gradients([*leaves, sample.node(20, range(len(leaves))), times], len(leaves))

    def takes_a_gradient(self, subject: str) -> bool:
        """Return True if what an operator passes on depends on the gradients that its operands already have."""
        return self.is_right_alone("+") and self.flag("takes", subject, self._takes)

    def _takes(self, sample: Sample) -> bool:
        """Try f(x, y) + x + y, where both have a gradient before the rule of f runs, or after it."""
        if sample.operation in BINARY[:4]:  # a plain number beside x has no gradient to be taken
            sample = Sample(sample.operation, (1.7, 0.6), (0, 1))
        alone = self.made_alone(sample)
        leaves = sample.leaves()
        nodes = [*leaves, sample.node(20, range(len(leaves)))]
        for position, _ in enumerate(leaves):
            nodes.append(Node(Place(21 + position), "add", (Place(20 + position), Place(position))))
        got = self.gradients(nodes, len(leaves))
        if alone is None or alone.holds_a_value or not got:
            return False
        explained = [
            any(close(each, other) for other in (share, share + 1.0, 1.0))  # cut, added, or overwritten
            for each, share in zip(got, alone.got, strict=True)
        ]
        return not all(explained)

    @property
    def merges_equals(self) -> bool:
        """Return True if two sums of equal numbers give other gradients than two sums of different numbers."""
        return self.flag("equal", "+", self._merges)

    @property
    def remembers(self) -> bool:
        """Return True if the same sum, made anew several times, has other gradients one of the times."""
        return self.flag("anew", "+", lambda _: len({self._sum_of_two() for _ in range(5)}) > 1)

    def _sum_of_two(self) -> tuple[float, ...]:
        """Return the gradients of 1.7 + 0.6: there is one order alone, in a set too."""
        leaves = _leaves(1.7, 0.6)
        return tuple(self.gradients([*leaves, Node(Place(20), "add", (Place(0), Place(1)))], 2))

    @property
    def orders_by_number(self) -> bool:
        """Return True if a gradient gets through two sums or not, as the last one is more or less than the first."""
        return self.flag("number", "+", lambda _: self._two_in_turn(2.0) != self._two_in_turn(-2.0))

    def _two_in_turn(self, x: float) -> bool:
        """Try (1.7 + 0.6) + x; return True if all gradients are 1."""
        leaves = _leaves(1.7, 0.6, x)
        inner = Node(Place(20), "add", (Place(0), Place(1)))
        return self.gradients([*leaves, inner, Node(Place(21), "add", (Place(20), Place(2)))], 3) == [1.0] * 3

    def _merges(self, _: Sample) -> bool:
        right = [1.0] * 4
        return all(  # three times: where a set decides, it may be luck
            self._two_sums(1.7, 0.6) not in ([], right) and self._two_sums(1.6, 0.5) == right for _ in range(3)
        )

    def _two_sums(self, x: float, y: float) -> list[float]:
        """Return the gradients of (1.7 + 0.6) + (x + y)."""
        leaves = _leaves(1.7, 0.6, x, y)
        sums = [Node(Place(20 + i), "add", (Place(2 * i), Place(2 * i + 1))) for i in range(2)]
        total = Node(Place(22), "add", (Place(20), Place(21)))
        return self.gradients([*leaves, *sums, total], 4)

    def _loses_in_one(self, sample: Sample) -> bool:
        """Try x ∘ x."""
        if len(sample.values) < 2:
            return False
        same = Sample(sample.operation, (sample.x[0] or 1.7,) * 2, (0, 1))
        held = self.witness.replayed([same.leaves()[0], same.node(1, (0, 0))])
        return held is not None and _is_one_of(held[0], same.right)

    def _loses(self, sample: Sample, at: int) -> bool:
        """Try f(x) + f(x), or with a product where f is the sum itself, the other operands apart."""
        outer, tool, scale = ("mul", "*", sample.y) if sample.operation == "add" else ("add", "+", 1.0)
        if not self.is_right_alone(tool) or (tool == "+" and self.stops_behind(tool)):
            return False
        leaves = sample.leaves()
        first = [int(leaf.place) for leaf in leaves]
        again = [place if n == at else 10 + n for n, place in enumerate(first)]
        others = [Node(Place(10 + n), LEAF, leaf.operands) for n, leaf in enumerate(leaves) if n != at]
        both = Node(Place(22), outer, (Place(20), Place(21)))
        held = self.witness.replayed([*leaves, *others, sample.node(20, first), sample.node(21, again), both])
        return held is not None and _is_one_of(held[at], (sample.right[at] * scale,) * 2)

    def _stopped(self, sample: Sample) -> list[bool]:
        """Try f(u + v), or with a product where f is the sum itself, in place of each operand."""
        return [self._stops(sample, at) for at in range(len(sample.values))]

    def _stops(self, sample: Sample, at: int) -> bool:
        x = sample.x[sample.values[at]]
        inners = (Sample("add", (x - 1, 1.0), (0, 1)), Sample("mul", (x / 2, 2.0), (0, 1)))
        inner = inners[sample.operation == "add"]
        if (made := self.made_alone(inner)) is None or not made.is_right or not sample.right[at]:
            return False
        others = {10 + n: Node(Place(10 + n), LEAF, (sample.x[i],)) for n, i in enumerate(sample.values) if n != at}
        outer = sample.node(21, [20 if n == at else 10 + n for n in range(len(sample.values))])
        held = self.witness.replayed([*inner.leaves(), *others.values(), inner.node(20, (0, 1)), outer])
        if held is None or held[-2].grad is None:
            return False
        return not any(each.grad for each in held[:2]) and close(held[-2].grad, sample.right[at])


def _leaves(*numbers: float) -> list[Node]:
    return [Node(Place(i), LEAF, (each,)) for i, each in enumerate(numbers)]


def _is_one_of(held: Held, shares: Numbers) -> bool:
    """Return True if a value holds one of two gradients in place of their sum."""
    got = held.grad or 0.0
    return not close(got, sum(shares)) and any(close(got, share) for share in shares)
