"""What one submission may still spend on a request, a test, all its tests, and the run.

All but the run are in seconds that its workers use, mostly CPU seconds; the run ends by the wall.
"""

from __future__ import annotations

import time

from ..assignment import Limits

# By whether a test is scored. A correct engine never meets a timeout; one that loops would use up every test's time,
# and tests without points have little.
TIMEOUTS_BEFORE_THROTTLING = {True: 2, False: 1}
THROTTLED_FRACTION = 1 / 5  # of the time for a request, from then on
_UNSCORED_FRACTION = 1 / 5  # of the time, for tests without points: what loops there leaves enough for the others


class Budget:
    """The time that one submission has used, by test, and what is left of its limits."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._test, self._scored = "", True
        self._timeouts = {True: 0, False: 0}  # of scored tests, and of the others
        self._spent: dict[bool, dict[str, float]] = {True: {}, False: {}}
        self.run_end = time.monotonic() + limits.run_seconds

    def begin(self, test: str, *, scored: bool) -> None:
        """Charge what is spent from now on to `test`."""
        self._test, self._scored = test, scored

    def spend(self, seconds: float) -> None:
        """Charge seconds to the test under way."""
        spent = self._spent[self._scored]
        spent[self._test] = spent.get(self._test, 0.0) + seconds

    def timed_out(self) -> None:
        """Note that a request of the test under way was not answered in time."""
        self._timeouts[self._scored] += 1

    def seconds_left(self, *, scored: bool) -> float:
        """Return the seconds that all scored tests, or all others, may still spend; the others get a fifth."""
        spent = {kind: sum(tests.values()) for kind, tests in self._spent.items()}
        left = self._limits.submission_seconds - spent[True] - spent[False]
        return left if scored else min(left, self._limits.submission_seconds * _UNSCORED_FRACTION - spent[False])

    @property
    def run_seconds_left(self) -> float:
        """Return the seconds until the whole run must be over, the grader's own work included."""
        return self.run_end - time.monotonic()

    def most_expensive(self, *, scored: bool) -> str:
        """Return the id of the scored test, or of the other, that used most of the time."""
        spent = self._spent[scored]
        return max(spent, key=lambda test: spent[test], default="")

    def for_import(self, *, throttled: bool = False) -> float:
        """Return the seconds that importing a module may take; fewer if `throttled`."""
        request = self._limits.request_seconds * (THROTTLED_FRACTION if throttled else 1)
        return max(min(request, self._left), 0.1)

    def for_request(self, used: float) -> float:
        """Return the seconds that the next request may take in a test that has used some and not been charged yet."""
        throttled = self._timeouts[self._scored] >= TIMEOUTS_BEFORE_THROTTLING[self._scored]
        request = self._limits.request_seconds * (THROTTLED_FRACTION if throttled else 1)
        return max(min(request, self._limits.test_seconds - used, self._left - used), 0.0)

    @property
    def _left(self) -> float:
        return min(self.seconds_left(scored=self._scored), self.run_seconds_left)
