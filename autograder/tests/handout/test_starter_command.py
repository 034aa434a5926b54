"""`autograder starter` writes the starter, and checks that it is up to date."""

import ast
from pathlib import Path
from textwrap import dedent

import pytest
from click.testing import CliRunner

from autograder.cli import main
from autograder.errors import AssignmentError
from autograder.handout.copies import is_copy
from autograder.handout.starter import stale, starter_of, write_starter

SOLUTION = Path(__file__).parents[3] / "solution"


MARKED = [file for file in sorted(SOLUTION.rglob("*.py")) if not is_copy(file.read_bytes())]


@pytest.mark.parametrize("file", MARKED, ids=lambda file: file.name)
def test_the_starter_of_the_solution_is_python_and_its_own_starter(file):
    starter = starter_of(file.read_text("utf-8"), file=file.name)
    ast.parse(starter)
    assert starter_of(starter, file=file.name) == starter


# Directories and the command.


@pytest.fixture
def course(tmp_path):
    """A repository with one task and one text."""
    (tmp_path / "pyproject.toml").write_text(
        dedent("""
        [tool.autograder]
        name = "small"
        imports = []
        suites = [{name = "public", path = "tests", points = 1}]
        modules = {engine = {file = "engine.py"}}
        """)
    )
    (tmp_path / "tests").mkdir()
    (tmp_path / "solution/data").mkdir(parents=True)
    (tmp_path / "solution/engine.py").write_text("def f():  # task 1.1\n    return 1\n")
    (tmp_path / "solution/data/notes.md").write_bytes(b"Text\r\n")
    return tmp_path


def run(course: Path, *arguments: str):
    return CliRunner().invoke(main, ["starter", "--root", str(course), *arguments])


def test_every_file_is_written_and_then_up_to_date(course):
    written = write_starter(course / "solution", course / "starter")
    assert written == [Path("data/notes.md"), Path("engine.py")]
    assert (course / "starter/data/notes.md").read_bytes() == b"Text\r\n"
    assert stale(course / "solution", course / "starter") == []


def test_a_file_that_the_solution_lost_leaves_the_starter(course):
    write_starter(course / "solution", course / "starter")
    (course / "solution/data/notes.md").unlink()
    assert write_starter(course / "solution", course / "starter") == [Path("data/notes.md")]
    assert not (course / "starter/data/notes.md").exists()


def test_caches_and_hidden_files_are_left_alone(course):
    (course / "solution/__pycache__").mkdir()
    (course / "solution/__pycache__/engine.pyc").write_bytes(b"ANSWER")
    (course / "solution/.notes.md").write_text("ANSWER")
    written = write_starter(course / "solution", course / "starter")
    assert written == [Path("data/notes.md"), Path("engine.py")]


def test_a_file_in_which_no_mark_can_be_put_is_refused_before_anything_is_written(course):
    (course / "solution/engine.ipynb").write_text("ANSWER")
    with pytest.raises(AssignmentError, match=r"engine\.ipynb"):
        write_starter(course / "solution", course / "starter")
    assert not (course / "starter").exists()


def test_a_file_that_is_not_utf8_is_refused_with_its_line(course):
    (course / "solution/engine.py").write_bytes(b"x = 1\ny = '\xe9'\n")
    with pytest.raises(AssignmentError, match=r"engine\.py:2: not UTF-8"):
        write_starter(course / "solution", course / "starter")


def test_the_command_prints_what_it_wrote(course):
    result = run(course)
    assert (result.exit_code, result.stdout) == (0, "starter/data/notes.md\nstarter/engine.py\n")


def test_check_accepts_a_starter_that_is_up_to_date(course):
    run(course)
    result = run(course, "--check")
    assert (result.exit_code, result.output) == (0, "")


def test_check_shows_how_a_stale_starter_differs_and_writes_nothing(course):
    run(course)
    (course / "starter/engine.py").write_text("def f():  # task 1.1\n    return 1\n")
    result = run(course, "--check")
    assert result.exit_code == 2
    assert '-    return 1\n+    raise NotImplementedError("task 1.1")\n' in result.stdout
    assert result.stderr == "autograder: starter/ is stale: run `autograder starter`\n"
    assert "return 1" in (course / "starter/engine.py").read_text()


def test_check_names_a_file_that_should_not_be_there(course):
    run(course)
    (course / "starter/extra.py").write_text("x = 1\n")
    result = run(course, "--check")
    assert (result.exit_code, result.stdout) == (2, "extra.py: not in the solution\n")
