"""What goes into each zip."""

from __future__ import annotations

from pathlib import Path

from ..assignment import Assignment
from ..errors import AssignmentError
from ..suites.manifest import NAME as MANIFEST
from .lock import LOCK, lock_text
from .wheel import grader_wheel
from .zip_file import ZipMember, members_of

_IMAGE = Path(__file__).with_name("image")
PYTHON = "python-version"  # what setup.sh installs; without this file, the image's python3
SCRIPTS = ("setup.sh", "run_autograder")  # what Gradescope looks for at the root


def gradescope_members(assignment: Assignment, lock: Path = LOCK) -> list[ZipMember]:
    """Return what Gradescope unpacks into /autograder/source.

    The scripts, the grader and its locked dependencies, the configuration, the suites, and the starter: setup.sh grades
    it to prove the image, and the grader recognises by it the files that students were given. The solution is left out.
    """
    members = [ZipMember(name, (_IMAGE / name).read_bytes(), executable=True) for name in SCRIPTS]
    members += [ZipMember("requirements.txt", lock_text(assignment, lock).encode()), grader_wheel()]
    if assignment.python:
        members.append(ZipMember(PYTHON, f"{assignment.python}\n".encode()))
    return members + assignment_members(assignment)


def assignment_members(assignment: Assignment, prefix: str = "") -> list[ZipMember]:
    """Return what the grader needs of the assignment: its configuration, its suites and the starter."""
    root = assignment.root_path
    members = [
        ZipMember(f"{prefix}pyproject.toml", (root / "pyproject.toml").read_bytes())
    ]  # whole: the digest covers it
    if file := assignment.diagnosis_file:
        members.append(ZipMember(f"{prefix}{file.name}", file.read_bytes()))
    for path in (*(suite.path for suite in assignment.suites), assignment.starter):
        members += members_of(root / path, f"{prefix}{Path(path).as_posix()}/")
    return members


def handout_members(assignment: Assignment) -> list[ZipMember]:
    """Return what a student unpacks: one folder, with the starter's files in it and the public suites beside them.

    Raises AssignmentError if the starter has no README.md.
    """
    folder = f"{assignment.name}/"
    members = members_of(assignment.starter_path, folder)
    for suite in assignment.suites:
        if not suite.secret:
            own = members_of(assignment.root_path / suite.path, f"{folder}{Path(suite.path).name}/")
            members += [member for member in own if not member.name.endswith(f"/{MANIFEST}")]
    if f"{folder}README.md" not in {member.name for member in members}:
        raise AssignmentError(
            f"{assignment.solution}/README.md does not exist, and students need instructions: "
            "write it, then run `autograder starter`"
        )
    return members
