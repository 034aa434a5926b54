"""Old and new points side by side: what a regrade changed, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from pathlib import Path

import msgspec
from msgspec.structs import replace

from ...errors import AssignmentError
from ...model import GradedTest
from ...text import listed, one_line
from .class_report import ClassEntry, ClassReport, OldResult, Submitter
from .csv_file import cell, read_table, write_csv
from .tables import adjustment_of, people

COMPARE = "compare.csv"
TOTAL = "total"
_SAME = 1e-9
_LONE = 3  # tests of one side alone that are listed one by one
_TOTALS = ("score", "total score", "total points", "points_awarded", "grade")
_IDS = ("id", "submission id", "github_username", "student_repository_name")
_NUMBERS = ("sid", "student id", "sis user id")
_EMAILS = ("email", "email address")
_AUTOGRADER = re.compile(r"\d+: autograder\b.*")  # a question of Gradescope's; others are given by people


class Change(msgspec.Struct, frozen=True):
    """Points that are not what they were; a blank is a test, or a score, that one side does not have."""

    member: ClassEntry
    person: Submitter
    test: str  # an id, or TOTAL
    old: float | None
    new: float | None


def with_old(members: Iterable[ClassEntry], file: Path) -> tuple[ClassEntry, ...]:
    """Return the members with the old results of a table: our own grades.csv, or Gradescope's Download Grades.

    Rows are joined by the id of the submission, then by SID, then by email.
    Raises AssignmentError if the table has no column of totals, or gives one person two different totals.
    """
    rows = [{_header(name): value for name, value in row.items()} for row in read_table(file)]
    total = next((name for name in _TOTALS if rows and name in rows[0]), None)
    if total is None:
        raise AssignmentError(f"{file} has no column of totals; expected is one of {', '.join(_TOTALS)}")
    by_key: dict[tuple[str, str], OldResult] = {}
    for row in rows:
        old = _old(row, total)
        for kind, names in (("id", _IDS), ("sid", _NUMBERS), ("email", _EMAILS)):
            key = next((row[name] for name in names if row.get(name)), "")
            if key and by_key.setdefault((kind, key.casefold()), old) != old:
                raise AssignmentError(f"{file} has two rows of the {kind} {one_line(key)}, with different points")
    return tuple(_joined(member, by_key) for member in members)


def changes(report: ClassReport) -> Iterator[Change]:
    """Yield every change, the total of a person first, in the order of the tables."""
    names = _ids_by_name(report.run.tests)
    for member in report.members:
        record = report.records.get(member.id)
        if member.old is None or record is None or record.score is None:
            continue
        if member.old.total is not None:
            continue  # a total is not compared with test points: the notes say so
        new = {result.id: result.score for result in record.results}
        old = {names.get(name, name): points for name, points in member.old.tests.items()}
        pairs: list[tuple[str, float | None, float | None]] = [(TOTAL, member.old.score, record.score.earned)]
        scored = [test.id for test in report.run.tests if test.scored]
        if old:
            pairs += [(test, old.get(test), new.get(test)) for test in dict.fromkeys([*scored, *old])]
        for person in people(member):
            yield from (Change(member, person, *pair) for pair in pairs if _differ(*pair[1:]))


def write_comparison(out: Path, report: ClassReport) -> None:
    """Write compare.csv: a row for each change."""
    write_csv(out / COMPARE, _rows(report))


def _rows(report: ClassReport) -> Iterator[list[str | float]]:
    has_points = any(adjustment_of(member) for member in report.members)
    yield ["id", "name", "sid", "email", "test", "old", "new", "change", *(["adjustment"] if has_points else [])]
    for change in changes(report):
        person = change.person
        adjustment = adjustment_of(change.member) if change.test == TOTAL else 0.0
        yield [
            *(change.member.id, person.name, person.sid, person.email, change.test),
            "" if change.old is None else change.old,
            "" if change.new is None else change.new,
            "" if change.old is None or change.new is None else change.new - change.old,
            *([adjustment or ""] if has_points else []),
        ]


def listing(found: Iterable[Change]) -> Iterator[str]:
    """Yield the changes as lines to read: who, and under it what was and what is.

    Many tests that only one side has are other tests rather than changes: they are counted.
    """
    is_empty = True
    for (member, person), group in groupby(found, lambda change: (change.member, change.person)):
        changed, is_empty = list(group), False
        lone = [change for change in changed if change.test != TOTAL and None in (change.old, change.new)]
        shown = changed if len(lone) <= _LONE else [change for change in changed if change not in lone]
        yield " ".join(cell(part) for part in (member.id, person.name) if part)
        yield from (f"  {_points(change.old):>6} → {_points(change.new):<6} {cell(change.test)}" for change in shown)
        if shown is not changed:
            yield f"  {len(lone)} tests that only the old or only the new results have"
    if is_empty:
        yield "no points changed"


def by_hand(members: Iterable[ClassEntry]) -> str:
    """Return a sentence on the points that people gave by hand, or "" if there are none."""
    given = [f"{member.id} {adjustment_of(member):+g}" for member in members if adjustment_of(member)]
    return f"points given by hand are kept, in the columns adjustment and total: {listed(given)}" if given else ""


def _points(points: float | None) -> str:
    return "-" if points is None else f"{points:g}"


def _ids_by_name(tests: Iterable[GradedTest]) -> dict[str, str]:
    """Return the ids by title, for old results that know no ids; a title that two tests share names neither."""
    ids: dict[str, str] = {}
    for test in tests:
        ids[test.title] = "" if test.title in ids else test.id
    return {title: test for title, test in ids.items() if test}


def _header(name: str) -> str:
    """Return a column's name in lower case, but for a test's id: two of those may differ in case alone."""
    return name if "::" in name else name.casefold()


def _tests(row: Mapping[str, str]) -> dict[str, float]:
    """Return the points of the columns that are tests: ids of ours, with a file and a name."""
    found = {name: _number(value) for name, value in row.items() if "::" in name}
    return {name: points for name, points in found.items() if points is not None}


def _old(row: Mapping[str, str], total: str) -> OldResult:
    """Return what one row says: of Gradescope's table what the autograder gave, and what people added to it."""
    points, tests = _number(row[total]), _tests(row)
    if "adjustment" in row and total == "score":  # our own
        return OldResult(score=points, adjustment=_number(row["adjustment"]) or 0.0, tests=tests)
    by_machine = [_number(value) for name, value in row.items() if _AUTOGRADER.fullmatch(name)]
    given = by_machine[0] if len(by_machine) == 1 else None
    if points is None or given is None:
        return OldResult(score=points, tests=tests)
    return OldResult(score=given, adjustment=points - given, tests=tests)


def _joined(member: ClassEntry, by_key: Mapping[tuple[str, str], OldResult]) -> ClassEntry:
    keys = [("id", member.id)]
    keys += [(kind, getattr(person, kind)) for kind in ("sid", "email") for person in member.submitters]
    old = next((by_key[kind, key.casefold()] for kind, key in keys if key and (kind, key.casefold()) in by_key), None)
    return replace(member, old=old) if old else member


def _number(text: str) -> float | None:
    try:
        return float(text.replace(",", "."))
    except ValueError:
        return None


def _differ(old: float | None, new: float | None) -> bool:
    return old is None or new is None or abs(old - new) > _SAME
