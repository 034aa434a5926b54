"""The zip for Gradescope holds what grading needs, and no solution; every pin has its hashes."""

import io
import re
import zipfile

import pytest

from autograder.assignment import load_assignment
from autograder.bundle.contents import gradescope_members
from autograder.bundle.lint import image_problems, zip_problems
from autograder.bundle.lock import absent_packages, lock_text
from autograder.bundle.wheel import grader_wheel
from autograder.bundle.zip_file import ZipMember, zip_bytes
from autograder.errors import AssignmentError

from ..support.small_bundle import ASSIGNMENT

pytestmark = pytest.mark.slow


def opened(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def image(**changes):
    """Return a zip with the scripts, each as `changes` say: (content, exec bit) or None."""
    sound = {
        "setup.sh": (b"#!/bin/sh\n", True),
        "run_autograder": (b"#!/bin/sh\n", True),
        "pyproject.toml": (b"", False),
    }
    files = sound | {{"setup": "setup.sh", "run": "run_autograder"}[key]: value for key, value in changes.items()}
    return zip_bytes([ZipMember(name, *file) for name, file in files.items() if file])


@pytest.mark.parametrize(
    ("zip_", "problem"),
    [
        (image(setup=None), "setup.sh is not at the root"),
        (image(run=(b"#!/bin/sh\r\necho\r\n", True)), "run_autograder has Windows line endings"),
        (image(run=(b"import autograder\n", True)), "run_autograder has no #! line"),
        (image(setup=(b"#!/bin/sh\n", False)), "setup.sh has no exec bit"),
    ],
)
def test_an_image_that_would_not_build_is_refused(zip_, problem):
    assert [found.partition(":")[0] for found in image_problems(zip_)] == [problem]


def test_the_zip_for_gradescope_has_what_grading_needs_and_no_solution():
    names = {member.name for member in gradescope_members(ASSIGNMENT)}
    assert {"setup.sh", "run_autograder", "pyproject.toml", "requirements.txt", grader_wheel().name} <= names
    assert {name.partition("/")[0] for name in names if "/" in name} == {"tests_public", "tests_hidden", "starter"}
    assert {"tests_hidden/manifest.txt", "tests_hidden/oracle.py", "tests_public/manifest.txt"} <= names


def test_the_zip_for_gradescope_keeps_its_own_rules():
    data = zip_bytes(gradescope_members(ASSIGNMENT))
    assert zip_problems(data) + image_problems(data) == []


def test_the_grader_travels_without_its_tests_and_knows_its_needs():
    files = opened(grader_wheel().content)
    assert not [name for name in files if name.startswith("autograder/tests/")]
    assert {"autograder/cli.py", "autograder/suites/suites.ini", "autograder/worker/serve.py"} <= files.keys()
    metadata = next(content for name, content in files.items() if name.endswith("METADATA")).decode()
    assert re.search(r"^Requires-Dist: pytest\b", metadata, re.MULTILINE)
    assert "extra" not in metadata


def test_every_file_of_the_wheel_is_in_its_record():
    files = opened(grader_wheel().content)
    record = next(content for name, content in files.items() if name.endswith("RECORD")).decode()
    assert sorted(line.partition(",")[0] for line in record.splitlines()) == sorted(files)


def test_every_pin_of_the_image_has_its_hashes():
    pins = re.findall(r"^\S.*\n(?: .*\n)*", lock_text(ASSIGNMENT), re.MULTILINE)
    assert len(pins) >= 10
    assert [pin for pin in pins if "--hash=sha256:" not in pin] == []


def test_a_pin_without_a_hash_is_refused(tmp_path):
    (tmp_path / "lock.txt").write_text("pytest==9.2.0\n", encoding="utf-8")
    with pytest.raises(AssignmentError, match=r"pytest==9\.2\.0 is not pinned with hashes"):
        lock_text(ASSIGNMENT, tmp_path / "lock.txt")


def test_an_assignment_without_arrays_installs_no_numpy(course):
    assert "numpy" not in lock_text(load_assignment(course.root))
    course.edit("tests_hidden/test_negative.py", "import pytest", "import numpy as np\nimport pytest")
    assert "\nnumpy==" in lock_text(load_assignment(course.root))


COURSES_LOCK = "# made by hand\nPyYAML==6.0.3 \\\n    --hash=sha256:00\npytest==8.0.0 \\\n    --hash=sha256:00\n"


def test_an_image_installs_what_the_courses_own_lock_pins_besides(course):
    course.edit("pyproject.toml", 'imports = ["math"]', 'lock = "pins.txt"')
    (course.root / "pins.txt").write_text(COURSES_LOCK, encoding="utf-8")
    text = lock_text(load_assignment(course.root))
    assert "PyYAML==6.0.3" in text
    assert "pytest==9" in text  # the grader's own version of what it needs itself
    assert "pytest==8" not in text


def test_a_package_is_found_in_the_courses_lock_by_the_name_of_its_distribution(course):
    course.edit("tests_hidden/test_negative.py", "import pytest", "import yaml\nimport pytest")
    assert "no image has the package yaml: pin it in a file" in absent_packages(load_assignment(course.root))[0]
    course.edit("pyproject.toml", 'imports = ["math"]', 'lock = "pins.txt"')
    (course.root / "pins.txt").write_text(COURSES_LOCK, encoding="utf-8")
    assert absent_packages(load_assignment(course.root)) == []


def test_a_pin_of_the_course_without_a_hash_is_refused(course):
    course.edit("pyproject.toml", 'imports = ["math"]', 'lock = "pins.txt"')
    (course.root / "pins.txt").write_text("PyYAML==6.0.3\n", encoding="utf-8")
    with pytest.raises(AssignmentError, match=r"pins\.txt: PyYAML==6\.0\.3 is not pinned with hashes"):
        lock_text(load_assignment(course.root))
