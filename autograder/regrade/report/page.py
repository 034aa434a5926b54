"""report.html: what an instructor opens before a lecture, and, without names, what may be projected in it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ...results.html import page
from ...text import clean, one_line
from ..records.class_report import ClassEntry, ClassReport, load_class
from ..records.output import write_output
from .causes import causes_of, unrun_in
from .copies import copies_in
from .moves import moves_of
from .rates import Rate, rates_of
from .scores import scores_of
from .spent import spent_on

REPORT, ANONYMOUS = "report.html", "report-anonymous.html"
HARDEST = 12  # tests shown at once; the others are folded away
SHOWN = 12  # people named for one limit; the others are counted


def write_report(out: Path, *, anonymous: bool = False, file: Path | None = None) -> Path:
    """Write the report of the class that `autograder regrade` left in `out`, and return where it is.

    The same class gives the same bytes. Raises AutograderError when `out` holds no class.
    """
    file = file or out / (ANONYMOUS if anonymous else REPORT)
    write_output(file, class_page(load_class(out), anonymous=anonymous).encode("utf-8"))
    return file


def class_page(report: ClassReport, *, anonymous: bool = False) -> str:
    """Return the report as a page. An `anonymous` one names nobody: what is known of single people is counted."""
    rates = rates_of(report)
    graded, unimported = 0, 0
    for record in report.graded():
        graded, unimported = graded + 1, unimported + (not record.imported)
    unread = [(member, one_line(record.problem, 400)) for member, record in report.pairs() if record.problem]
    scored = [rate for rate in rates if rate.test.scored]
    values: dict[str, Any] = {
        "run": report.run,
        "named": not anonymous,
        "handed_in": len(report.members),
        "graded": graded,
        "unread": unread,
        "waiting": len(report.members) - graded - len(unread),
        "unimported": unimported,
        "scores": scores_of(report),
        "causes": causes_of(report, shared=anonymous),
        "shown": SHOWN,
        "unrun": unrun_in(report, shared=anonymous),
        "hardest": scored[:HARDEST],
        "easier": scored[HARDEST:],
        "further": [rate for rate in rates if not rate.test.scored],
        "nobody": [rate for rate in scored if not rate.passed],
        "everybody": [rate for rate in scored if rate.passed == rate.tried],
        "copies": copies_in(report),
        "spent": spent_on(report),
        "moves": moves_of(report),
        "titles": {test.id: test.title for test in report.run.tests},
        "name_of": name_of,
        "about": about,
        "points": points,
        "clean": clean,
    }
    return page("report", values)


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
    """Return points as a table shows them: two digits at most, "–" for none."""
    if number is None:
        return "–"
    digits = f"{number:+.2f}" if signed else f"{number:.2f}"
    return digits.rstrip("0").rstrip(".")
