# Copied by `autograder starter` from autograder/diagnosis/reasoning/bench.py: edit that file.
"""Experiments with one operator by itself, at the numbers of the test and elsewhere."""

from __future__ import annotations

from collections.abc import Callable

from .program import Node, leaves_of
from .sample import SPECIAL, IsolatedResult, Sample, elsewhere, sample_of, usual_sample
from .scene import Scene
from .witness import Witness


class Bench:
    """One operator by itself; each experiment is made once."""

    def __init__(self, witness: Witness, scene: Scene) -> None:
        self.witness, self._scene = witness, scene
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
        """Return the gradient of a single value after its own backward pass; None if that raises."""
        held = self.witness.replayed(leaves_of(1.5))
        return None if held is None else held[0].gradient

    def alone(self, subject: str) -> list[IsolatedResult]:
        """Return what an operator gives by itself, where the scene uses it and elsewhere; [] if it raises."""
        sample = self.sample(subject)
        if sample is None:
            return []
        found = [self.made_alone(each) for each in (sample, elsewhere(sample), *SPECIAL.get(sample.operation, ()))]
        return [each for each in found if each is not None]

    def made_alone(self, sample: Sample) -> IsolatedResult | None:
        """Return what one operation gives as the whole of a graph; None if it raises, or is not known."""
        if sample not in self._made:
            leaves = sample.leaves()
            held = self.witness.replayed([*leaves, sample.node(9, range(len(leaves)))])
            got = tuple(each.gradient for each in held[:-1]) if held else ()
            odd = held is not None and any(each.holds_a_value for each in held)
            known = tuple(0.0 if each is None else each for each in got)
            is_known = held is not None and (odd or None not in got)  # of what is unknown nothing is said
            self._made[sample] = IsolatedResult(sample, known, held[-1].data, odd) if held and is_known else None
        return self._made[sample]

    def is_right_alone(self, subject: str) -> bool:
        """Return True if no experiment with an operator by itself speaks against it."""
        return all(alone.is_right for alone in self.alone(subject))

    def flag(self, name: str, subject: str, experiment: Callable[[Sample], bool]) -> bool:
        """Return True if an experiment shows something where the scene uses an operator, or elsewhere."""
        if (name, subject) not in self._flags:
            sample = self.sample(subject)
            self._flags[name, subject] = sample is not None and (experiment(sample) or experiment(elsewhere(sample)))
        return self._flags[name, subject]

    def gradients(self, nodes: list[Node], count: int) -> list[float]:
        """Return the gradients of the first nodes of a small program; [] if it raises, or one is not known."""
        held = self.witness.replayed(nodes)
        known = [each.gradient for each in held[:count]] if held else []
        return [each for each in known if each is not None] if None not in known else []
