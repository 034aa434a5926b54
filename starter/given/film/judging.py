# Copied by `autograder starter` from autograder/film/judging.py: edit that file.
"""What a change of a gradient is: the right shares of the chain rule, or the first wrong step and what was expected.

A value receives one share from each of its uses: the gradient of the result times the local derivative. An engine may
add them one by one, several at once, or all together; each change is matched with shares that have not come yet.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import combinations

from .graph import DATA, Arrow, Box, Change, Held, arrows_of, close, number, total

_MOST_OPEN = 8  # shares of one value of which all sums are tried


class Kind(Enum):
    """What a change does."""

    SEED = "seed"
    CLEARED = "cleared"
    SHARES = "shares"
    UNKNOWN = "unknown"  # it cannot be judged
    WRONG = "wrong"


@dataclass(frozen=True)
class Verdict:
    """What one change does, the arrows along which its shares came, and if it is wrong, what was expected and why."""

    kind: Kind
    arrows: tuple[int, ...] = ()
    expected: Held = None
    why: str = ""


@dataclass
class Judge:
    """Goes through the changes of a backward pass in their order."""

    boxes: Sequence[Box]
    arrows: list[Arrow] = field(init=False)
    open: dict[int, list[int]] = field(init=False)  # of each value, the arrows whose share has not come
    held: list[Held] = field(init=False)
    seeded: bool = False

    def __post_init__(self) -> None:
        self.arrows = arrows_of(self.boxes)
        self.open = {place: [] for place in range(len(self.boxes))}
        for i, arrow in enumerate(self.arrows):
            self.open[arrow.parent].append(i)
        self.held = [0.0] * len(self.boxes)

    @property
    def root(self) -> int:
        """Return the output: the last value."""
        return len(self.boxes) - 1

    def share(self, i: int) -> Held:
        """Return the right share that comes along an arrow."""
        arrow = self.arrows[i]
        gradient = self.boxes[arrow.child].gradient
        return None if gradient is None or arrow.slope is None else gradient * arrow.slope

    def verdict(self, change: Change) -> Verdict:
        """Return what the next change does."""
        if change.attribute == DATA:
            return self._of_data(change)
        before = change.before if change.before is not None else 0.0
        self.held[change.place] = change.after
        if change.after is None:
            why = "A gradient has to be a number, and this is not one."
            return Verdict(Kind.WRONG, expected=self.boxes[change.place].gradient, why=why)
        if any(self.share(i) is None for i in self.open[change.place]):
            return Verdict(Kind.UNKNOWN)
        return self._of_gradient(change.place, before, change.after)

    def _of_data(self, change: Change) -> Verdict:
        if change.before is None:
            return Verdict(Kind.UNKNOWN)
        name = self.boxes[change.place].name
        why = f"The value of {name} was changed: {number(change.before)} was expected to stay."
        return Verdict(Kind.WRONG, expected=change.before, why=why)

    def _of_gradient(self, place: int, before: float, after: float) -> Verdict:
        arrows = self.open[place]
        if place == self.root and not self.seeded:
            if after == 0.0:
                return Verdict(Kind.CLEARED)
            self.seeded = True
            why = f"The output changes as fast as itself: 1 was expected, not {number(after)}."
            return Verdict(Kind.SEED) if close(after, 1.0) else Verdict(Kind.WRONG, expected=1.0, why=why)
        came = len(arrows) < sum(arrow.parent == place for arrow in self.arrows)
        done = not any(self.share(i) for i in arrows) and bool(self.boxes[place].operands)
        if after == 0.0 and (done or not came):
            return Verdict(Kind.CLEARED)
        found = self._matching(arrows, after - before)
        if found:
            self.open[place] = [i for i in arrows if i not in found]
            return Verdict(Kind.SHARES, found)
        return self._wrong(place, before, after)

    def _matching(self, arrows: Sequence[int], amount: float) -> tuple[int, ...]:
        """Return arrows whose shares make up an amount: one if there is such a one, else several."""
        sizes = range(1, len(arrows) + 1) if len(arrows) <= _MOST_OPEN else (1, len(arrows))
        for size in sizes:
            for group in combinations(arrows, size):
                if close(sum(self.share(i) or 0.0 for i in group), amount):
                    return group
        return ()

    def _wrong(self, place: int, before: float, after: float) -> Verdict:
        """Return what was expected in place of a wrong change, as far as it can be told."""
        arrows, amount = self.open[place], after - before
        if self._matching(arrows, after):
            both = f"{total([number(before), number(after)])} = {number(before + after)}"
            why = f"This put {number(after)} where {number(before)} was. Add: {both} was expected."
            return Verdict(Kind.WRONG, self._matching(arrows, after), before + after, why)
        if len(arrows) > _MOST_OPEN:  # it may be a sum of several that was not tried
            return Verdict(Kind.UNKNOWN)
        if not any(self.share(i) for i in arrows):
            why = f"All shares of {self.boxes[place].name} had come: it was expected to stay {number(before)}."
            return Verdict(Kind.WRONG, (), before, why)
        if early := self._early(arrows, amount):
            return early
        shares = {number(self.share(i)): i for i in arrows if self.share(i)}
        if len(shares) == 1:
            ((shown, i),) = shares.items()
            expected = before + (self.share(i) or 0.0)
            why = f"This added {number(amount)}; {shown} was expected, from {self.boxes[self.arrows[i].child].name}."
            return Verdict(Kind.WRONG, (i,), expected, why)
        listed = ", ".join(f"{shown} from {self.boxes[self.arrows[i].child].name}" for shown, i in shares.items())
        return Verdict(Kind.WRONG, why=f"This added {number(amount)}, which is none of its shares: {listed}.")

    def _early(self, arrows: Sequence[int], amount: float) -> Verdict | None:
        """Return what is wrong if a value passed on a gradient that was not complete."""
        for i in arrows:
            arrow, share = self.arrows[i], self.share(i)
            passed, whole = self.held[arrow.child], self.boxes[arrow.child].gradient
            if not passed or not arrow.slope or close(passed, whole) or not close(passed * arrow.slope, amount):
                continue
            expected = (self.held[arrow.parent] or 0.0) - amount + (share or 0.0)
            why = (
                f"{self.boxes[arrow.child].name} passed {number(passed)} on before its last share came; "
                f"its gradient becomes {number(whole)}."
            )
            return Verdict(Kind.WRONG, (i,), expected, why)
        return None

    def missing(self) -> tuple[int, Verdict] | None:
        """Return, after the last change, an input whose gradient is not what it should be."""
        for place, box in enumerate(self.boxes):
            known = self.held[place] is not None and box.gradient is not None
            if known and not box.operands and not close(self.held[place], box.gradient):
                left = [self.boxes[self.arrows[i].child].name for i in self.open[place] if self.share(i)]
                has, right = number(self.held[place]), number(box.gradient)
                why = f"The pass is over, and the gradient of {box.name} is {has}; {right} was expected."
                if left:
                    why += f" Nothing came from {', '.join(dict.fromkeys(left))}."
                return place, Verdict(
                    Kind.WRONG, tuple(i for i in self.open[place] if self.share(i)), box.gradient, why
                )
        return None
