"""How many of a class pass each test."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import msgspec

from ...model import GradedTest, Status
from ..records.class_report import ClassReport

_IN_WORDS = {  # of what was not passed, the ordinary case first
    Status.FAILED: "failed",
    Status.ERRORED: "raised",
    Status.TIMED_OUT: "timed out",
    Status.CRASHED: "crashed",
    Status.BLOCKED: "not run",
}


LEAST = 10  # submissions: among fewer, a correlation says nothing


class Rate(msgspec.Struct, frozen=True, kw_only=True):
    """One test, and its outcomes in the submissions that tried it: those in which something could run."""

    test: GradedTest
    tried: int  # submissions with a result: of an unscored test, those that attempted it
    passed: int
    others: tuple[tuple[str, int], ...]  # ("raised", 12): why the rest did not pass
    separates: float | None = None  # from -1 to 1: how well it tells strong submissions from weak ones

    @property
    def share(self) -> float:
        """Return the part of those that tried that passed, from 0 to 1; 0 if nobody tried."""
        return self.passed / self.tried if self.tried else 0.0


class _Counted(msgspec.Struct):
    """What is summed up of one test; T is what a submission earned in all."""

    statuses: Counter[Status] = msgspec.field(default_factory=Counter)
    sum_passed: float = 0.0  # of T, over those that pass


def rates_of(report: ClassReport) -> tuple[Rate, ...]:
    """Return the rate of every test that somebody tried, hardest first, then in the order of the suites."""
    counted = {test.id: _Counted() for test in report.run.tests}
    totals: list[float] = []
    for record in report.graded():
        if not record.imported or record.score is None:
            continue
        totals.append(record.score.earned)
        for result in record.results:
            if result.id in counted:
                counted[result.id].statuses[result.status] += 1
                counted[result.id].sum_passed += record.score.earned if result.status is Status.PASSED else 0.0
    rates = [_rate(test, counted[test.id], totals) for test in report.run.tests]
    return tuple(sorted((rate for rate in rates if rate.tried), key=lambda rate: rate.share))


def _rate(test: GradedTest, counted: _Counted, totals: Sequence[float]) -> Rate:
    counts = counted.statuses
    return Rate(
        test=test,
        tried=sum(counts.values()) - counts[Status.NOT_ATTEMPTED],
        passed=counts[Status.PASSED],
        others=tuple((words, counts[status]) for status, words in _IN_WORDS.items() if counts[status]),
        separates=_separates(test, counts[Status.PASSED], counted.sum_passed, totals) if test.scored else None,
    )


def _separates(test: GradedTest, passed: int, sum_passed: float, totals: Sequence[float]) -> float | None:
    """Return the correlation of passing a test (1 or 0) with R, the points on all other tests.

    That is the point-biserial correlation of an item, corrected for the item itself: S. Henrysson, "Correction of
    item-total correlations in item analysis", Psychometrika 28 (1963), 211-218. None if it is not defined: everybody
    passes or nobody, or all have the same R; or if fewer than LEAST are compared.
    """
    count = len(totals)
    if count < LEAST or passed in (0, count):
        return None
    share = passed / count
    # R is T, and for those that pass T less the test's points w: so the moments of R follow from those of T.
    mean_passed = sum_passed / passed - test.points
    mean = sum(totals) / count - test.points * share
    squares = sum(total**2 for total in totals) - 2 * test.points * sum_passed + passed * test.points**2
    variance = squares / count - mean**2
    if variance <= 1e-9 * max(1.0, mean**2):
        return None
    return share * (mean_passed - mean) / math.sqrt(share * (1 - share) * variance)
