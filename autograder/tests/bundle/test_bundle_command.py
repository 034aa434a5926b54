"""`autograder bundle` builds both zips, the same everywhere, and none that would not grade."""

import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from ..support.course import Course
from ..support.small_bundle import ROOT

pytestmark = pytest.mark.slow


def test_both_zips_are_built_and_named(course):
    answer = course.run("bundle")
    assert answer.returncode == 0, answer.stderr
    assert [line.split()[0] for line in answer.stdout.splitlines()] == [
        str(course.root / "dist/autograder.zip"),
        str(course.root / "dist/handout.zip"),
    ]


def test_two_builds_and_two_places_give_the_same_bytes(course, tmp_path_factory):
    course.run("bundle")
    first = {file.name: file.read_bytes() for file in (course.root / "dist").iterdir()}
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "copy"
    shutil.copytree(course.root, elsewhere)
    shutil.rmtree(elsewhere / "dist")
    Course(elsewhere).run("bundle")
    assert {file.name: file.read_bytes() for file in (elsewhere / "dist").iterdir()} == first


def test_the_instructor_is_told_the_points_and_what_students_will_see(course):
    told = course.run("bundle", "gradescope").stderr
    assert "On Gradescope, set the assignment to 4 points.\n" in told
    assert "Students see 1 of the 4 points once you publish the grades.\n" in told
    assert "Gradescope shows them no total score either" in told


@pytest.mark.parametrize(
    ("file", "old", "new", "why"),
    [
        ("starter/doubling.py", "task 1.1", "task 1.2", "starter/ is stale"),
        ("tests_public/test_double.py", "test_double_of_zero", "test_renamed", "manifests"),
        ("tests_hidden/test_negative.py", "== -6", "== 6", "solution earns 3 / 4"),
        ("tests_public/test_double.py", "doubling.double(2) == 4", "doubling", "starter earns"),
        ("pyproject.toml", "points = 3", "points = 4", "points"),
        (
            "tests_public/test_double.py",
            "import pytest",
            "import yaml",
            "test_double.py:2: no image has the package yaml",
        ),
    ],
)
def test_what_would_not_grade_is_not_built(course, file, old, new, why):
    course.edit(file, old, new)
    answer = course.run("bundle")
    assert answer.returncode == 2
    assert why in answer.stderr
    assert not (course.root / "dist").exists()


def test_a_course_without_a_readme_is_not_handed_out(course):
    (course.root / "solution/README.md").unlink()
    (course.root / "starter/README.md").unlink()
    answer = course.run("bundle", "handout")
    assert answer.returncode == 2
    assert "solution/README.md does not exist" in answer.stderr


def test_two_pythons_make_the_same_zips():
    program = dedent("""
        import hashlib, sys
        from pathlib import Path
        from autograder.assignment import load_assignment
        from autograder.bundle.contents import gradescope_members
        from autograder.bundle.zip_file import zip_bytes
        print(hashlib.sha256(zip_bytes(gradescope_members(load_assignment(Path(sys.argv[1]))))).hexdigest())
    """)
    others = [path for path in ROOT.glob(".venv*/bin/python") if (path.parent / "autograder").exists()]
    digests = {
        subprocess.run([str(python), "-c", program, str(ROOT)], capture_output=True, text=True, check=True).stdout
        for python in [Path(sys.executable), *others]
    }
    assert len(digests) == 1
