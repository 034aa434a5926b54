"""A manifest names every file of tests, and one that it does not name is never imported."""

import shutil

import pytest

from autograder.assignment import load_assignment
from autograder.errors import AssignmentError
from autograder.suites.runner import collected_suites

from ..support.course import make_course


@pytest.fixture
def course(tmp_path):
    return make_course(tmp_path / "course")


@pytest.fixture
def written(tmp_path, course):
    """Drop a file of tests into the hidden suite; return what it writes when it is imported."""
    written = tmp_path / "imported"
    (course.root / "tests_hidden" / "deep").mkdir()
    (course.root / "tests_hidden" / "deep" / "test_stray.py").write_text(f"open({str(written)!r}, 'w').close()\n")
    return written


def test_a_file_that_the_manifest_does_not_name_is_refused_and_not_imported(course, written):
    with (
        pytest.raises(AssignmentError, match=r"tests_hidden/manifest\.txt does not name deep/test_stray\.py"),
        collected_suites(load_assignment(course.root)),
    ):
        pass
    assert not written.exists()


def test_the_same_file_is_imported_where_no_manifest_counts(course, written):  # the control
    with collected_suites(load_assignment(course.root), manifests=False):
        pass
    assert written.exists()


def test_without_a_manifest_nothing_is_imported(course):
    (course.root / "tests_public" / "manifest.txt").unlink()
    with (
        pytest.raises(AssignmentError, match=r"does not name test_double\.py"),
        collected_suites(load_assignment(course.root)),
    ):
        pass


def test_a_file_for_students_alone_needs_no_line(course):
    shutil.copy(course.root / "tests_public/test_double.py", course.root / "tests_public/test_home.py")
    course.edit("pyproject.toml", 'path = "tests_public"', 'path = "tests_public"\nlocal_only = ["test_home.py"]')
    with collected_suites(load_assignment(course.root)) as suites:
        assert len(suites.tests) == 3
