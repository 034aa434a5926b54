"""The bundle for otter-grader: test files in otter's form, each of which asks our grader for its verdict.

otter executes the submission in a kernel and then runs every file of `tests/` in the same kernel, where the submission
can read it. So a test file holds names, points and ids, and each case calls autograder.bundle.in_kernel.run_case. The
grader and the assignment are one zip file: a folder could be replaced by a folder of the submission with the same name,
and `otter grade` copies files into its image only after it has installed the packages.
"""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterable
from pathlib import Path

import msgspec

from ..assignment import Assignment
from ..errors import AssignmentError
from ..model import GradedTest, Visibility
from ..results.feedback import required_file
from .contents import SCRIPTS, assignment_members
from .lock import LOCK, lock_text
from .wheel import package_members
from .zip_file import ZipMember, zip_bytes

GRADER = "grader.zip"
_MAIN = b"from autograder.cli import main\n\nmain()\n"
_HEAD = f"""\
OK_FORMAT = False
import sys

sys.path.insert(0, "{GRADER}")
from autograder.bundle.in_kernel import run_case
from otter.test_files import test_case
"""


class Question(msgspec.Struct, frozen=True):
    """One of otter's test files: the tests of one of our files that have the same visibility."""

    name: str  # "q01_public_reuse": otter runs its files in alphabetical order
    hidden: bool
    tests: tuple[GradedTest, ...]


def questions(tests: Iterable[GradedTest]) -> tuple[Question, ...]:
    """Return the scored tests as otter's questions, in declared order.

    Tests without points are left out: otter grades one file, and most of these tests are about other files.
    """
    groups: dict[tuple[str, bool], list[GradedTest]] = {}
    for test in tests:
        if test.scored:
            key = test.id.partition("::")[0], test.visibility is not Visibility.VISIBLE
            groups.setdefault(key, []).append(test)
    width = len(str(len(groups)))
    return tuple(
        Question(f"q{number:0{width}}_{_slug(file)}", hidden, tuple(group))
        for number, ((file, hidden), group) in enumerate(groups.items(), 1)
    )


def otter_members(assignment: Assignment, tests: Iterable[GradedTest], lock: Path = LOCK) -> list[ZipMember]:
    """Return the files that `otter generate` works on. Raises AssignmentError if more than one file is graded."""
    if len(assignment.scored_modules) != 1:
        raise AssignmentError("otter-grader grades one file, and this assignment scores several: build for Gradescope")
    tests = tuple(tests)
    members = [
        ZipMember(f"tests/{question.name}.py", _test_file(question, required_file(assignment)).encode("ascii"))
        for question in questions(tests)
    ]
    return [
        *members,
        ZipMember("otter_config.json", _config(tests).encode()),
        ZipMember("requirements.txt", _pins(lock_text(assignment, lock)).encode()),
        ZipMember(GRADER, _grader(assignment)),
    ]


def generate_command() -> list[str]:
    """Return the command that makes otter's own zip, to be run in the directory of the members."""
    return ["otter", "generate", "--tests-dir", "tests", "--output-path", "autograder.zip", "--no-environment", GRADER]


def generated(members: Iterable[ZipMember]) -> bytes | None:
    """Return the zip that `otter generate` makes of the members, or None if otter-grader is not installed.

    It is packed again: the zip that otter writes contains the time, and would differ each time.
    """
    if importlib.util.find_spec("otter") is None:
        return None
    with tempfile.TemporaryDirectory(prefix="otter-generate-") as directory:
        for member in members:
            file = Path(directory) / member.name
            file.parent.mkdir(exist_ok=True)
            file.write_bytes(member.content)
        command = [sys.executable, "-m", *generate_command()]
        done = subprocess.run(
            command, cwd=directory, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", check=False
        )
        if done.returncode != 0:
            raise AssignmentError(f"`otter generate` failed:\n{done.stderr.strip()}")
        with zipfile.ZipFile(Path(directory) / "autograder.zip") as archive:
            names = archive.namelist()
            return zip_bytes(ZipMember(name, archive.read(name), executable=name in SCRIPTS) for name in names)


def _slug(file: str) -> str:
    """Return "public_reuse" for "public/test_reuse.py"."""
    suite, _, name = file.removesuffix(".py").partition("/")
    return re.sub(r"\W+", "_", f"{suite}_{name.removeprefix('test_')}", flags=re.ASCII)


def _test_file(question: Question, submission: str) -> str:
    """Return otter's test file. It is plain ASCII, since otter opens it in the encoding of the image."""
    cases = [
        f"""
@test_case(name={test.title!a}, points={test.points:g}, hidden={question.hidden})
def case_{number}():
    run_case({test.id!a}, submission={submission!a})
"""
        for number, test in enumerate(question.tests, 1)
    ]
    return "\n".join([_HEAD, f'name = "{question.name}"\n', *cases])


def _config(tests: Iterable[GradedTest]) -> str:
    """Return otter's configuration: hidden tests are shown after publication, or never if one of them must never be."""
    never = any(test.visibility is Visibility.HIDDEN for test in tests if test.scored)
    config = {"show_all_public": True, "show_hidden": not never, "print_summary": True, "logo": False}
    return json.dumps(config, indent=2) + "\n"


def _pins(lock: str) -> str:
    """Return the pins without hashes, a line each: otter reads lines, and its own packages have no hashes."""
    return re.sub(r"[ ]*\\\n(?:[ \t]+\S.*(?:\n|$))+", "\n", lock)


def _grader(assignment: Assignment) -> bytes:
    """Return the zip from which the test files import: the grader as a program, and the assignment."""
    return zip_bytes(
        [ZipMember("__main__.py", _MAIN), *package_members(), *assignment_members(assignment, "assignment/")]
    )
