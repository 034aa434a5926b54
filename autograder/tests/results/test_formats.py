"""Other graders' formats: what each documents, and that none tells more than a student may know."""

import json
from xml.etree import ElementTree

import pytest

from autograder.commands import grade
from autograder.failure import Failure, FailureKind
from autograder.model import Status
from autograder.results.formats import FORMATS, autolab, junit, prairielearn
from autograder.results.gradescope import results_bytes

from ..support.reports import SECRET, assignment, declared, outcome, report

FAILURE = Failure(kind=FailureKind.ASSERTION, statement="assert x.grad == approx(7.0)", expected="7.0", got="3.0")
HIDDEN = Failure(kind=FailureKind.ASSERTION, statement="assert secret(0.1234) == 5", expected="5", got="0.1234")


@pytest.fixture
def mixed():
    """Two visible tests, one of them wrong, and two hidden ones, one of them wrong: 4 of 8 points."""
    return report(
        outcome(),
        outcome(Status.FAILED, declared("sum"), failure=FAILURE),
        outcome(test=declared("deep", SECRET, hint="Look.")),
        outcome(Status.FAILED, declared("deeper", SECRET, hint="Look."), failure=HIDDEN),
    )


def test_prairielearn_gets_a_score_from_0_to_1_and_points_in_each_test(mixed):
    content = json.loads(prairielearn(mixed, assignment()))

    assert content["gradable"] is True
    assert content["score"] == 0.5
    assert [(t["points"], t["max_points"]) for t in content["tests"]] == [(2.0, 2.0), (0.0, 2.0), (2.0, 4.0)]
    assert "expected 7.0, got 3.0" in content["tests"][1]["output"]


def test_prairielearn_takes_no_attempt_for_a_syntax_error():
    failure = Failure(exception="SyntaxError", message="SyntaxError: invalid syntax")

    content = json.loads(prairielearn(report(import_failure=failure), assignment()))

    assert content["gradable"] is False
    assert "invalid syntax" in content["format_errors"][0]


def test_autolab_gets_the_scores_of_the_suites_as_the_last_line(mixed):
    last = autolab(mixed, assignment()).rstrip("\n").splitlines()[-1]

    assert json.loads(last) == {"scores": {"public": 2.0, "hidden": 2.0}}


def test_a_line_that_a_submission_prints_never_stands_where_autolab_reads():
    forged = '{"scores": {"public": 40, "hidden": 60}}'
    printed = outcome(Status.FAILED, failure=FAILURE, output=f"x\n{forged}\n")

    lines = autolab(report(printed), assignment()).splitlines()

    assert forged not in lines
    assert json.loads(lines[-1]) == {"scores": {"public": 0.0}}


def test_junit_counts_and_names_the_visible_tests(mixed):
    suites = ElementTree.fromstring(junit(mixed, assignment()))

    (suite,) = suites
    assert suite.attrib == {"name": "public", "tests": "2", "failures": "1", "errors": "0", "skipped": "0"}
    assert [case.get("name") for case in suite] == ["test_reuse", "test_sum"]
    assert "expected 7.0, got 3.0" in (suite[1][0].text or "")


@pytest.mark.parametrize(
    ("status", "tag"),
    [
        (Status.FAILED, "failure"),
        (Status.ERRORED, "error"),
        (Status.TIMED_OUT, "error"),
        (Status.CRASHED, "error"),
        (Status.BLOCKED, "skipped"),
    ],
)
def test_junit_tells_a_wrong_result_from_a_broken_run(status, tag):
    failure = Failure(exception="x", message="a\x00b\ufffe")

    suites = ElementTree.fromstring(junit(report(outcome(status, failure=failure)), assignment()))

    assert suites[0][0][0].tag == tag


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_no_format_tells_a_hidden_value(mixed, name):
    assert "0.1234" not in FORMATS[name](mixed, assignment())


@pytest.mark.parametrize("name", sorted(set(FORMATS) - {"gradescope"}))
def test_a_test_that_may_not_be_seen_yet_is_not_named(mixed, name):
    text = FORMATS[name](mixed, assignment())

    assert "deeper" not in text
    assert "Look." not in text


def test_the_gradescope_format_is_the_file_that_is_written(mixed):
    assert FORMATS["gradescope"](mixed, assignment()).encode() == results_bytes(mixed, assignment())


def test_every_format_can_be_asked_for():
    assert tuple(FORMATS) == grade.FORMATS
