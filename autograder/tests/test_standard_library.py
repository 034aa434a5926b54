"""What may be imported is the standard library less what cannot work in a worker, and a refusal says why."""

import sys

import pytest

from autograder.assignment import load_assignment
from autograder.errors import AssignmentError
from autograder.grading import grade, last
from autograder.standard_library import EXCLUDED, IMPORTABLE

from .support.course import make_course


@pytest.mark.parametrize("name", ["struct", "io", "pprint", "traceback", "collections", "unittest", "signal"])
def test_what_is_harmless_may_be_imported(name):
    assert name in IMPORTABLE


@pytest.mark.parametrize("name", ["subprocess", "socket", "ctypes", "winreg", "tkinter", "numpy"])
def test_what_cannot_work_may_not(name):
    assert name not in IMPORTABLE


def test_every_module_of_this_python_may_be_imported_or_has_a_reason():
    explained = {name for names in EXCLUDED.values() for name in names}
    assert set(sys.stdlib_module_names) <= explained | set(IMPORTABLE)


def test_no_module_has_two_reasons():
    names = [name for group in EXCLUDED.values() for name in group]
    assert len(names) == len(set(names))


def course(tmp_path, imports):
    made = make_course(tmp_path / "course")
    configuration = made.root / "pyproject.toml"
    text = configuration.read_text("utf-8")
    assert 'imports = ["math"]\n' in text
    configuration.write_text(text.replace('imports = ["math"]\n', imports), "utf-8")
    return load_assignment(made.root)


def told(tmp_path, module, imports=""):
    """What a student is told of a submission whose second line imports `module`."""
    assignment = course(tmp_path, imports)
    file = tmp_path / "doubling.py"
    file.write_text(f"\nimport {module}\n\ndef double(x):\n    return 2 * x\n", "utf-8")
    return last(grade(assignment, file)).import_failure


@pytest.mark.parametrize(
    ("module", "reason"),
    [
        ("torch", "this homework is written with Python's standard library alone"),
        ("subprocess", "it starts other processes, and a submission is graded in one alone"),
        ("socket", "it uses the network, and a submission is graded without one"),
    ],
)
def test_a_refused_import_is_one_sentence_with_its_place_and_reason(tmp_path, module, reason):
    assert told(tmp_path, module).message == f"doubling.py line 2 imports {module}; {reason}"


def test_a_closed_list_is_named(tmp_path):
    failure = told(tmp_path, "json", 'imports = ["math", "random"]\n')
    assert failure.message == "doubling.py line 2 imports json; this homework allows only math, random"


@pytest.mark.parametrize("module", ["struct", "pprint", "traceback", "collections.abc", "logging.handlers"])
def test_a_submission_that_imports_it_is_graded(tmp_path, module):
    assert told(tmp_path, module) is None


def test_another_word_than_standard_is_an_error(tmp_path):
    with pytest.raises(AssignmentError, match="imports"):
        course(tmp_path, 'imports = "everything"\n')
