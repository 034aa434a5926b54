# Copied by `autograder starter` from autograder/diagnosis/reasoning/probes.py: edit that file.
"""Small experiments in the worker of a failed test: one operator by itself, on fresh values.

They tell apart theories that explain a record equally well. The numbers are those that the operator met in the test,
and others, so that no mistake is read from one point alone.
"""

from __future__ import annotations

from collections.abc import Callable

from .program import BINARY, LEAF, Node, Numbers, Place
from .reference import close
from .sample import SPECIAL, IsolatedResult, Sample, elsewhere, sample_of, usual_sample
from .scene import Scene
from .witness import Held, Witness


class Laboratory:
    """Where experiments are made with the submission's operators; each is made once."""

    def __init__(self, witness: Witness, scene: Scene) -> None:
        self._witness, self._scene = witness, scene
        self._made: dict[Sample, IsolatedResult | None] = {}
        self._flags: dict[tuple[str, str], bool] = {}

    def sample(self, subject: str) -> Sample | None:
        """Return how the scene uses an operator where its derivatives tell most; a usual use when it does not."""
        nodes = [self._scene.program.nodes[place] for place in self._scene.places]
        found = [sample_of(node, self._scene.reference) for node in nodes if node.subject == subject]
        if found:
            return max(found, key=lambda sample: sum(bool(each) for each in sample.right))
        return usual_sample(subject)

    def leaf(self) -> float | None:
        """Return the gradient of a single value after its own backward pass; None when that raises."""
        held = self._witness.replayed([Node(Place(0), LEAF, (1.5,))])
        return None if held is None else held[0].gradient

    def alone(self, subject: str) -> list[IsolatedResult]:
        """Return what an operator gives by itself, where the scene uses it and elsewhere; [] when it raises."""
        sample = self.sample(subject)
        if sample is None:
            return []
        found = [self._made_alone(each) for each in (sample, elsewhere(sample), *SPECIAL.get(sample.operation, ()))]
        return [each for each in found if each is not None]

    def _made_alone(self, sample: Sample) -> IsolatedResult | None:
        if sample not in self._made:
            leaves = sample.leaves()
            held = self._witness.replayed([*leaves, sample.node(9, range(len(leaves)))])
            got = tuple(each.gradient for each in held[:-1]) if held else ()
            odd = held is not None and any(each.holds_a_value for each in held)
            known = tuple(0.0 if each is None else each for each in got)
            is_known = held is not None and (odd or None not in got)  # of what is unknown nothing is said
            self._made[sample] = IsolatedResult(sample, known, held[-1].data, odd) if held and is_known else None
        return self._made[sample]

    def is_right_alone(self, subject: str) -> bool:
        """Say whether no experiment with an operator by itself speaks against it."""
        return all(alone.is_right for alone in self.alone(subject))

    def loses_a_gradient(self, subject: str) -> bool:
        """Say whether an operator, used twice on one value, leaves it one of its two gradients."""
        return self._flag(
            "twice", subject, lambda sample: any(self._loses(sample, i) for i in range(len(sample.values)))
        )

    def loses_in_one(self, subject: str) -> bool:
        """Say whether a value that is both operands of one operator is left one of its two gradients."""
        return self._flag("both", subject, self._loses_in_one)

    def shows(self, code: str) -> bool:
        """Say whether an experiment shows a mistake of the pass as a whole."""
        return {
            "only-output": lambda: self.stops_everywhere,
            "equal-values-merge": lambda: self.merges_equals,
            "visited-again": lambda: self.visits_again,
        }[code]()

    @property
    def loses_everywhere(self) -> bool:
        """Say whether even sums and products leave one gradient of two, so that no operator is to blame."""
        return all(self.loses_a_gradient(subject) for subject in ("+", "*"))

    @property
    def keeps_the_last_use(self) -> bool:
        """Say whether of two uses the one counts that was made last, not the one whose gradient arrives last."""
        return self._flag("last", "+", self._keeps_last)

    def _keeps_last(self, _: Sample) -> bool:
        """Try x * 2 + x."""
        leaf, twice = Node(Place(0), LEAF, (1.7,)), Node(Place(1), "mul", (Place(0), 2))
        held = self._witness.replayed([leaf, twice, Node(Place(2), "add", (Place(1), Place(0)))])
        return held is not None and held[0].grad == 1.0

    def stops_behind(self, subject: str) -> bool:
        """Say whether a gradient gets past an operator, but then no further than to one of its operands."""
        return self._flag("behind", subject, lambda sample: any(self._stopped(sample)))

    @property
    def stops_everywhere(self) -> bool:
        """Say whether only the output passes a gradient on, whatever it was made with."""
        whole = (self._flag("all behind", each, lambda sample: all(self._stopped(sample))) for each in ("+", "*"))
        return all(whole)

    @property
    def cuts_everywhere(self) -> bool:
        """Say whether not even a sum or a product by itself passes a gradient on."""
        return all(not any(alone.got) for subject in ("+", "*") for alone in self.alone(subject))

    @property
    def visits_again(self) -> bool:
        """Say whether a value that is both operands of the output passes its gradient on more than once."""
        return self._flag("again", "+", self._visits_again)

    def _visits_again(self, _: Sample) -> bool:
        """Try b + b with b = u + v."""
        u, v = (Node(Place(i), LEAF, (x,)) for i, x in enumerate((1.7, 0.6)))
        steps = [u, v, Node(Place(2), "add", (Place(0), Place(1)))]
        held = self._witness.replayed([*steps, Node(Place(3), "add", (Place(2), Place(2)))])
        return held is not None and all((each.grad or 0.0) > 2.0 for each in held[:2])

    def forgets_what_arrives(self, subject: str) -> bool:
        """Return True if an operator gives its local derivatives, whatever the gradient of its result."""
        return self._flag("forgets", subject, self._forgets)

    def _forgets(self, sample: Sample) -> bool:
        """Try f(x) * 3."""
        got = self._inside(sample)
        return bool(got) and any(sample.right) and all(map(close, got, sample.right))

    def is_wrong_inside(self, subject: str) -> bool:
        """Return True if an operator that is right by itself passes on a wrong gradient inside a product."""
        return self.is_right_alone("*") and self._flag("inside", subject, self._wrong_inside)

    def _wrong_inside(self, sample: Sample) -> bool:
        got = self._inside(sample)
        return any(got) and not all(map(close, got, [3.0 * right for right in sample.right]))

    def _inside(self, sample: Sample) -> list[float]:
        """Return the gradients that f(x) * 3 leaves; [] if they are not known."""
        leaves = sample.leaves()
        times = Node(Place(21), "mul", (Place(20), 3.0))
        return self._gradients([*leaves, sample.node(20, range(len(leaves))), times], len(leaves))

    def _gradients(self, nodes: list[Node], count: int) -> list[float]:
        """Return the gradients of the first nodes of a small program; [] if it raises, or one is not known."""
        held = self._witness.replayed(nodes)
        known = [each.gradient for each in held[:count]] if held else []
        return [each for each in known if each is not None] if None not in known else []

    def takes_a_gradient(self, subject: str) -> bool:
        """Return True if what an operator passes on depends on the gradients that its operands already have."""
        return self.is_right_alone("+") and self._flag("takes", subject, self._takes)

    def _takes(self, sample: Sample) -> bool:
        """Try f(x, y) + x + y, where both have a gradient before the rule of f runs, or after it."""
        if sample.operation in BINARY[:4]:  # a plain number beside x has no gradient to be taken
            sample = Sample(sample.operation, (1.7, 0.6), (0, 1))
        alone = self._made_alone(sample)
        leaves = sample.leaves()
        nodes = [*leaves, sample.node(20, range(len(leaves)))]
        for position, _ in enumerate(leaves):
            nodes.append(Node(Place(21 + position), "add", (Place(20 + position), Place(position))))
        got = self._gradients(nodes, len(leaves))
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
        return self._flag("equal", "+", self._merges)

    def _merges(self, _: Sample) -> bool:
        right = [1.0] * 4
        return all(  # three times: where a set decides, it may be luck
            self._two_sums(1.7, 0.6) not in ([], right) and self._two_sums(1.6, 0.5) == right for _ in range(3)
        )

    def _two_sums(self, x: float, y: float) -> list[float]:
        """Return the gradients of (1.7 + 0.6) + (x + y)."""
        leaves = [Node(Place(i), LEAF, (each,)) for i, each in enumerate((1.7, 0.6, x, y))]
        sums = [Node(Place(20 + i), "add", (Place(2 * i), Place(2 * i + 1))) for i in range(2)]
        total = Node(Place(22), "add", (Place(20), Place(21)))
        return self._gradients([*leaves, *sums, total], 4)

    def _flag(self, name: str, subject: str, experiment: Callable[[Sample], bool]) -> bool:
        if (name, subject) not in self._flags:
            sample = self.sample(subject)
            self._flags[name, subject] = sample is not None and (experiment(sample) or experiment(elsewhere(sample)))
        return self._flags[name, subject]

    def _loses_in_one(self, sample: Sample) -> bool:
        """Try x ∘ x."""
        if len(sample.values) < 2:
            return False
        same = Sample(sample.operation, (sample.x[0] or 1.7,) * 2, (0, 1))
        held = self._witness.replayed([same.leaves()[0], same.node(1, (0, 0))])
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
        held = self._witness.replayed([*leaves, *others, sample.node(20, first), sample.node(21, again), both])
        return held is not None and _is_one_of(held[at], (sample.right[at] * scale,) * 2)

    def _stopped(self, sample: Sample) -> list[bool]:
        """Try f(u + v), or with a product where f is the sum itself, in place of each operand."""
        return [self._stops(sample, at) for at in range(len(sample.values))]

    def _stops(self, sample: Sample, at: int) -> bool:
        x = sample.x[sample.values[at]]
        inners = (Sample("add", (x - 1, 1.0), (0, 1)), Sample("mul", (x / 2, 2.0), (0, 1)))
        inner = inners[sample.operation == "add"]
        if (made := self._made_alone(inner)) is None or not made.is_right or not sample.right[at]:
            return False
        others = {10 + n: Node(Place(10 + n), LEAF, (sample.x[i],)) for n, i in enumerate(sample.values) if n != at}
        outer = sample.node(21, [20 if n == at else 10 + n for n in range(len(sample.values))])
        held = self._witness.replayed([*inner.leaves(), *others.values(), inner.node(20, (0, 1)), outer])
        if held is None or held[-2].grad is None:
            return False
        return not any(each.grad for each in held[:2]) and close(held[-2].grad, sample.right[at])


def _is_one_of(held: Held, shares: Numbers) -> bool:
    """Say whether a value holds one of two gradients in place of their sum."""
    got = held.grad or 0.0
    return not close(got, sum(shares)) and any(close(got, share) for share in shares)
