"""`autograder doctor` says what a machine lacks for a course, and what to do about it."""

import os
import sys

import pytest
from click.testing import CliRunner

from autograder.cli import main
from autograder.model import Level
from autograder.sandbox import isolation

from ..support.course import make_course

pytestmark = pytest.mark.slow


@pytest.fixture
def course(tmp_path):
    return make_course(tmp_path)


def doctor(course):
    return CliRunner().invoke(main, ["doctor", "--root", str(course.root)])


def test_a_machine_that_has_everything_ends_with_0(course):
    answer = doctor(course)
    assert answer.exit_code == 0, answer.output
    assert f"ok    Python {sys.version_info[0]}.{sys.version_info[1]}\n" in answer.output
    assert "LACKS" not in answer.output


def test_a_package_that_a_test_imports_and_is_not_installed_is_named_with_the_remedy(course):
    course.edit("tests_hidden/test_negative.py", "import pytest", "import pytest\nimport absent_statistics.deep")
    answer = doctor(course)
    assert answer.exit_code == 2
    assert "LACKS the package absent_statistics\n      the tests use it: pip install absent_statistics" in answer.output


def test_a_package_that_no_image_has_is_named_with_the_line(course):
    course.edit("tests_hidden/test_negative.py", "import pytest", "import pytest\nfrom yaml import safe_load")
    answer = doctor(course)
    assert answer.exit_code == 2
    assert "ok    the package yaml\n" in answer.output  # here it is
    assert "tests_hidden/test_negative.py:3: no image has the package yaml" in answer.output


def test_what_only_students_run_is_a_note(course):
    (course.root / "tests_public/test_parity.py").write_text("import absent_statistics\n", encoding="utf-8")
    course.edit("pyproject.toml", 'path = "tests_public"', 'path = "tests_public"\nlocal_only = ["test_parity.py"]')
    answer = doctor(course)
    assert answer.exit_code == 0
    assert "note  the package absent_statistics\n" in answer.output


def test_a_module_of_arrays_needs_numpy(course, monkeypatch):
    course.edit("pyproject.toml", 'file = "doubling.py"', 'file = "doubling.py"\narrays = "numpy"')
    monkeypatch.setitem(sys.modules, "numpy", None)
    answer = doctor(course)
    assert answer.exit_code == 2
    assert "LACKS the package numpy\n      the tests use it: pip install numpy" in answer.output


def test_what_lies_beside_the_tests_is_not_a_package(course):
    (course.root / "tests_hidden/oracle.py").write_text("", encoding="utf-8")
    course.edit("tests_hidden/test_negative.py", "import pytest", "import pytest\nimport oracle")
    assert "oracle" not in doctor(course).output


def test_another_python_than_the_images_is_a_note(course):
    other = "3.10" if sys.version_info[:2] != (3, 10) else "3.12"
    course.edit("pyproject.toml", 'name = "doubling"\n', f'name = "doubling"\npython = "{other}"\n')
    answer = doctor(course)
    assert answer.exit_code == 0
    assert f"the image grades with {other}" in answer.output


def test_a_folder_that_cannot_be_written_is_named(course, monkeypatch):
    monkeypatch.setattr(os, "access", lambda _, mode: mode != os.W_OK)
    answer = doctor(course)
    assert answer.exit_code == 2
    assert f"LACKS the folder {course.root}\n" in answer.output


def test_weaker_isolation_than_the_image_must_have_is_a_note_with_the_remedy(course, monkeypatch):
    monkeypatch.setattr(isolation, "strongest", lambda: Level.PROCESS)
    answer = doctor(course)
    assert answer.exit_code == 0
    assert "note  isolation PROCESS, where Gradescope's image must have STRONG\n" in answer.output
    assert "grade only work that you trust here" in answer.output
