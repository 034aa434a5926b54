"""The course is never found in what is graded: its tests and settings would be the student's own."""

import pytest
from click.testing import CliRunner

from autograder.cli import main

from ..support.course import make_course

VERBS = pytest.mark.parametrize("verb", [["grade"], ["regrade", "--out", "out"]], ids=["grade", "regrade"])


@VERBS
@pytest.mark.parametrize("graded", [".", ".."], ids=["the root itself", "above it"])
def test_a_root_within_what_is_graded_is_refused_before_a_test_is_imported(tmp_path, monkeypatch, verb, graded):
    course = make_course(tmp_path / "work" / "submission").root
    trap = tmp_path / "imported"
    (course / "tests_public" / "conftest.py").write_text(f"open({str(trap)!r}, 'w').close()\n")
    monkeypatch.chdir(course)
    answer = CliRunner().invoke(main, [verb[0], graded, *verb[1:]])
    assert answer.exit_code == 2
    assert "lies in what is graded" in answer.output
    assert not trap.exists()


def test_a_submission_inside_the_courses_root_is_not_refused(tmp_path, monkeypatch):  # the control
    course = make_course(tmp_path / "course").root
    monkeypatch.chdir(course)
    answer = CliRunner().invoke(main, ["grade", "solution", "--suite", "none"])
    assert "there is no suite `none`" in answer.output
