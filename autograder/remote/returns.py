"""Which operations of a submission come back: one that never does is not asked for in every test that needs it.

An operation that loops without end costs each of its tests a whole deadline, and soon the time of the tests without it.
So an operation that has timed out twice and has never come back is given up: the tests that need it fail at once, and
say which it is. One that came back at least once, if only for small numbers, is asked as before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Protocol

from .step import Step, operation_of

TIMEOUTS_BEFORE_GIVING_UP = 2


class Performed(Protocol):
    """What a tape tells of a test: its operations, and how many of them came back."""

    steps: list[Step]
    returned: int


class Returns:
    """What is known of the operations of one submission, in all its workers and suites."""

    def __init__(self) -> None:
        self._scored = True
        self._returned: set[str] = set()
        self._tapes: list[Performed] = []  # whose operations have no names yet: a correct submission needs none
        self._timeouts = {True: Counter[str](), False: Counter[str]()}  # in scored tests, and in the others
        self.given_up: set[str] = set()  # of the tests under way

    def begin(self, *, scored: bool) -> None:
        """Note which kind of test follows: what times out in a test without points costs no test that has some."""
        self._scored = scored
        self._decide()

    def returned(self, operations: Iterable[str]) -> None:
        """Note operations that came back, with a result or an exception."""
        self._returned.update(operations)

    def follow(self, tape: Performed) -> None:
        """Count what comes back on `tape`, from now on, among the operations that came back."""
        self._tapes.append(tape)

    def forget_tapes(self) -> None:
        """Let go of the tapes, once no test follows."""
        self._tapes.clear()

    def timed_out(self, operation: str) -> None:
        """Note that an operation was under way when the time was up."""
        if operation:
            self._timeouts[self._scored][operation] += 1
            self._decide()

    def has_timed_out(self, operation: str) -> bool:
        """Return True if the operation has timed out in a test of this kind, or in one with points."""
        return self._count(operation) > 0

    def _count(self, operation: str) -> int:
        return self._timeouts[True][operation] + (0 if self._scored else self._timeouts[False][operation])

    def _decide(self) -> None:
        seen = {*self._timeouts[True], *self._timeouts[False]}
        if seen:
            self._name_returned()
            self.given_up = {each for each in seen - self._returned if self._count(each) >= TIMEOUTS_BEFORE_GIVING_UP}

    def _name_returned(self) -> None:
        """Name what has come back on the tapes; the last may still be in use."""
        for tape in self._tapes:
            self.returned({operation_of(step, tape.steps) for step in tape.steps[: tape.returned]})
        del self._tapes[:-1]
