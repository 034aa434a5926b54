"""Records and reports of a class as its tables show them."""

from autograder.model import Isolation, Level, Score, Status
from autograder.regrade.records.class_report import (
    ClassReport,
    Key,
    Record,
    Run,
    Submitter,
    TestResult,
)

from .reports import SECRET, declared

KEY = Key(submission="f11e5", suites="d1935", version="1.2.3", level="strong")
TESTS = (
    declared("sum", task="1.1"),
    declared("reuse", task="1.10"),
    declared("corner", SECRET, task="1.2", points=4.0),
)
RUN = Run(
    assignment="homework",
    version="1.2.3",
    python="3.11.7",
    packages={},
    suites="d1935",
    isolation=Isolation(level=Level.STRONG, required=Level.STRONG),
    tests=TESTS,
)
ADA = Submitter(name="Ada Example", sid="0123", email="ada@example.edu")


def record(identity, *points, **changes):
    results = tuple(
        TestResult(id=test.id, status=Status.PASSED if earned else Status.FAILED, score=earned)
        for test, earned in zip(TESTS, points, strict=True)
    )
    score = Score(earned=sum(points), possible=8.0)
    return Record(**{"id": identity, "key": KEY, "score": score, "results": results, **changes})


def report(members, *records):
    return ClassReport(run=RUN, members=tuple(members), records={each.id: each for each in records})
