# Copied by `autograder starter` from autograder/diagnosis/reasoning/beside.py: edit that file.
"""Experiments with one operator beside others: on fresh values, in the worker of a failed test."""

from __future__ import annotations

from .bench import Bench
from .program import BINARY, LEAF, Node, Numbers, Place
from .reference import close
from .sample import Sample
from .witness import Held


class Beside(Bench):
    """One operator in a graph with others; each experiment is made once."""

    def loses_a_gradient(self, subject: str) -> bool:
        """Return True if an operator, used twice on one value, leaves it one of its two gradients."""
        return self.flag(
            "twice", subject, lambda sample: any(self._loses(sample, i) for i in range(len(sample.values)))
        )

    def _loses(self, sample: Sample, at: int) -> bool:
        """Try f(x) + f(x), or with a product where f is the sum itself, the other operands apart."""
        outer, tool, scale = ("mul", "*", sample.y) if sample.operation == "add" else ("add", "+", 1.0)
        if not self.is_right_alone(tool) or self.stops_behind(tool):
            return False
        leaves = sample.leaves()
        first = [int(leaf.place) for leaf in leaves]
        again = [place if n == at else 10 + n for n, place in enumerate(first)]
        others = [Node(Place(10 + n), LEAF, leaf.operands) for n, leaf in enumerate(leaves) if n != at]
        both = Node(Place(22), outer, (Place(20), Place(21)))
        held = self.witness.replayed([*leaves, *others, sample.node(20, first), sample.node(21, again), both])
        return held is not None and _is_one_of(held[at], (sample.right[at] * scale,) * 2)

    def loses_in_one(self, subject: str) -> bool:
        """Return True if a value that is both operands of one operator is left one of its two gradients."""
        return self.flag("both", subject, self._loses_in_one)

    def _loses_in_one(self, sample: Sample) -> bool:
        """Try x ∘ x."""
        if len(sample.values) < 2:
            return False
        same = Sample(sample.operation, (sample.x[0] or 1.7,) * 2, (0, 1))
        held = self.witness.replayed([same.leaves()[0], same.node(1, (0, 0))])
        return held is not None and _is_one_of(held[0], same.right)

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

    def forgets_what_arrives(self, subject: str) -> bool:
        """Return True if an operator gives its local derivatives, whatever the gradient of its result."""
        return self.is_right_alone("*") and self.flag("forgets", subject, self._forgets)

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


def _is_one_of(held: Held, shares: Numbers) -> bool:
    """Return True if a value holds one of two gradients in place of their sum."""
    got = held.grad or 0.0
    return not close(got, sum(shares)) and any(close(got, share) for share in shares)
