"""What the handout shares with the grader is written once: the solution holds copies that are kept up to date."""

import pytest
from click.testing import CliRunner

from autograder.cli import main
from autograder.errors import AssignmentError
from autograder.handout.copies import PACKAGE
from autograder.handout.starter import write_starter

LINE = "# Copied by `autograder starter` from autograder/worker/line_trace.py: edit that file.\n"
CONFIGURATION = """
[tool.autograder]
name = "homework"
suites = []
[tool.autograder.modules.engine]
file = "engine.py"
"""
SOURCE = (PACKAGE / "worker/line_trace.py").read_text("utf-8")


@pytest.fixture
def solution(tmp_path):
    (tmp_path / "solution").mkdir()
    return tmp_path / "solution"


def test_a_line_that_names_a_file_of_the_grader_becomes_its_copy(solution, tmp_path):
    (solution / "trace.py").write_text(LINE, "utf-8")
    write_starter(solution, tmp_path / "starter")
    assert (solution / "trace.py").read_text("utf-8") == LINE + SOURCE
    assert (tmp_path / "starter/trace.py").read_text("utf-8") == LINE + SOURCE


@pytest.mark.parametrize("course", [".", "docs/example-assignment", "docs/example-rationals"])
def test_the_copies_and_starters_of_this_repository_are_up_to_date(course):
    answer = CliRunner().invoke(main, ["starter", "--check", "--root", str(PACKAGE.parent / course)])
    assert answer.exit_code == 0, f"make starter\n{answer.output}"


def test_a_copy_that_was_edited_is_found(solution, tmp_path):
    (solution / "trace.py").write_text(LINE + SOURCE + "x = 1\n", "utf-8")
    (tmp_path / "pyproject.toml").write_text(CONFIGURATION, "utf-8")
    answer = CliRunner().invoke(main, ["starter", "--check", "--root", str(tmp_path)])
    assert "trace.py: differs from what it is made from" in answer.output
    assert answer.exit_code == 2


@pytest.mark.parametrize(
    "source", ["autograder/absent.py", "../pyproject.toml", "autograder/../pyproject.toml", "solution/engine.py"]
)
def test_what_is_not_a_file_of_the_grader_is_not_copied(solution, tmp_path, source):
    (solution / "trace.py").write_text(LINE.replace("autograder/worker/line_trace.py", source), "utf-8")
    with pytest.raises(AssignmentError, match=r"trace\.py:1: "):
        write_starter(solution, tmp_path / "starter")


def test_a_task_under_such_a_line_is_not_published(solution, tmp_path):
    (solution / "trace.py").write_text(LINE + "def f():  # task 1.1\n    return ANSWER\n", "utf-8")
    write_starter(solution, tmp_path / "starter")
    assert "ANSWER" not in (tmp_path / "starter/trace.py").read_text("utf-8")


TABLE = "# Made by `autograder starter` from `sections` in pyproject.toml: edit it there.\n"


def test_a_line_that_names_a_table_of_the_configuration_becomes_it_as_python(solution, tmp_path):
    sections = 'sections = { kink = "chapter-\\"0\\"" }\nsuites'
    (tmp_path / "pyproject.toml").write_text(CONFIGURATION.replace("suites", sections), "utf-8")
    (solution / "sections.py").write_text(TABLE, "utf-8")
    write_starter(solution, tmp_path / "starter")
    made: dict[str, object] = {}
    exec((tmp_path / "starter/sections.py").read_text("utf-8"), made)
    assert made["SECTIONS"] == {"kink": 'chapter-"0"'}
    assert (solution / "sections.py").read_text("utf-8").startswith(TABLE)


@pytest.mark.parametrize("name", ["absent", "modules", "name"])
def test_what_is_no_table_of_texts_is_not_made(solution, tmp_path, name):
    (tmp_path / "pyproject.toml").write_text(CONFIGURATION, "utf-8")
    (solution / "made.py").write_text(TABLE.replace("sections", name), "utf-8")
    with pytest.raises(AssignmentError, match=rf"made\.py:1: .* no table of texts called `{name}`"):
        write_starter(solution, tmp_path / "starter")
