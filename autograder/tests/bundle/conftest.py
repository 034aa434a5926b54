"""What the tests of bundles share."""

import shutil

import pytest

from ..support.course import make_course

SOLUTION = "def double(x):  # task 1.1\n    # ANSWER\n    twice_the_number = x + x\n    return twice_the_number\n"
STARTER = 'def double(x):  # task 1.1\n    raise NotImplementedError("task 1.1")\n'


@pytest.fixture
def course(tmp_path):
    """Give a course that is ready to be built."""
    course = make_course(tmp_path)
    (tmp_path / "solution/doubling.py").write_text(SOLUTION, encoding="utf-8")
    (tmp_path / "solution/README.md").write_text("Double numbers.\n", encoding="utf-8")
    shutil.copytree(tmp_path / "solution", tmp_path / "starter")
    (tmp_path / "starter/doubling.py").write_text(STARTER, encoding="utf-8")
    return course
