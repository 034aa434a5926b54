"""A course of three tests in a temporary directory, for promises about configuration, marks and manifests."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from click.testing import CliRunner

from autograder.cli import main

CONFIGURATION = """
[tool.autograder]
name = "doubling"
imports = ["math"]
solution = "solution"

[[tool.autograder.suites]]
name = "public"
path = "tests_public"
points = 3

[[tool.autograder.suites]]
name = "hidden"
path = "tests_hidden"
points = 1
visibility = "after_published"
secret = true

[tool.autograder.modules.doubling]
file = "doubling.py"

[tool.autograder.modules.extra]
file = "extra.py"
scored = false
"""

PUBLIC = '''
import pytest

@pytest.mark.points(2)
def test_double(doubling):
    assert doubling.double(2) == 4

@pytest.mark.points(1)
@pytest.mark.after("test_double")
def test_double_of_zero(doubling):
    """Twice nothing is nothing"""
    assert doubling.double(0) == 0
'''

HIDDEN = """
import pytest

@pytest.mark.points(1)
@pytest.mark.hint("Negative numbers double too.")
def test_double_of_a_negative(doubling):
    assert doubling.double(-3) == -6
"""

RIGHT = "def double(x):\n    return x + x\n"


@dataclass(frozen=True)
class Course:
    """A directory that holds an assignment."""

    root: Path

    def edit(self, file: str, old: str, new: str) -> None:
        """Replace text of a file, which must hold it."""
        text = (self.root / file).read_text("utf-8")
        assert old in text, f"{file} does not hold {old!r}"
        (self.root / file).write_text(text.replace(old, new), "utf-8")

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run the command line on this assignment, in this process: Python's start costs more than a grading."""
        command = [*arguments, "--root", str(self.root)]
        with no_suite_loaded():
            answer = CliRunner().invoke(main, command, prog_name="autograder")
        if not isinstance(answer.exception, (SystemExit, type(None))):
            raise answer.exception
        return subprocess.CompletedProcess(command, answer.exit_code, answer.stdout, answer.stderr)

    def run_apart(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run the command line on this assignment, in a process of its own."""
        command = [sys.executable, "-m", "autograder", *arguments, "--root", str(self.root)]
        return subprocess.run(
            command, cwd=Path(__file__).parents[3], capture_output=True, encoding="utf-8", timeout=60, check=False
        )


@contextlib.contextmanager
def no_suite_loaded() -> Iterator[None]:
    """Within it and afterwards, a test module of that name is read anew: another course's has the same name."""
    forget_suites()
    try:
        yield
    finally:
        forget_suites()


def forget_suites() -> None:
    for name in list(sys.modules):
        if name.partition(".")[0] in ("tests_public", "tests_hidden"):
            del sys.modules[name]


def make_course(root: Path) -> Course:
    """Write the course below `root`, its manifests included."""
    for name, text in {
        "pyproject.toml": CONFIGURATION,
        "tests_public/test_double.py": PUBLIC,
        "tests_hidden/test_negative.py": HIDDEN,
        "solution/doubling.py": RIGHT,
    }.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, "utf-8")
    manifest = "# points and tests\n"
    (root / "tests_public/manifest.txt").write_text(
        manifest + "2.00  public/test_double.py::test_double\n1.00  public/test_double.py::test_double_of_zero\n",
        "utf-8",
    )
    (root / "tests_hidden/manifest.txt").write_text(
        manifest + "1.00  hidden/test_negative.py::test_double_of_a_negative\n", "utf-8"
    )
    return Course(root)
