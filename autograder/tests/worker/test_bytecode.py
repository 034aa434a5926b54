"""A submission is compiled once, before anything of it runs, and behaves as if every worker had compiled it."""

import pytest

from autograder.assignment import load_assignment
from autograder.grading import grade, last
from autograder.model import Status
from autograder.submission.submission import read_submission
from autograder.wire import format as wire
from autograder.worker.serve import bytecode

from ..support.course import RIGHT, make_course


@pytest.fixture
def graded(tmp_path):
    """Grade a text as the submission of a small course."""
    assignment = load_assignment(make_course(tmp_path / "course").root)

    def run(text):
        (tmp_path / "doubling.py").write_text(text, "utf-8")
        return last(grade(assignment, tmp_path / "doubling.py"))

    return run


@pytest.mark.parametrize("text", ["def double(x:\n", "\0", "x = " + "(" * 500], ids=["syntax", "null", "depth"])
def test_what_does_not_compile_is_left_for_its_import_to_explain(tmp_path, text):
    (tmp_path / "doubling.py").write_text(text, "utf-8")
    assert bytecode("doubling", {str(tmp_path / "doubling.py"): "doubling.py"}) is None


def test_bytecode_that_could_not_cross_is_not_sent(tmp_path):
    (tmp_path / "doubling.py").write_text("x = 0\n" * 20_000, "utf-8")
    assert bytecode("doubling", {str(tmp_path / "doubling.py"): "doubling.py"}) is None


def test_compiling_runs_nothing(tmp_path):
    (tmp_path / "doubling.py").write_text("raise SystemExit\n", "utf-8")
    assert type(bytecode("doubling", {str(tmp_path / "doubling.py"): "doubling.py"})) is wire.Array


def test_a_syntax_error_is_still_explained_by_its_own_line(graded):
    report = graded("def double(x):\n    return x +\n")
    assert (report.import_failure.exception, report.import_failure.frames[-1].line) == ("SyntaxError", 2)


def test_an_exception_still_points_at_the_submissions_line(graded):
    report = graded("def double(x):\n    return x / 0\n")
    assert report.outcomes[0].failure.frames[-1].text == "return x / 0"


def test_the_bytecode_that_a_submission_brings_is_not_taken(tmp_path, graded):
    cache = tmp_path / "handed" / "__pycache__"
    cache.mkdir(parents=True)
    (tmp_path / "handed" / "doubling.py").write_text("def double(x):\n    return 0\n", "utf-8")
    assignment = load_assignment(tmp_path / "course")
    right = read_submission(write(tmp_path / "right", RIGHT), assignment=assignment, into=tmp_path / "into")
    right.keep_bytecode("doubling.py", compiled(tmp_path / "right"))
    (kept,) = (tmp_path / "into/__pycache__").iterdir()
    (cache / kept.name).write_bytes(kept.read_bytes())
    report = last(grade(assignment, tmp_path / "handed"))
    assert report.outcomes[0].status is Status.FAILED


def write(directory, text):
    directory.mkdir()
    (directory / "doubling.py").write_text(text, "utf-8")
    return directory


def compiled(directory):
    code = bytecode("doubling", {str(directory / "doubling.py"): "doubling.py"})
    assert code is not None
    return code.data
