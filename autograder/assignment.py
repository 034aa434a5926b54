"""The assignment: everything about one homework that the grader must be told, from pyproject.toml.

`load_assignment` turns the table `[tool.autograder]` into typed structs. An unknown key is an error
that suggests the right one: a misspelt limit must not silently become the default.
"""

from __future__ import annotations

import difflib
import re
import sys
from collections.abc import Collection
from pathlib import Path
from typing import Literal

import msgspec

from .errors import AssignmentError
from .files import folder_name_problem
from .interface import RemoteInterface
from .model import Level, Visibility
from .standard_library import IMPORTABLE, refusal

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


class Limits(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What one submission may spend. Seconds are CPU seconds of its worker, or ten times as many of the wall."""

    request_seconds: float = 5.0  # one question to the worker; after two timeouts, a fifth of it
    test_seconds: float = 10.0
    submission_seconds: float = 45.0  # all tests together
    run_seconds: float = 300.0  # by the wall, the whole run of one submission, grader included: below Gradescope's 600
    memory_mb: int = 512
    grader_seconds: float = 10.0  # of CPU on our own side, for one test: what it may compute with the values it got
    grader_mb: int = 1024  # on our own side, for one test, beyond what the grader has already
    output_kb: int = 16  # of printed text kept for each test


class Suite(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A directory of tests and what all of them share."""

    name: str
    path: str
    points: float
    visibility: Visibility = Visibility.VISIBLE
    secret: bool = False  # inputs, expressions and worker text are never shown to a student
    local_only: tuple[str, ...] = ()  # files that students run and the grader does not collect


class Assignment(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One homework: its files, suites, limits and policies."""

    name: str
    suites: tuple[Suite, ...]
    modules: dict[str, RemoteInterface]
    imports: Literal["standard"] | tuple[str, ...] = "standard"  # what may be imported: see standard_library, or a list
    seed: int = 0
    solution: str = "solution"
    starter: str = "starter"
    mistakes: str = ""  # the directory of the bank that `verify` tries the suites on; "" for none
    mistakes_base: str = "solution"  # the correct one that a mistake edits unless its row names another
    mistakes_seed: int = 0  # the seed under which the bank says exactly which tests a mistake loses
    python: str = ""  # that the image installs and grades with, such as "3.12"; "" for the image's python3
    isolation: Literal["strong", "standard", "process"] = "strong"
    diagnosis: str = ""  # the module that names the mistakes of this homework (findings/plugin.py); "" for none
    lock: str = ""  # a file of pins with hashes: what the image installs beside the grader's own packages; "" for none
    sections: dict[str, str] = {}  # anchors of the handout: where a student reads on about "importing" the file
    hidden_diagnosis: Literal["sentence", "none"] = "sentence"
    limits: Limits = Limits()
    root: str = ""  # set by load_assignment

    @property
    def root_path(self) -> Path:
        """Return the directory of the configuration; every other path is relative to it."""
        return Path(self.root)

    @property
    def solution_path(self) -> Path:
        """Return the directory that holds the solution."""
        return self.root_path / self.solution

    @property
    def starter_path(self) -> Path:
        """Return the directory that holds the starter, generated from the solution."""
        return self.root_path / self.starter

    @property
    def diagnosis_file(self) -> Path | None:
        """Return the course's own file of diagnoses; None if the module named is an installed one, or none is."""
        file = self.root_path / f"{self.diagnosis}.py"
        return file if self.diagnosis.isidentifier() and file.is_file() else None

    @property
    def importable(self) -> tuple[str, ...]:
        """Return the modules of the standard library that a submission may import."""
        return IMPORTABLE if self.imports == "standard" else tuple(self.imports)

    def import_refusal(self, name: str) -> str:
        """Return why a submission may not import `name`, as the second half of a sentence."""
        if files := [each.file for each in self.modules.values() if name in each.importable]:
            return f"only {' and '.join(files)} may import it"
        if self.imports == "standard":
            return refusal(name)
        return f"this homework allows only {', '.join(self.imports) or 'its own files'}"

    @property
    def required_level(self) -> Level:
        """Return the level of isolation below which nothing is graded on Gradescope."""
        return Level[self.isolation.upper()]

    def among(self, files: Collection[str]) -> tuple[RemoteInterface, ...]:
        """Return the modules of the assignment that are among `files`, the paths of a submission."""
        return tuple(each for each in self.modules.values() if each.file in files)

    @property
    def given_packages(self) -> tuple[Path, ...]:
        """Return where the handout's own packages lie that modules may import."""
        names = dict.fromkeys(name for each in self.modules.values() for name in each.importable)
        return tuple(found for name in names if (found := self.given(name)))

    def given(self, package: str) -> Path | None:
        """Return the file or the folder of a package that the handout gives; None for one that is installed."""
        folder = self.starter_path if self.starter_path.is_dir() else self.solution_path
        return next((each for each in (folder / f"{package}.py", folder / package) if each.exists()), None)

    @property
    def scored_modules(self) -> tuple[str, ...]:
        """Return the names of the modules without which nothing can be graded."""
        return tuple(name for name, interface in self.modules.items() if interface.scored)


def find_root(start: Path) -> Path:
    """Return the nearest directory at or above `start` whose pyproject.toml holds [tool.autograder]."""
    for directory in (start, *start.parents):
        configuration = directory / "pyproject.toml"
        if configuration.is_file() and re.search(
            r"^\[tool\.autograder\]", configuration.read_text("utf-8"), re.MULTILINE
        ):
            return directory
    raise AssignmentError(
        f"no pyproject.toml with a [tool.autograder] table in {start} or above it; "
        "run the command inside the course's repository, or name it with --root"
    )


def load_assignment(root: Path) -> Assignment:
    """Return the assignment that `root`/pyproject.toml describes.

    Raises AssignmentError that names the file, the key and the nearest right one.
    """
    file = root / "pyproject.toml"
    try:
        table = tomllib.loads(file.read_text(encoding="utf-8"))["tool"]["autograder"]
    except FileNotFoundError:
        raise AssignmentError(f"{file} does not exist; it must hold a [tool.autograder] table") from None
    except tomllib.TOMLDecodeError as problem:
        raise AssignmentError(f"{file} is not valid TOML: {problem}") from None
    except KeyError:
        raise AssignmentError(f"{file} has no [tool.autograder] table") from None
    try:
        assignment = msgspec.convert(table | {"root": str(root.resolve())}, Assignment)
    except msgspec.ValidationError as problem:
        raise AssignmentError(f"{file}, [tool.autograder]: {_explained(problem)}") from None
    _check(assignment, file)
    return assignment


def _explained(problem: msgspec.ValidationError) -> str:
    """Return msgspec's sentence, with the nearest known key when one was misspelt."""
    text = str(problem)
    unknown = re.search(r"unknown field `(\w+)`", text)
    if not unknown:
        return text
    known = {field for struct in (Assignment, Suite, Limits, RemoteInterface) for field in struct.__struct_fields__}
    near = difflib.get_close_matches(unknown[1], sorted(known - {"root"}), n=1)
    return text + (f"; did you mean `{near[0]}`?" if near else "")


def _check(assignment: Assignment, file: Path) -> None:
    """Raise AssignmentError for what types cannot say."""
    names = [suite.name for suite in assignment.suites]
    problems: list[str] = []
    if why := folder_name_problem(assignment.name):
        problems.append(f"name = {assignment.name!r} {why}: students unpack a folder of this name")
    if len(set(names)) != len(names):
        problems.append("two suites have the same name")
    problems += [
        f"suite `{suite.name}`: {suite.path} is not a directory"
        for suite in assignment.suites
        if not (assignment.root_path / suite.path).is_dir()
    ]
    problems += [
        f"suite `{suite.name}`: {suite.path}/{name}, named in local_only, does not exist"
        for suite in assignment.suites
        for name in suite.local_only
        if not (assignment.root_path / suite.path / name).is_file()
    ]
    problems += [each for name, module in assignment.modules.items() for each in module.problems(name)]
    if assignment.lock and not (assignment.root_path / assignment.lock).is_file():
        problems.append(f"lock = {assignment.lock!r}: there is no such file")
    if not assignment.scored_modules:
        problems.append("no module is scored")
    if assignment.python and not re.fullmatch(r"3\.1[0-9]", assignment.python):
        problems.append(f'python = {assignment.python!r}: write a version from 3.10 on, such as "3.12"')
    limits = assignment.limits
    problems += [f"limits.{name} must be above zero" for name in Limits.__struct_fields__ if getattr(limits, name) <= 0]
    if problems:
        raise AssignmentError(f"{file}, [tool.autograder]: " + "; ".join(problems))
