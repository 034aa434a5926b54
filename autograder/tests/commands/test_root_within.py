"""The course is never found in a submission: its tests and settings would be the student's own."""

import pytest
from click.testing import CliRunner

from autograder.cli import main
from autograder.commands import options

from ..support.course import Course, make_course

VERBS = pytest.mark.parametrize("verb", [["grade"], ["regrade", "--out", "out"]], ids=["grade", "regrade"])


@pytest.fixture
def trap(tmp_path, monkeypatch):
    """Stand in a submission that brings a course of its own; give it, and the file that its tests write."""
    course = make_course(tmp_path / "class" / "mallory").root
    written = tmp_path / "imported"
    test = course / "tests_public" / "test_double.py"
    test.write_text(f"open({str(written)!r}, 'w').close()\n" + test.read_text("utf-8"))
    (tmp_path / "class" / "ada").mkdir()
    (tmp_path / "class" / "ada" / "doubling.py").write_text("def double(x):\n    return x + x\n")
    monkeypatch.chdir(course)
    return course, written


@VERBS
@pytest.mark.parametrize("graded", [".", ".."], ids=["the root itself", "above it"])
def test_a_root_within_what_is_graded_is_refused_before_a_test_is_imported(trap, verb, graded):
    answer = CliRunner().invoke(main, [verb[0], graded, *verb[1:]])
    assert answer.exit_code == 2
    assert "lies in what is graded" in answer.output
    assert not trap[1].exists()


@VERBS
@pytest.mark.parametrize("graded", ["../ada", "solution", "doubling.py"], ids=["a sibling", "a part", "a file"])
def test_a_root_that_nobody_named_is_refused_before_a_test_is_imported(trap, verb, graded):
    course, written = trap
    (course / "doubling.py").write_text("")
    answer = CliRunner().invoke(main, [verb[0], graded, *verb[1:]])
    assert answer.exit_code == 2
    assert f"--root {course}, or --root {options._REPOSITORY}" in answer.output
    assert not written.exists()


def test_a_root_that_is_named_is_taken(trap):  # the control: such a course's tests do run
    course, written = trap
    answer = Course(course).run("grade", str(course.parent / "ada"), "--isolation", "process")
    assert answer.returncode == 0, answer.stderr
    assert written.exists()


def test_a_root_that_the_environment_names_is_taken(trap, monkeypatch):
    course, _ = trap
    monkeypatch.setenv("AUTOGRADER_ROOT", str(course))
    answer = CliRunner().invoke(main, ["grade", "../ada", "--suite", "none"])
    assert "there is no suite `none`" in answer.output


def test_the_root_that_the_grader_belongs_to_needs_no_naming(monkeypatch):
    monkeypatch.chdir(options._REPOSITORY)
    answer = CliRunner().invoke(main, ["grade", "solution", "--suite", "none"])
    assert "there is no suite `none`" in answer.output
