"""report.html: what an instructor opens before a lecture, and, without names, what may be projected in it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from ...results.html import page
from ...text import clean, one_line
from ..records.class_report import ClassEntry, ClassReport, load_class
from ..records.output import write_output
from ..records.tables import GRADED, UNRUN, status
from .causes import Cause, causes_of, unrun_in
from .copies import copies_in
from .moves import moves_of
from .rates import Rate, rates_of
from .scores import scores_of
from .spent import spent_on

REPORT, ANONYMOUS = "report.html", "report-anonymous.html"
HARDEST = 12  # tests shown at once; the others are folded away
SHOWN = 12  # of people, tests and reasons named in one place; the others are counted
GROUPS = 50  # of equal programs
ROWS = 5_000  # of the table of submissions: a page of two megabytes opens everywhere
WEAK = 0.2  # a test that separates less is one to look at
_NAME = 60  # characters


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the table of submissions."""

    name: str
    id: str
    score: float | None
    mistakes: str  # "M1 M4"
    said: str  # what became of it, if it was not graded as usual


def write_report(out: Path, *, anonymous: bool = False, file: Path | None = None) -> Path:
    """Write the report of the class that `autograder regrade` left in `out`, and return where it is.

    The same class gives the same bytes. Raises AutograderError if `out` holds no class.
    """
    file = file or out / (ANONYMOUS if anonymous else REPORT)
    write_output(file, class_page(load_class(out), anonymous=anonymous).encode("utf-8"))
    return file


def class_page(report: ClassReport, *, anonymous: bool = False) -> str:
    """Return the report as a page. An `anonymous` one names nobody: what is known of single people is counted."""
    rates, causes = rates_of(report), causes_of(report, shared=anonymous)
    scored = [rate for rate in rates if rate.test.scored]
    rows = list(_rows(report, causes))
    graded = sum(row.score is not None for row in rows)
    unread = [(member, one_line(record.problem, 400)) for member, record in report.pairs() if record.problem]
    values: dict[str, Any] = {
        "run": report.run,
        "named": not anonymous,
        "handed_in": len(rows),
        "graded": graded,
        "unread": unread[:GROUPS],
        "unread_count": len(unread),
        "waiting": len(rows) - graded - len(unread),
        "unimported": sum(row.said == UNRUN for row in rows),
        "rows": [] if anonymous else rows[:ROWS],
        "scores": scores_of(report),
        "causes": causes,
        "shown": SHOWN,
        "unrun": unrun_in(report, shared=anonymous),
        "hardest": scored[:HARDEST],
        "easier": scored[HARDEST:],
        "further": [rate for rate in rates if not rate.test.scored],
        "nobody": [rate for rate in scored if not rate.passed],
        "everybody": [rate for rate in scored if rate.passed == rate.tried],
        "weak": sorted((r for r in scored if r.separates is not None and r.separates < WEAK), key=_separation),
        "measured": any(rate.separates is not None for rate in scored),
        "copies": copies_in(report),
        "groups": GROUPS,
        "spent": spent_on(report),
        "moves": moves_of(report),
        "titles": {test.id: test.title for test in report.run.tests},
        "name_of": name_of,
        "about": about,
        "points": points,
        "clean": clean,
    }
    return page("report", values)


def _rows(report: ClassReport, causes: Sequence[Cause]) -> Iterator[Row]:
    """Yield a row for each submission, in the order of the class."""
    mistakes: defaultdict[str, list[str]] = defaultdict(list)
    for number, cause in enumerate(causes, 1):
        for member in cause.members:
            mistakes[member.id].append(f"M{number}")
    for member in report.members:
        record = report.records.get(member.id)
        said = status(record)
        yield Row(
            name=one_line(name_of(member), _NAME),
            id=member.id,
            score=record.score.earned if record and record.score else None,
            mistakes=" ".join(mistakes[member.id]),
            said="" if said == GRADED else said,
        )


def _separation(rate: Rate) -> float:
    return rate.separates or 0.0


def name_of(member: ClassEntry) -> str:
    """Return how a table names who handed in: people by their names, else by what is known, else the id."""
    names = [person.name or person.email or person.sid for person in member.submitters]
    return one_line(", ".join(name for name in names if name) or member.id, 120)


def about(rate: Rate) -> str:
    """Return what stands below a test's title: its worth, its task, its suite, and why it was not passed."""
    test = rate.test
    worth = "1 point" if test.points == 1 else f"{points(test.points)} points"
    parts = [worth if test.scored else "", f"task {test.task}" if test.task else "", test.suite]
    parts += [f"{count} {why}" for why, count in rate.others]
    return " · ".join(part for part in parts if part)


def points(number: float | None, *, signed: bool = False) -> str:
    """Return points as a table shows them: two digits at most, "–" if there are no points."""
    if number is None:
        return "–"
    digits = f"{number:+.2f}" if signed else f"{number:.2f}"
    return digits.rstrip("0").rstrip(".")
