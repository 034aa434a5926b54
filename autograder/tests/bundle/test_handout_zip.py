"""The handout is the starter and the public tests, without a line that only staff have."""

import io
import re
import shutil
import subprocess
import sys
import zipfile

import pytest

from autograder.assignment import load_assignment
from autograder.bundle.contents import handout_members
from autograder.bundle.lint import handout_problems, zip_problems
from autograder.bundle.zip_file import members_of, zip_bytes

from ..support.small_bundle import ASSIGNMENT, ROOT

pytestmark = pytest.mark.slow


def test_the_handout_is_one_folder_with_the_starter_and_the_public_tests():
    names = {member.name for member in handout_members(ASSIGNMENT)}
    assert {name.partition("/")[0] for name in names} == {"micro-autograd"}
    assert {"micro-autograd/README.md", "micro-autograd/engine.py", "micro-autograd/conftest.py"} <= names
    assert "micro-autograd/tests_public/test_reuse.py" in names
    assert not [name for name in names if re.search("hidden|solution|manifest|pyproject|oracle", name)]


def lines_of(folder):
    """Return the lines of a folder's files that say something, without indentation; what is imported says nothing."""
    text = "\n".join(member.content.decode() for member in members_of(ROOT / folder))
    return {line for line in map(str.strip, text.splitlines()) if len(line) > 30 and not line.startswith("from ")}


HANDED_OUT = "\n".join(member.content.decode() for member in handout_members(ASSIGNMENT))


@pytest.mark.parametrize(("folder", "published"), [("tests_hidden", "tests_public"), ("solution", "starter")])
def test_no_line_that_only_staff_have_is_in_the_handout(folder, published):
    secret = lines_of(folder) - lines_of(published)
    assert len(secret) > 50
    assert sorted(line for line in secret if line in HANDED_OUT) == []


def test_the_terms_seed_is_not_in_the_handout():
    assert str(ASSIGNMENT.seed) not in HANDED_OUT


def test_the_handout_keeps_its_own_rules():
    data = zip_bytes(handout_members(ASSIGNMENT))
    assert zip_problems(data) + handout_problems(data, ASSIGNMENT) == []


def test_a_hidden_test_among_the_public_ones_is_found(course):
    copied = "def test_copied(doubling):\n    if True:\n        assert doubling.double(-3) == -6\n"
    (course.root / "tests_public/test_copied.py").write_text(copied, encoding="utf-8")
    assignment = load_assignment(course.root)
    found = handout_problems(zip_bytes(handout_members(assignment)), assignment)
    assert found == [
        "doubling/tests_public/test_copied.py holds the body of test_double_of_a_negative from test_negative.py"
    ]


def test_an_answer_in_the_readme_is_found(course):
    readme = "Hint:\n\n    twice_the_number = x + x\n    return twice_the_number\n"
    (course.root / "starter/README.md").write_text(readme, encoding="utf-8")
    assignment = load_assignment(course.root)
    found = handout_problems(zip_bytes(handout_members(assignment)), assignment)
    assert found == ["doubling/README.md holds the body of double from doubling.py"]


def test_a_student_can_run_the_handout_with_pytest_alone(tmp_path):
    with zipfile.ZipFile(io.BytesIO(zip_bytes(handout_members(ASSIGNMENT)))) as archive:
        archive.extractall(tmp_path)
    folder = tmp_path / "micro-autograd"
    shutil.copy(ROOT / "solution/engine.py", folder)
    program = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests_public/test_known_values.py"]
    answer = subprocess.run(program, cwd=folder, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stdout
    assert "public score: " in answer.stdout
