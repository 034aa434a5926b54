"""The manifest: which tests a suite has and what each is worth, committed beside the tests.

Grading compares what pytest collected with it. A test lost to a syntax error, a renamed file or an
edit by mistake would otherwise take its points along without a word.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

from ..assignment import Assignment, Suite
from ..errors import AssignmentError
from ..model import GradedTest
from ..text import listed

NAME = "manifest.txt"


def manifest_text(suite: Suite, tests: Iterable[GradedTest]) -> str:
    """Return the manifest of a suite: a line for each test, its points and its id."""
    lines = [f"{test.points:5.2f}  {test.id}" for test in tests if test.suite == suite.name]
    head = f"# Points and tests of this suite, {suite.points:g} points in all. Written by `autograder manifest`."
    return "\n".join([head, *lines]) + "\n"


def write_manifests(assignment: Assignment, tests: Iterable[GradedTest]) -> list[Path]:
    """Write the manifest of every suite; return the files."""
    tests = tuple(tests)
    files = [assignment.root_path / suite.path / NAME for suite in assignment.suites]
    for file, suite in zip(files, assignment.suites, strict=True):
        file.write_text(manifest_text(suite, tests), encoding="utf-8", newline="\n")
    return files


def check_files(assignment: Assignment) -> None:
    """Raise AssignmentError if a file of tests is not in its suite's manifest; reads names alone, and runs nothing."""
    for suite in assignment.suites:
        directory = assignment.root_path / suite.path
        file = directory / NAME
        lines = _lines(file.read_text(encoding="utf-8")) if file.is_file() else set()
        declared = {line.split()[-1].partition("::")[0].partition("/")[2] for line in lines}
        found = {path.relative_to(directory).as_posix() for path in directory.rglob("test_*.py")}
        strangers = sorted(found - declared - set(suite.local_only))
        if strangers:
            raise AssignmentError(
                f"{suite.path}/{NAME} does not name {listed(strangers)}, so no test is imported: remove what does not "
                "belong there; if it is meant, run `autograder manifest` and commit the files it writes"
            )


def check_manifests(assignment: Assignment, tests: Iterable[GradedTest]) -> None:
    """Raise AssignmentError that lists the tests in which suites and manifests differ."""
    tests = tuple(tests)
    problems: list[str] = []
    for suite in assignment.suites:
        file = assignment.root_path / suite.path / NAME
        declared = _lines(file.read_text(encoding="utf-8")) if file.is_file() else set()
        collected = _lines(manifest_text(suite, tests))
        problems += [f"- {line}  ({suite.path}/{NAME}:{_number(file, line)})" for line in sorted(declared - collected)]
        problems += [f"+ {line}  (collected, not in {suite.path}/{NAME})" for line in sorted(collected - declared)]
    if problems:
        raise AssignmentError(
            "the suites are not what their manifests say:\n  "
            + "\n  ".join(problems)
            + "\nIf the change is meant, run `autograder manifest` and commit the files it writes."
        )


def _number(file: Path, line: str) -> int:
    """Return the number of a line of the manifest, counted from 1."""
    return [each.strip() for each in file.read_text(encoding="utf-8").splitlines()].index(line) + 1


def _lines(text: str) -> set[str]:
    return {line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")}


def suites_digest(assignment: Assignment) -> str:
    """Return a SHA-256 over what decides a report: the configuration, the course's own code, and the suites."""
    digest = hashlib.sha256()
    files = [assignment.root_path / "pyproject.toml"]
    files += [assignment.diagnosis_file] if assignment.diagnosis_file else []
    folders = [assignment.root_path / suite.path for suite in assignment.suites]
    for given in assignment.given_packages:
        files += [given] if given.is_file() else []
        folders += [given] if given.is_dir() else []
    for folder in folders:
        files += sorted(folder.rglob("*.py"))
    for file in files:
        name = file.relative_to(assignment.root_path).as_posix().encode()
        content = file.read_bytes()
        digest.update(b"%d %s %d " % (len(name), name, len(content)) + content)
    return digest.hexdigest()
