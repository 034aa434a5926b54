"""The command line explains itself, and says with its status whose fault it was."""

import re
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from autograder import commands
from autograder.cli import main
from autograder.errors import AssignmentError, AutograderError, IsolationError, SubmissionError

VERBS = main.list_commands(click.Context(main))


@pytest.fixture
def failing_verb(monkeypatch):
    """Make `autograder fail` raise what the test puts into the list."""
    problems: list[Exception] = []

    @click.command("fail")
    def command():
        raise problems[0]

    monkeypatch.setattr(main, "list_commands", lambda _context: ["fail"])
    monkeypatch.setitem(sys.modules, f"{commands.__name__}.fail", type(sys)("fail"))
    monkeypatch.setattr(sys.modules[f"{commands.__name__}.fail"], "command", command, raising=False)
    return problems


CALLED = re.findall(r"-m autograder (\w+)", (Path(__file__).parents[3] / "Makefile").read_text("utf-8"))


@pytest.mark.parametrize("verb", sorted(set(CALLED)))
def test_every_verb_that_the_makefile_calls_exists(verb):
    assert verb in VERBS


@pytest.mark.parametrize("verb", VERBS)
def test_a_verb_shows_one_example_of_itself(verb):
    answer = CliRunner().invoke(main, [verb, "--help"])
    assert answer.exit_code == 0
    assert answer.output.count(f"Example: autograder {verb}") == 1


@pytest.mark.parametrize("verb", VERBS)
def test_the_help_shows_every_verb(verb):
    answer = CliRunner().invoke(main, ["--help"])
    assert f"\n  {verb} " in answer.output


@pytest.mark.parametrize(
    ("problem", "status"),
    [(AssignmentError("why"), 2), (SubmissionError("why"), 3), (IsolationError("why"), 3), (AutograderError("why"), 3)],
    ids=lambda case: type(case).__name__,
)
def test_an_error_that_explains_itself_is_one_line_on_stderr_and_its_own_status(failing_verb, problem, status):
    failing_verb.append(problem)
    answer = CliRunner().invoke(main, ["fail"])
    assert (answer.exit_code, answer.stdout, answer.stderr) == (status, "", "autograder: why\n")


@pytest.mark.parametrize(
    "problem", [KeyError("ours"), RecursionError(), MemoryError(), UnicodeDecodeError("utf-8", b"", 0, 1, "ours")]
)
def test_a_mistake_of_the_grader_itself_is_status_3_with_its_traceback_and_a_way_to_report_it(failing_verb, problem):
    failing_verb.append(problem)
    answer = CliRunner().invoke(main, ["fail"])
    assert (answer.exit_code, answer.stdout) == (3, "")
    assert answer.stderr.startswith("Traceback (most recent call last):")
    assert f"the grader itself failed with {type(problem).__name__}" in answer.stderr.splitlines()[-1]


def test_a_misspelt_verb_is_refused_with_the_nearest_one():
    answer = CliRunner().invoke(main, ["strater"])
    assert answer.exit_code == 2
    assert "Did you mean 'starter'?" in answer.stderr


def test_outside_a_course_the_command_says_where_to_stand(tmp_path):
    program = [sys.executable, "-m", "autograder", "starter", "--check"]
    answer = subprocess.run(program, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (answer.returncode, answer.stdout) == (2, "")
    assert "run the command inside the course's repository, or name it with --root" in answer.stderr


def test_the_console_script_and_the_module_are_the_same_program():
    script = [str(Path(sys.executable).with_name("autograder")), "--help"]
    module = [sys.executable, "-m", "autograder", "--help"]
    answers = [subprocess.run(program, capture_output=True, text=True, check=True) for program in (script, module)]
    assert answers[0].stdout == answers[1].stdout
    assert answers[0].stdout.startswith("Usage: autograder ")
