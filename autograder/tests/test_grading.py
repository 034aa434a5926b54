"""Grading one submission yields reports: blank, one after each suite, the last complete."""

import shutil

import pytest

from autograder.assignment import load_assignment
from autograder.grading import grade
from autograder.model import Status
from autograder.suites.manifest import write_manifests
from autograder.suites.runner import collected_suites

from .support.attacks import ASSIGNMENT, RIGHT


@pytest.fixture
def reports(tmp_path):
    """Return a function that returns all reports of an engine's source."""
    shutil.copytree(ASSIGNMENT, tmp_path / "course")
    assignment = load_assignment(tmp_path / "course")
    with collected_suites(assignment, manifests=False) as suites:
        write_manifests(assignment, suites.tests)

    def graded(source):
        (tmp_path / "engine.py").write_text(source, encoding="utf-8")
        return list(grade(assignment, tmp_path / "engine.py"))

    return graded


def test_a_submission_has_a_blank_report_and_one_after_each_suite(reports):
    found = reports(RIGHT)
    assert [report.complete for report in found] == [False, False, True]
    assert {outcome.status for outcome in found[0].outcomes} == {Status.BLOCKED}


def test_what_a_suite_earned_stands_in_every_later_report(reports):
    _, public, last = reports(RIGHT)
    earned = {outcome.test.id for outcome in public.outcomes if outcome.score}
    assert earned
    assert earned < {outcome.test.id for outcome in last.outcomes if outcome.score}


def test_a_submission_that_cannot_be_imported_has_two_reports_and_lists_every_test(reports):
    blank, last = reports("def (")
    assert last.complete
    assert [outcome.test for outcome in last.outcomes] == [outcome.test for outcome in blank.outcomes]
