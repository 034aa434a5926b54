"""The assignment: everything about one homework that the grader must be told, from pyproject.toml.

`load_assignment` turns the table `[tool.autograder]` into typed structs. An unknown key is an error
that suggests the right one (misread.py): a misspelt limit must not silently become the default.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Literal

import msgspec

from .configuration import Key, place, read_table
from .errors import AssignmentError
from .files import folder_name_problem
from .interface import RemoteInterface
from .misread import misread
from .model import Level, Visibility
from .standard_library import IMPORTABLE, refusal


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

    def problems(self, root: Path) -> Iterator[tuple[str, str]]:
        """Yield what is wrong with it, by key, in a course at `root`."""
        if not (root / self.path).is_dir():
            yield "path", f"{self.path} is not a directory"
        for name in self.local_only:
            if not (root / self.path / name).is_file():
                yield "local_only", f"{self.path}/{name}, named in local_only, does not exist"


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

    Raises AssignmentError that names the file, the line, the key and what would be right.
    """
    file = root / "pyproject.toml"
    table = read_table(file)
    try:
        assignment = msgspec.convert(table | {"root": str(root.resolve())}, Assignment)
    except msgspec.ValidationError as problem:
        raise AssignmentError(misread(problem, file, table, Assignment)) from None
    if problems := [f"{place(file, path)}: {said}" for path, said in _problems(assignment)]:
        raise AssignmentError(problems[0] if len(problems) == 1 else "\n  ".join([f"{file}:", *problems]))
    return assignment


def _problems(assignment: Assignment) -> Iterator[tuple[tuple[Key, ...], str]]:
    """Yield what types cannot say: where it is wrong, and why. An image has the suites and the starter alone."""
    if why := folder_name_problem(assignment.name):
        yield ("name",), f"name = {assignment.name!r} {why}: students unpack a folder of this name"
    yield from _problems_of_parts(assignment)
    if not assignment.scored_modules:
        yield ("modules",), "no module is scored"
    if assignment.python and not re.fullmatch(r"3\.1[0-9]", assignment.python):
        yield ("python",), f'python = {assignment.python!r}: write a version from 3.10 on, such as "3.12"'
    for name in Limits.__struct_fields__:
        if getattr(assignment.limits, name) <= 0:
            yield ("limits", name), f"limits.{name} must be above zero"


def _problems_of_parts(assignment: Assignment) -> Iterator[tuple[tuple[Key, ...], str]]:
    names = [suite.name for suite in assignment.suites]
    for position, suite in enumerate(assignment.suites):
        if suite.name in names[:position]:
            yield ("suites", position, "name"), f"two suites have the same name, {suite.name}"
        if any(suite.path == each.path for each in assignment.suites[:position]):
            yield ("suites", position, "path"), f"suite `{suite.name}`: another suite has the tests of {suite.path}"
        for key, problem in suite.problems(assignment.root_path):
            yield ("suites", position, key), f"suite `{suite.name}`: {problem}"
    files = [module.file for module in assignment.modules.values()]
    for position, (name, module) in enumerate(assignment.modules.items()):
        if module.file in files[:position]:
            yield ("modules", name, "file"), f"modules.{name}: another module has the file {module.file} already"
        yield from ((("modules", name, *path), f"modules.{name}: {said}") for path, said in module.problems(name))
