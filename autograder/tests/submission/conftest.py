"""What the tests of taking a submission share: a course with a starter, and what takes files."""

import pytest

from autograder.assignment import Assignment, Suite
from autograder.interface import RemoteInterface
from autograder.submission.submission import read_submission

from ..support.taken import folder


@pytest.fixture
def assignment(tmp_path):
    starter = tmp_path / "course" / "starter"
    (starter / "given").mkdir(parents=True)
    for name in ("engine.py", "conftest.py", "demo.py", "given/given.py"):
        (starter / name).write_text(f"# given {name}\n")
    return Assignment(
        name="homework",
        suites=(
            Suite(name="public", path="tests_public", points=40),
            Suite(name="hidden", path="tests_hidden", points=60, secret=True),
        ),
        modules={
            "engine": RemoteInterface(file="engine.py", classes=("Value",)),
            "nn": RemoteInterface(file="nn.py", scored=False),
        },
        imports=("math",),
        root=str(tmp_path / "course"),
    )


@pytest.fixture
def take(assignment, tmp_path):
    """Return a function that takes in a folder of the given files, or a single source."""

    def from_(source):
        if isinstance(source, dict):
            folder(tmp_path / "in", source)
            source = tmp_path / "in"
        return read_submission(source, assignment=assignment, into=tmp_path / "out")

    return from_
