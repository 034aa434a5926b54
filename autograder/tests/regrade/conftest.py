"""What the tests of sources share: a course, and the class that is recognised in files."""

import tempfile
from pathlib import Path

import pytest

from autograder.assignment import load_assignment
from autograder.regrade.report.page import class_page
from autograder.regrade.sources.recognition import recognise_class

from ..support.classes import large_class
from ..support.course import make_course
from ..support.exports import write_folder
from ..support.regrade_command import RegradeCommand


@pytest.fixture(scope="module")
def assignment(tmp_path_factory):
    return load_assignment(make_course(tmp_path_factory.mktemp("course")).root)


@pytest.fixture
def recognised(tmp_path, assignment):
    """Write files as a source and return the class in it."""

    def recognise(files, write=write_folder, name="source", **options):
        return recognise_class([write(tmp_path / name, files)], assignment, **options)

    return recognise


LIMITS = "[tool.autograder.limits]\nrequest_seconds = 1\ntest_seconds = 1\nrun_seconds = 20\n\n"
PUBLIC_SUITE = '[[tool.autograder.suites]]\nname = "public"'


@pytest.fixture
def regrading(tmp_path, monkeypatch):
    """The command on a course, with a temporary folder of its own: a command that is killed cannot empty its own."""
    course = make_course(tmp_path / "course")
    course.edit("pyproject.toml", 'imports = ["math"]', 'imports = ["math", "time"]')
    course.edit("pyproject.toml", PUBLIC_SUITE, LIMITS + PUBLIC_SUITE)
    with tempfile.TemporaryDirectory(prefix="autograder-test-", ignore_cleanup_errors=True) as own:
        Path(own).chmod(0o711)  # the users of workers pass through it
        monkeypatch.setenv("TMPDIR", own)
        yield RegradeCommand(tmp_path, course)


@pytest.fixture(scope="module")
def large():
    return large_class()


@pytest.fixture(scope="module")
def page(large):
    return class_page(large)
