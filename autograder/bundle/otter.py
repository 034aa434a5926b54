"""What a department that runs otter-grader needs: its test files, which ask our grader, and what they ask it with.

otter executes the submission in a kernel and then runs every file of `tests/` in that same kernel, where the submission
can read it. So a test file holds names, points and ids, and each case calls autograder.bundle.in_kernel.run_case. The
grader and the assignment travel in one file, since otter lets a submission's folder take the place of a folder of ours,
and adds either to an image of `otter grade` only after the packages were installed.
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
from .parcel import ZipMember, zip_bytes
from .wheel import package_members

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
    """One of otter's test files: the tests of one of ours that are shown alike."""

    name: str  # "q01_public_reuse": otter runs them in alphabetical order
    hidden: bool
    tests: tuple[GradedTest, ...]


def questions(tests: Iterable[GradedTest]) -> tuple[Question, ...]:
    """Return the scored tests as otter's questions, in declared order.

    Tests without points stay out: otter grades one file, and most of them are about others.
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
    """Return the files that `otter generate` works on. Raises AssignmentError when more than one file is graded."""
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
    """Return what to run in the directory of the members to make otter's own zip."""
    return ["otter", "generate", "--tests-dir", "tests", "--output-path", "autograder.zip", "--no-environment", GRADER]


def generated(members: Iterable[ZipMember]) -> bytes | None:
    """Return the zip that `otter generate` makes of the members, or None where otter-grader is not installed.

    The members of that zip are otter's, its bytes are ours: otter's own would tell the time.
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
    """Return otter's test file. It is plain ASCII: otter opens it in whatever encoding the image has."""
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
    """Return otter's configuration. It knows two times, at once and never, and for all hidden tests one third."""
    never = any(test.visibility is Visibility.HIDDEN for test in tests if test.scored)
    config = {"show_all_public": True, "show_hidden": not never, "print_summary": True, "logo": False}
    return json.dumps(config, indent=2) + "\n"


def _pins(lock: str) -> str:
    """Return the pins one to a line, without hashes: otter reads lines, and its own packages come without."""
    return re.sub(r"[ ]*\\\n(?:[ \t]+\S.*(?:\n|$))+", "\n", lock)


def _grader(assignment: Assignment) -> bytes:
    """Return the zip that the test files import from: the grader as a program, and the assignment."""
    return zip_bytes(
        [ZipMember("__main__.py", _MAIN), *package_members(), *assignment_members(assignment, "assignment/")]
    )
