"""A folder with the name of a module would be imported in its place: it is left out, and named."""

import pytest

from autograder.assignment import load_assignment
from autograder.submission.submission import read_submission

from ..support.course import make_course
from ..support.exports import RIGHT, WRONG, write_folder


@pytest.fixture
def take(tmp_path):
    assignment = load_assignment(make_course(tmp_path / "course").root)

    def from_(files):
        source = write_folder(tmp_path / "in", files)
        return read_submission(source, assignment=assignment, into=tmp_path / "out")

    return from_


@pytest.mark.parametrize("folder", ["doubling", "Doubling", "extra"])
def test_a_folder_that_hides_a_module_is_left_out_and_named(take, folder):
    submission = take({"doubling.py": RIGHT, f"{folder}/__init__.py": WRONG})
    assert submission.files == ("doubling.py",)
    assert any(folder in note.text for note in submission.notes)


def test_another_package_beside_the_module_is_kept(take):
    assert take({"doubling.py": RIGHT, "parts/__init__.py": ""}).files == ("doubling.py", "parts/__init__.py")


def test_a_module_inside_a_folder_of_its_name_is_still_found(take):
    assert take({"doubling/doubling.py": RIGHT}).files == ("doubling.py",)
