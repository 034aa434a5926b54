# Copied by `autograder starter` from autograder/diagnosis/reasoning/slips.py: edit that file.
"""Where a traced backward pass went wrong: its log, held against the shares that each value should have received."""

from __future__ import annotations

import enum
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .line_log import GRAD, LineLog, LineStep
from .program import Place, TracedProgram, uses
from .reference import Reference, close, gradients_of
from .scene import Use

_MOST_SHARES = 8  # of one value whose sums are tried


class Kind(enum.Enum):
    """What one step of a pass did wrong."""

    SEED = "seed"  # the output's gradient is not 1
    REPLACED = "replaced"  # a share took the place of what was there
    AMOUNT = "amount"  # something else than a share was added
    NOT_A_NUMBER = "not-a-number"
    EARLY = "early"  # a value passed its gradient on before its last share came
    AGAIN = "again"  # a value passed its gradient on once more


@dataclass(frozen=True)
class Slip:
    """One wrong step, and the uses that it may have been about."""

    kind: Kind
    step: LineStep
    uses: tuple[Use, ...] = ()

    @property
    def amount(self) -> float:
        """Return what was added."""
        return (self.step.after or 0.0) - (self.step.before or 0.0)


@dataclass(frozen=True)
class Pass:
    """What a traced pass did: its wrong steps in their order, and the shares that never came."""

    slips: tuple[Slip, ...]
    missing: tuple[tuple[Place, Use], ...]
    writers: dict[str, tuple[LineStep, ...]]  # by the operator whose share a step added


class _Walk:
    """The log of a pass, gone through step by step."""

    def __init__(self, program: TracedProgram, places: Sequence[Place], reference: Reference) -> None:
        right = gradients_of(program, places, reference)
        self._root, self._right = places[-1], right
        self.shares = {
            place: [
                Use(program.nodes[consumer], position, reference.partials[consumer][position], right[consumer])
                for consumer, position in found
            ]
            for place, found in uses(program, tuple(places)).items()
        }
        self.pending = {place: list(found) for place, found in self.shares.items()}
        self._now = dict.fromkeys(places, 0.0)
        self.writers: dict[str, list[LineStep]] = {}

    def slips(self, log: LineLog) -> Iterator[Slip]:
        """Yield the wrong steps."""
        for step in log.steps:
            if step.attribute == GRAD and step.place in self._now:
                place = Place(step.place)
                slip = self._slip(place, step)
                self._now[place] = step.after or 0.0
                if slip is not None:
                    yield slip

    def _slip(self, place: Place, step: LineStep) -> Slip | None:
        before, after = step.before or 0.0, step.after
        if after is None:
            return None if step.before is None else Slip(Kind.NOT_A_NUMBER, step, tuple(self.pending[place]))
        if place == self._root:
            return None if close(after, 1.0) or after == 0.0 else Slip(Kind.SEED, step)
        if taken := self._taken(place, after - before):
            self._note(taken, step)
            return None
        if after == 0.0:  # set back, which is no mistake by itself
            return None
        if before and (replaced := self._taken(place, after)):
            self._note(replaced, step)
            return Slip(Kind.REPLACED, step, tuple(replaced))
        return self._odd(place, step)

    def _odd(self, place: Place, step: LineStep) -> Slip:
        """Return what a step may be that adds no share and puts none in the place of what was there."""
        amount = (step.after or 0.0) - (step.before or 0.0)
        for use in self.shares[place]:
            consumer = use.consumer.place
            passed = use.partial * self._now[consumer]
            if passed and close(amount, passed) and (use not in self.pending[place] or self.pending[consumer]):
                early = use in self.pending[place]
                if early:
                    self.pending[place].remove(use)
                return Slip(Kind.EARLY if early else Kind.AGAIN, step, (use,))
        candidates = tuple(self.pending[place])
        if len(candidates) == 1:
            self.pending[place].clear()
        self._note(candidates, step)
        return Slip(Kind.AMOUNT, step, candidates)

    def _taken(self, place: Place, amount: float) -> list[Use]:
        """Return the fewest shares that still have to come and that make up an amount; they have come now."""
        pending = self.pending[place][:_MOST_SHARES]
        for count in range(1, len(pending) + 1):
            for some in itertools.combinations(pending, count):
                if close(amount, sum(use.share for use in some)):
                    for use in some:
                        self.pending[place].remove(use)
                    return list(some)
        return []

    def _note(self, uses_: Sequence[Use], step: LineStep) -> None:
        for use in uses_:
            self.writers.setdefault(use.consumer.subject, []).append(step)


def pass_of(program: TracedProgram, places: Sequence[Place], reference: Reference, log: LineLog) -> Pass:
    """Return what the pass of the last of `places` did; every place must have right numbers."""
    walk = _Walk(program, places, reference)
    slips = tuple(walk.slips(log))
    missing = tuple((place, use) for place in reversed(places) for use in walk.pending[place] if use.share)
    return Pass(slips, missing, {subject: tuple(steps) for subject, steps in walk.writers.items()})
