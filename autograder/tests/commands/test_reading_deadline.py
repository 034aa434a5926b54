"""`grade` and `gradescope` end at the reading's deadline: status 3, the reason in words, and no result of zero."""

import functools
import time

import pytest
from click.testing import CliRunner

from autograder import grading
from autograder.cli import main
from autograder.submission import submission

from ..support.course import make_course
from ..support.exports import RIGHT, write_folder


@pytest.fixture
def graded(tmp_path):
    """Return a function that grades with a verb, and returns the outcome and where results.json would be."""
    course = make_course(tmp_path / "source").root
    handed_in = write_folder(tmp_path / "submission", {"doubling.py": RIGHT})
    results = tmp_path / "results/results.json"
    options = {
        "grade": [str(handed_in), "--root", str(course), "--results", str(results)],
        "gradescope": ["--root", str(tmp_path)],
    }
    return lambda verb: (CliRunner().invoke(main, [verb, *options[verb]]), results)


def for_ever(_source):
    while True:
        time.sleep(60)


@pytest.mark.parametrize("verb", ["grade", "gradescope"])
def test_a_submission_that_cannot_be_read_in_time_is_not_graded(graded, monkeypatch, verb):
    monkeypatch.setattr(submission, "read_upload", for_ever)
    monkeypatch.setattr(grading, "read_submission", functools.partial(submission.read_submission, seconds=0.5))
    outcome, results = graded(verb)
    assert outcome.exit_code == 3
    assert "could not be read: reading it took longer than 0.5 s" in outcome.output
    assert not results.exists()


@pytest.mark.parametrize("verb", ["grade", "gradescope"])
def test_a_submission_that_can_be_read_is_graded(graded, verb):  # the control
    outcome, results = graded(verb)
    assert outcome.exit_code == 0, outcome.output
    assert results.exists()
