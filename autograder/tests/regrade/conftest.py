"""What the tests of sources share: a course, and the class that is recognised in files."""

import pytest

from autograder.assignment import load_assignment
from autograder.regrade.sources.recognition import recognise_class

from ..support.course import make_course
from ..support.exports import write_folder


@pytest.fixture(scope="module")
def assignment(tmp_path_factory):
    return load_assignment(make_course(tmp_path_factory.mktemp("course")).root)


@pytest.fixture
def recognised(tmp_path, assignment):
    """Write files as a source and return the class in it."""

    def recognise(files, write=write_folder, name="source", **options):
        return recognise_class([write(tmp_path / name, files)], assignment, **options)

    return recognise
