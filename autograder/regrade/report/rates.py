"""How many of a class pass each test."""

from __future__ import annotations

from collections import Counter

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


class Rate(msgspec.Struct, frozen=True, kw_only=True):
    """One test, and what came of it in the submissions that tried it: those in which something could run."""

    test: GradedTest
    tried: int  # submissions with a result: of an unscored test, those that attempted it
    passed: int
    others: tuple[tuple[str, int], ...]  # ("raised", 12): why the rest did not pass

    @property
    def share(self) -> float:
        """Return the part of those that tried that passed, from 0 to 1; 0 when nobody tried."""
        return self.passed / self.tried if self.tried else 0.0


def rates_of(report: ClassReport) -> tuple[Rate, ...]:
    """Return the rate of every test that somebody tried, hardest first, then in the order of the suites."""
    counts: dict[str, Counter[Status]] = {test.id: Counter() for test in report.run.tests}
    for record in report.graded():
        for result in record.results if record.imported else ():
            if result.id in counts:
                counts[result.id][result.status] += 1
    rates = [_rate(test, counts[test.id]) for test in report.run.tests]
    return tuple(sorted((rate for rate in rates if rate.tried), key=lambda rate: rate.share))


def _rate(test: GradedTest, counts: Counter[Status]) -> Rate:
    return Rate(
        test=test,
        tried=sum(counts.values()) - counts[Status.NOT_ATTEMPTED],
        passed=counts[Status.PASSED],
        others=tuple((words, counts[status]) for status, words in _IN_WORDS.items() if counts[status]),
    )
