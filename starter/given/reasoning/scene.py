# Copied by `autograder starter` from autograder/diagnosis/reasoning/scene.py: edit that file.
"""One backward pass after the fact: what every node should hold, what it holds, and which can be judged.

A node can be judged when the gradients of all its consumers are right: then its own gradient is made of contributions
that are known, and only the last step can be wrong. Some correct engines keep no gradients of computed values. There,
consumers count as right, and only the leaves are judged.
"""

from __future__ import annotations

from dataclasses import dataclass

from .program import LEAF, Node, Place, TracedProgram, uses
from .reference import Reference, close, gradients_of
from .witness import Held


@dataclass(frozen=True)
class Use:
    """One use of a node as an operand: by whom, where, and what it should contribute to the node's gradient."""

    consumer: Node
    position: int
    partial: float
    arriving: float  # the gradient of the consumer

    @property
    def share(self) -> float:
        """Return the right contribution: the chain rule."""
        return self.partial * self.arriving


@dataclass(frozen=True)
class Scene:
    """The nodes of one backward pass, with right and held gradients."""

    program: TracedProgram
    reference: Reference
    places: tuple[Place, ...]  # in the order of their making; the last is the root
    right: dict[Place, float]
    held: dict[Place, float]  # only what the engine keeps
    shares: dict[Place, list[Use]]
    holds_a_value: bool = False  # in the `.grad` of a leaf, where a number belongs

    @property
    def root(self) -> Place:
        """Return the output of the pass."""
        return self.places[-1]

    def is_right(self, place: Place) -> bool:
        """Return True if nothing speaks against the gradient of a node."""
        return place not in self.held or close(self.held[place], self.right[place])

    @property
    def judged(self) -> list[Place]:
        """Return the nodes whose gradient is held while those of all consumers are right, the root left out."""
        return [
            place
            for place in self.places[:-1]
            if place in self.held and all(self.is_right(use.consumer.place) for use in self.shares[place])
        ]

    @property
    def wrong(self) -> list[Place]:
        """Return the judged nodes whose gradient is wrong, the nearest to the output first."""
        return [place for place in reversed(self.judged) if not self.is_right(place)]

    def above(self, place: Place) -> frozenset[Place]:
        """Return every node that is computed from `place`, directly or not: in the right order they come first."""
        found: set[Place] = set()
        waiting = [place]
        while waiting:
            for use in self.shares[waiting.pop()]:
                if use.consumer.place not in found:
                    found.add(use.consumer.place)
                    waiting.append(use.consumer.place)
        return frozenset(found)


def scene_of(
    program: TracedProgram, places: tuple[Place, ...], reference: Reference, held: dict[Place, Held]
) -> Scene | None:
    """Return the scene of the backward pass of the last of `places`; None where some node has no right gradient."""
    if any(place not in reference.values for place in places):
        return None
    right = gradients_of(program, places, reference)
    kept = _kept(program, places, right, held)
    shares = {
        place: [
            Use(program.nodes[consumer], position, reference.partials[consumer][position], right[consumer])
            for consumer, position in found
        ]
        for place, found in uses(program, places).items()
    }
    odd = any(held[place].holds_a_value for place in places if program.nodes[place].operation == LEAF)
    return Scene(program, reference, places, right, kept, shares, odd)


def _kept(
    program: TracedProgram, places: tuple[Place, ...], right: dict[Place, float], held: dict[Place, Held]
) -> dict[Place, float]:
    """Return the gradients that count as evidence: of leaves always, of computed values if the engine keeps them."""
    leaves = [place for place in places if program.nodes[place].operation == LEAF]
    inner = [place for place in places if program.nodes[place].operation != LEAF]
    gradients = {place: each for place in leaves if (each := held[place].gradient) is not None}
    flowed = any(gradients.values())
    cleared = all(not held[place].grad for place in inner)
    if flowed and cleared and any(right[place] for place in inner):
        return gradients  # the inputs have gradients, what lies between has none: it was dropped, or set back
    return gradients | {place: each for place in inner if (each := held[place].grad) is not None}
