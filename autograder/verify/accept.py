"""Adds the tests that a mistake loses, and its row does not name yet, to the row."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path

from ..assignment import Assignment
from ..errors import AssignmentError
from ..files import write_whole
from .bank import mistakes_of
from .gaps import unlisted
from .trials import Trial

_LOSES = re.compile(r'^loses = \[((?:[^"\]#]|"[^"]*"|#[^\n]*)*)\]', re.MULTILINE)


def accept(assignment: Assignment, done: Iterable[Trial]) -> list[Path]:
    """Write into each row's `loses` the lost tests that it does not name, and return the files that changed.

    Raises AssignmentError that names the row if its `loses` is not one list of texts; nothing is written then.
    """
    more = {trial.case.name: _names(unlisted(trial), trial) for trial in done if unlisted(trial)}
    changed: dict[Path, str] = {}
    for file in sorted((assignment.root_path / assignment.mistakes).glob("*.toml")) if more else ():
        text = file.read_text("utf-8")
        rows = re.split(r"(?m)^(?=\[\[mistakes\]\])", text)
        new = "".join(_with_tests(row, more, file) for row in rows)
        if new != text:
            changed[file] = new
    for file, text in changed.items():
        write_whole(file, text.encode("utf-8"))
        mistakes_of(file, assignment)  # a file that can no longer be read is named at once
    return list(changed)


def _with_tests(row: str, more: dict[str, list[str]], file: Path) -> str:
    """Return the text of one row, with what its mistake loses besides."""
    named = re.search(r'^name = "([^"]*)"', row, re.MULTILINE)
    if named is None or named[1] not in more:
        return row
    found = _LOSES.search(row)
    if found is None:
        raise AssignmentError(f"{file}, mistake {named[1]}: write `loses = [...]` as one list of texts, then try again")
    body = found[1].rstrip()
    comma = "" if not body or body.endswith(",") else ","
    lines = "".join(f'\n    "{test}",' for test in more[named[1]])
    return f"{row[: found.start(1)]}{body}{comma}{lines}\n{row[found.end(1) :]}"


def _names(lost: frozenset[str], trial: Trial) -> list[str]:
    """Return the tests' ids; one for all cases of a test if all are lost."""
    every = [outcome.test.id for outcome in trial.report.outcomes if outcome.test.scored]
    names: list[str] = []
    for test, group in groupby(every, key=lambda each: each.partition("[")[0]):
        cases = list(group)
        names += [test] if lost.issuperset(cases) else [case for case in cases if case in lost]
    return names
