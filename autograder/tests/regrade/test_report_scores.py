"""The scores of a class as the report sums them up, and how each test separates."""

import statistics
from random import Random

import pytest

from autograder.model import Score, Status
from autograder.regrade.records.class_report import Record
from autograder.regrade.report.page import class_page
from autograder.regrade.report.rates import rates_of
from autograder.regrade.report.scores import scores_of

from ..support.class_records import FREE, TESTS, A, B, known, made, numbered, words
from ..support.classes import KEY, class_of, member, record, result
from ..support.reports import declared


def scored(earned, identity="x", **changes) -> Record:
    return record(identity, possible=10.0, **{"score": Score(earned=earned, possible=10.0), **changes})


def earning(points):
    return lambda identity: scored(points, identity)


def test_scores_are_summed_up():
    scores = known(scores_of(numbered(*map(earning, [0, 2, 4, 6, 10, 10]))))
    assert (scores.count, scores.possible, scores.full, scores.none) == (6, 10, 2, 1)
    assert scores.mean == pytest.approx(32 / 6)
    assert (scores.lower, scores.median, scores.upper) == (2.5, 5, 9)


def test_every_score_is_in_one_column_and_the_full_one_in_the_last():
    scores = known(scores_of(numbered(*map(earning, [0, 0.49, 0.5, 9.5, 10]))))
    assert [one.count for one in scores.bins] == [2, 1, *[0] * 17, 2]
    assert (scores.bins[0].low, scores.bins[0].high, scores.bins[-1].high) == (0, 0.5, 10)


@pytest.mark.parametrize(
    ("possible", "width", "ticks"),
    [
        (100, 5, [0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100]),
        (40, 2, [0, 5, 10, 15, 20, 25, 30, 35, 40]),
        (37, 2, [0, 5, 10, 15, 20, 25, 30, 37]),
        (4, 0.2, [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4]),
        (33.75, 2, [0, 5, 10, 15, 20, 25, 30, 33.75]),
    ],
)
def test_columns_and_ticks_stand_at_round_numbers(possible, width, ticks):
    tests = [declared("a", points=float(possible))]
    scores = known(scores_of(class_of((member("x"), record("x", result(tests[0]), possible=possible)), of=tests)))
    assert list(scores.ticks) == pytest.approx(ticks)
    assert {round(one.high - one.low, 9) for one in scores.bins} == {width}
    assert (sum(one.count for one in scores.bins), scores.bins[-1].count) == (1, 1)


def test_one_score_is_its_own_middle():
    scores = known(scores_of(numbered(earning(7))))
    assert (scores.lower, scores.median, scores.upper) == (7, 7, 7)


def test_what_could_not_be_graded_is_no_score():
    report = numbered(earning(8), lambda identity: Record(id=identity, key=KEY, problem="damaged"))
    assert known(scores_of(report)).count == 1


def test_a_class_of_which_nothing_was_graded_has_no_scores():
    assert scores_of(class_of((member("0"), None), of=TESTS)) is None


# Tests.


def test_the_hardest_test_comes_first():
    report = numbered(made(result(A), result(B, Status.FAILED)), made(result(A), result(B)))
    assert [(rate.test.id, rate.passed, rate.tried, rate.share) for rate in rates_of(report)] == [
        (B.id, 1, 2, 0.5),
        (A.id, 2, 2, 1.0),
    ]


def test_why_a_test_was_not_passed_is_counted():
    statuses = [Status.ERRORED, Status.FAILED, Status.TIMED_OUT, Status.ERRORED, Status.CRASHED, Status.BLOCKED]
    report = numbered(*(made(result(A, status)) for status in statuses))
    assert rates_of(report)[0].others == (
        *(("failed", 1), ("raised", 2), ("timed out", 1), ("crashed", 1), ("not run", 1)),
    )


def test_a_test_without_points_is_measured_among_those_who_attempted_it():
    report = numbered(*(made(result(FREE, status)) for status in (Status.PASSED, Status.NOT_ATTEMPTED)))
    assert [(rate.passed, rate.tried) for rate in rates_of(report)] == [(1, 1)]


def test_a_submission_in_which_nothing_could_run_says_nothing_of_a_test():
    report = numbered(made(result(A)), made(result(A, Status.BLOCKED), imported=False))
    assert [(rate.passed, rate.tried) for rate in rates_of(report)] == [(1, 1)]


def test_how_a_test_separates_is_the_correlation_with_the_points_on_all_others():
    random = Random(3)
    passes = [[random.random() < skill for _ in range(3)] for skill in (n / 20 for n in range(1, 20))]
    tests = [declared(name, points=points) for name, points in (("u", 1.0), ("v", 2.5), ("w", 4.0))]
    status = {True: Status.PASSED, False: Status.FAILED}
    pairs = [
        (member(f"{n}"), record(f"{n}", *(result(t, status[p]) for t, p in zip(tests, row, strict=True))))
        for n, row in enumerate(passes)
    ]
    rates = {rate.test.id: rate.separates for rate in rates_of(class_of(*pairs, of=tests))}
    for place, test in enumerate(tests):
        rest = [sum(t.points * p for t, p in zip(tests, row, strict=True) if t is not test) for row in passes]
        expected = statistics.correlation([float(row[place]) for row in passes], rest)
        assert rates[test.id] == pytest.approx(expected)


@pytest.mark.parametrize("passing", [0, 12])
def test_a_test_that_all_or_none_pass_separates_nobody(passing):
    makers = [made(result(A, Status.PASSED if n < passing else Status.FAILED), result(B)) for n in range(12)]
    assert {rate.test.id: rate.separates for rate in rates_of(numbered(*makers))}[A.id] is None


def test_among_a_few_submissions_nothing_is_said_of_how_tests_separate():
    makers = [made(result(A), result(B)), made(result(A, Status.FAILED), result(B, Status.FAILED))]
    assert [rate.separates for rate in rates_of(numbered(*makers))] == [None, None]


def test_a_page_names_the_tests_that_hardly_separate():
    passing = [(n % 2 == 0, n < 8, n < 8) for n in range(16)]  # the first has nothing to do with the others
    tests = [declared(name, title=f"about {name}") for name in ("chance", "skill", "care")]
    status = {True: Status.PASSED, False: Status.FAILED}
    pairs = [
        (member(f"{n}"), record(f"{n}", *(result(t, status[p]) for t, p in zip(tests, row, strict=True))))
        for n, row in enumerate(passing)
    ]
    said = words(class_page(class_of(*pairs, of=tests)))
    assert "1 test hardly separates strong submissions from weak ones (below 0.2): about chance." in said
