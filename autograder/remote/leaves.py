"""Which numbers come along with one that a test reads: those of the leaves that it will probably read next."""

from __future__ import annotations

import bisect

from ..wire import format as wire


class Leaves:
    """The handles of the leaves that a test constructs, in groups: what it constructs between two reads.

    A test that reads a number of one of them reads those of the others next: they come along in one round trip.
    """

    def __init__(self) -> None:
        self._all: list[wire.Handle] = []
        self._starts = [0]  # where each group begins
        self._read = False  # since the last leaf

    def add(self, handle: wire.Handle) -> None:
        """Note a leaf: the first of a group, when something was read since the one before."""
        if self._read:
            self._starts.append(len(self._all))
            self._read = False
        self._all.append(handle)

    def beside(self, handle: wire.Handle) -> tuple[list[wire.Handle], bool]:
        """Return the leaves to read along with `handle`, and whether it is one of them.

        They are those of its own group, from itself on and around; for a computed value, those made last.
        """
        self._read = True
        place = bisect.bisect_left(self._all, handle)
        if place == len(self._all) or self._all[place] != handle:
            return self._all[self._starts[-1] :], False
        start, end = self._group(place)
        return self._all[place:end] + self._all[start:place], True

    def _group(self, place: int) -> tuple[int, int]:
        following = bisect.bisect_right(self._starts, place)
        end = self._starts[following] if following < len(self._starts) else len(self._all)
        return self._starts[following - 1], end
