"""The bracket: the solution earns everything, the starter nothing."""

from pathlib import Path

import pytest

from autograder.assignment import load_assignment
from autograder.bank import Bank
from autograder.model import Status
from autograder.verify import cases_of, trials

ASSIGNMENT = load_assignment(Path(__file__).parents[2])


@pytest.fixture(scope="module")
def reports():
    """The reports of the solution and of the starter, graded as a submission is."""
    cases = cases_of(ASSIGNMENT, Bank({}, ()))
    return {trial.case.name: trial.report for trial in trials(ASSIGNMENT, cases, jobs=2)}


def test_the_solution_earns_exactly_full_marks(reports):
    assert str(reports["solution"].score) == "100 / 100"


def test_the_starter_earns_exactly_nothing(reports):
    assert str(reports["starter"].score) == "0 / 100"


def test_the_starter_is_imported(reports):
    assert reports["starter"].import_failure is None


def test_the_starter_is_told_of_every_test_that_the_solution_passes(reports):
    listed = {name: [outcome.test.id for outcome in report.outcomes] for name, report in reports.items()}
    assert listed["starter"] == listed["solution"]


@pytest.mark.parametrize(("suite", "points"), [("public", 40), ("hidden", 60)])
def test_a_suites_points_add_up(reports, suite, points):
    assert sum(o.test.points for o in reports["solution"].outcomes if o.test.suite == suite) == points


def test_what_earns_no_points_passes_or_is_not_attempted(reports):
    statuses = {outcome.status for outcome in reports["solution"].outcomes if not outcome.test.scored}
    assert statuses <= {Status.PASSED, Status.NOT_ATTEMPTED}
