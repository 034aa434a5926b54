"""Small experiments in the worker of a failed test: one operator by itself, on fresh values.

They tell apart theories that explain a record equally well. The numbers are those that the operator met in the test.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .evidence import Witness
from .program import LEAF, Node, Place
from .reference import Numbers, Reference, close, partials_of, value_of
from .scene import Scene


@dataclass(frozen=True, slots=True)
class Alone:
    """What one operation gave as the whole of a graph: the gradients of its operands, and the right ones."""

    node: Node
    x: Numbers
    y: float
    got: Numbers
    right: Numbers
    places: tuple[int, ...]  # positions of the operands that are values

    @property
    def is_right(self) -> bool:
        """Say whether every gradient is right."""
        return self.matches(self.right)

    def matches(self, gradients: Sequence[float]) -> bool:
        """Say whether the operands hold these gradients, given for the positions in `places`."""
        return all(close(a, b) for a, b in zip(self.got, gradients, strict=True))


class Laboratory:
    """Where experiments are made with the submission's operators; each is made once."""

    def __init__(self, witness: Witness, scene: Scene) -> None:
        self._witness, self._scene = witness, scene
        self._alone: dict[str, Alone | None] = {}
        self._twice: dict[str, bool] = {}

    def sample(self, subject: str) -> Node:
        """Return the node of an operator whose local derivatives tell most: none zero, if there is such a one."""
        found = [n for n in (self._scene.program.nodes[p] for p in self._scene.places) if n.subject == subject]
        return max(found, key=lambda node: sum(bool(each) for each in self._scene.reference.partials[node.place]))

    def leaf(self) -> float | None:
        """Return the gradient of a single value after its own backward pass."""
        held = self._witness.replayed([Node(Place(0), LEAF, (1.5,), 0, 0)])
        return None if held is None else held[0].grad or 0.0

    def alone(self, subject: str, node: Node | None = None) -> Alone | None:
        """Return what an operator gives by itself, on operands that are all different; None when it raises."""
        if node is not None or subject not in self._alone:
            self._alone[subject] = self._made_alone(node or self.sample(subject), self._scene.reference)
        return self._alone[subject]

    def _made_alone(self, node: Node, reference: Reference) -> Alone | None:
        x = reference.inputs(node)
        leaves = [Node(Place(i), LEAF, (x[i],), 0, 0) for i in range(len(x)) if type(node.operands[i]) is Place]
        operands = tuple(Place(i) if type(each) is Place else each for i, each in enumerate(node.operands))
        held = self._witness.replayed([*leaves, Node(Place(9), node.operation, operands, 0, 0)])
        if held is None:
            return None
        places = tuple(int(leaf.place) for leaf in leaves)
        y = value_of(node.operation, x)
        partials = partials_of(node.operation, x, y)
        got = tuple(each.grad or 0.0 for each in held[:-1])
        return Alone(node, x, y, got, tuple(partials[i] for i in places), places)

    def loses_when_used_twice(self, subject: str) -> bool:
        """Say whether an operator, used twice on one value, leaves it one of its two gradients."""
        if subject not in self._twice:
            self._twice[subject] = self._lost(self.sample(subject), self._scene.reference)
        return self._twice[subject]

    def _lost(self, node: Node, reference: Reference) -> bool:
        x = reference.inputs(node)
        both = all(type(each) is Place for each in node.operands) and len(node.operands) == 2
        at = next(i for i, each in enumerate(node.operands) if type(each) is Place)
        leaf = Node(Place(0), LEAF, (x[at],), 0, 0)
        operands = tuple(Place(0) if type(each) is Place else each for each in node.operands)
        nodes = [leaf, Node(Place(1), node.operation, operands, 0, 0)]
        if not both:
            nodes += [Node(Place(2), node.operation, operands, 0, 0), Node(Place(3), "add", (Place(1), Place(2)), 0, 0)]
        held = self._witness.replayed(nodes)
        if held is None or held[0].grad is None:
            return False
        numbers = tuple(x[at] if type(each) is Place else x[i] for i, each in enumerate(node.operands))
        partials = partials_of(node.operation, numbers, value_of(node.operation, numbers))
        shares = partials if both else (partials[at], partials[at])
        return not close(held[0].grad, sum(shares)) and any(close(held[0].grad, share) for share in shares)
