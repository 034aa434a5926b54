"""The bank of an assignment: correct engines in many styles, and mistakes that people really make.

It lies in the directory that `mistakes` names in the configuration. `correct/*.py` are whole engines, each graded in
place of the module that is scored. `*.toml` hold the mistakes, each a small edit of one of those engines or of the
solution:

    [[mistakes]]
    name = "pops-the-first"
    says = "The first item is taken off the stack, not the last."
    base = "linked"  # correct/linked.py, or "solution"; without it, the one that `mistakes_base` names
    edits = [["self.items.pop()", "self.items.pop(0)"]]  # old text, found once, and new text
    loses = ["test_pop[two items]"]  # tests that must be lost
    may_lose = ["test_drawn_stacks"]  # tests that the draw decides; `keeps` names what must be earned
    diagnosis = "wrong-end"  # of the plugin that the configuration names
    subject = "pop"
"""

from __future__ import annotations

import difflib
import re
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from ..assignment import Assignment
from ..configuration import place
from ..errors import AssignmentError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

SOLUTION, STARTER = "solution", "starter"  # names of the two that every assignment has


class Mistake(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One wrong idea, as edits of a correct engine, and what it must cost."""

    name: str
    says: str  # the mistake in one sentence
    edits: tuple[tuple[str, str], ...]
    loses: tuple[str, ...]  # tests that must be lost: "*", a test's name with or without its case, or a whole id
    keeps: tuple[str, ...] = ()  # must be earned: exceptions from `loses`, or tests that it must not lose
    may_lose: tuple[str, ...] = ()  # depends on what is drawn
    base: str = ""  # a name in `correct/`, or "solution"; mistakes_of puts that of the configuration for ""
    everywhere: bool = False  # replace every occurrence of the old text, not the only one
    diagnosis: str = ""  # the code that a student must read; "" if nothing need be said
    subject: str = ""  # the operator that it is about; "" for any
    also: tuple[str, ...] = ()  # may be named too, since one test's evidence fits it as well: "code" or "code operator"
    where: str = ""  # set by mistakes_of: the file and the line of the row


class Bank(msgspec.Struct, frozen=True):
    """The correct engines' texts by name, the solution's among them, and the mistakes."""

    correct: Mapping[str, str]
    mistakes: tuple[Mistake, ...]

    def text(self, mistake: Mistake) -> str:
        """Return the engine that makes the mistake, or raise AssignmentError if an edit does not apply."""
        row = f"{mistake.where}: mistake `{mistake.name}`"
        if mistake.base not in self.correct:
            raise AssignmentError(
                f"{row}: there is no engine `{mistake.base}` to edit; there are {', '.join(self.correct)}"
            )
        text = self.correct[mistake.base]
        for old, new in mistake.edits:
            count = text.count(old)
            if count == 0 or (count > 1 and not mistake.everywhere):
                remedy = "give more of the text around it" if count else "write the text as it is there now"
                raise AssignmentError(
                    f"{row}: {old!r} occurs {count} times in `{mistake.base}`; {remedy}, so that it occurs once"
                )
            text = text.replace(old, new)
        return text


def load_bank(assignment: Assignment) -> Bank:
    """Return the assignment's bank; without one, only the solution is in it.

    Raises AssignmentError that names the file and the row that is wrong.
    """
    file = assignment.root_path / "pyproject.toml"
    correct = {SOLUTION: (assignment.solution_path / bank_file(assignment)).read_text("utf-8")}
    mistakes: list[Mistake] = []
    if assignment.mistakes:
        directory = assignment.root_path / assignment.mistakes
        if not directory.is_dir():
            raise AssignmentError(f"{place(file, ('mistakes',))}: mistakes: {assignment.mistakes} is not a directory")
        correct |= {file.stem: file.read_text("utf-8") for file in sorted((directory / "correct").glob("*.py"))}
        for rows in sorted(directory.glob("*.toml")):
            mistakes += mistakes_of(rows, assignment)
    if assignment.mistakes_base not in correct:
        where, base = place(file, ("mistakes_base",)), assignment.mistakes_base
        raise AssignmentError(f"{where}: mistakes_base = {base!r}: the bank has {', '.join(correct)}")
    names = [*correct, STARTER, *(mistake.name for mistake in mistakes)]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise AssignmentError(f"{assignment.mistakes}: two engines or mistakes are called {', '.join(twice)}")
    return Bank(correct, tuple(mistakes))


def bank_file(assignment: Assignment) -> str:
    """Return the name of the file that an engine of the bank stands for: the first scored module's."""
    return assignment.modules[assignment.scored_modules[0]].file


def mistakes_of(file: Path, assignment: Assignment) -> tuple[Mistake, ...]:
    """Return the rows of one file of the bank."""
    text = file.read_text("utf-8")
    try:
        rows = tomllib.loads(text)["mistakes"]
    except tomllib.TOMLDecodeError as problem:
        raise AssignmentError(f"{file} is not valid TOML: {problem}") from None
    except KeyError:
        raise AssignmentError(f"{file} has no [[mistakes]]") from None
    heads = [number for number, line in enumerate(text.splitlines(), 1) if re.match(r"\s*\[\[\s*mistakes\s*\]\]", line)]
    if len(heads) != len(rows):  # written in another way, or quoted in a text
        heads = [1] * len(rows)
    name = file.relative_to(assignment.root_path).as_posix()
    found = (_mistake(row, f"{name}:{line}") for row, line in zip(rows, heads, strict=True))
    return tuple(replace(each, base=each.base or assignment.mistakes_base) for each in found)


def _mistake(row: dict[str, Any], where: str) -> Mistake:
    if "where" in row:
        raise AssignmentError(f"{where}: `where` is not a key of a mistake: the row's own place is known")
    try:
        return replace(msgspec.convert(row, Mistake), where=where)
    except msgspec.ValidationError as problem:
        raise AssignmentError(f"{where}: mistake {row.get('name', '')}: {problem}") from None


def check_rows(bank: Bank, root: Path, ids: Iterable[str]) -> None:
    """Raise AssignmentError that lists each name in a row that no test, or more than one file's tests, have."""
    ids, problems = tuple(ids), []
    for mistake in bank.mistakes:
        for pattern in (*mistake.loses, *mistake.keeps, *mistake.may_lose):
            try:
                select([pattern], ids)
            except AssignmentError as problem:
                problems.append(f"{_line_of(pattern, mistake, root)}: mistake `{mistake.name}`: {problem}")
    if problems:
        raise AssignmentError("the bank does not fit the suites:\n  " + "\n  ".join(problems))


def _line_of(pattern: str, mistake: Mistake, root: Path) -> str:
    """Return the file and the line on which a row names a test."""
    name, _, head = mistake.where.rpartition(":")
    lines = (root / name).read_text("utf-8").splitlines()
    found = (line for line in range(int(head), len(lines) + 1) if f'"{pattern}"' in lines[line - 1])
    return f"{name}:{next(found, head)}"


def select(patterns: Iterable[str], ids: Iterable[str]) -> frozenset[str]:
    """Return the ids of the tests that `patterns` name.

    A pattern is "*", a test's name with or without its case, or either of them after its `suite/file.py::`.
    Raises AssignmentError for a pattern that names no test, or tests of two files.
    """
    ids = tuple(ids)
    chosen: set[str] = set()
    for pattern in patterns:
        found = set(ids) if pattern == "*" else {test for test in ids if pattern in _names(test)}
        files = sorted({test.partition("::")[0] for test in found})
        if not found:
            near = difflib.get_close_matches(pattern, [name for test in ids for name in _names(test)], n=1)
            nearest = f"; the nearest is `{near[0]}`" if near else ""
            raise AssignmentError(f"no suite has a test `{pattern}`: remove the name, or correct it{nearest}")
        if len(files) > 1 and pattern != "*":
            raise AssignmentError(f"`{pattern}` is in {' and '.join(files)}: name the file too")
        chosen |= found
    return frozenset(chosen)


def _names(test: str) -> set[str]:
    """Return the names by which a row of the bank may call the test."""
    name = test.partition("::")[2]
    return {test, name, test.partition("[")[0], name.partition("[")[0]}
