"""grades.csv and failures.csv: a row for each person, in the order of ids, with columns that do not change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ...model import GradedTest
from ...text import natural_key, one_line
from .class_report import ClassEntry, ClassReport, Record, Submitter
from .csv_file import write_csv
from .output import remove_output

GRADES, FAILURES, IGNORED = "grades.csv", "failures.csv", "ignored.csv"
WAITING, GRADED, UNRUN = "not graded yet", "graded", "graded: nothing could run"


def write_tables(out: Path, report: ClassReport, gradebook: Mapping[tuple[str, str, str], str] | None = None) -> None:
    """Write both tables. What was not graded has a blank score in both: it is never a zero.

    `gradebook` is what a gradebook holds for each person, by id, name and email.
    """
    write_csv(out / GRADES, _grades(report, gradebook))
    write_csv(out / FAILURES, _failures(report))


def write_ignored(out: Path, ignored: Sequence[tuple[str, str]]) -> None:
    """Write what was left aside of the sources, all of it; without any, remove the table of an earlier call."""
    if ignored:
        write_csv(out / IGNORED, [("source", "ignored"), *ignored])
    else:
        remove_output(out / IGNORED)


def adjustment_of(member: ClassEntry) -> float:
    """Return the points that people gave by hand, or took away, in the old results."""
    return member.old.adjustment if member.old else 0.0


def status(record: Record | None) -> str:
    """Return in a word or two what became of a submission."""
    if record is None:
        return WAITING
    if record.problem:
        return "could not be graded"
    return GRADED if record.imported else UNRUN


def people(member: ClassEntry) -> tuple[Submitter, ...]:
    """Return who handed in; a submission of nobody known is one row without a name."""
    return member.submitters or (Submitter(),)


def tasks_of(tests: tuple[GradedTest, ...]) -> list[str]:
    """Return the tasks that carry points, in the order of their numbers."""
    tasks = {test.task for test in tests if test.scored and test.task}
    return sorted(tasks, key=natural_key)


def _grades(report: ClassReport, gradebook: Mapping[tuple[str, str, str], str] | None) -> Iterator[list[str | float]]:
    tests = [test for test in report.run.tests if test.scored]
    tasks = tasks_of(report.run.tests)
    further = _further(report, gradebook)
    yield [
        *("id", "name", "sid", "email", "score"),
        *(f"task {task}" for task in tasks),
        *(test.id for test in tests),
        *further,
        *("status", "notes"),
    ]
    for member in report.members:
        record = report.records.get(member.id)
        points = _points(record)
        of_task = [[points[test.id] for test in tests if test.task == task and test.id in points] for task in tasks]
        for person in people(member):
            yield [
                *_who(member, person),
                record.score.earned if record and record.score else "",
                *(sum(earned) if points else "" for earned in of_task),
                *(points.get(test.id, "") for test in tests),
                *(_cell(name, member, person, record, gradebook or {}) for name in further),
                status(record),
                _notes(member, record),
            ]


def _further(report: ClassReport, gradebook: Mapping[tuple[str, str, str], str] | None) -> list[str]:
    """Return the columns that only some classes need."""
    has_originals = any(member.original not in ("", member.id) for member in report.members)
    has_points = any(adjustment_of(member) for member in report.members)
    return [
        *(["adjustment", "total"] if has_points else []),
        *(["gradebook"] if gradebook is not None else []),
        *(["original"] if has_originals else []),
    ]


def _cell(
    name: str,
    member: ClassEntry,
    person: Submitter,
    record: Record | None,
    gradebook: Mapping[tuple[str, str, str], str],
) -> str | float:
    """Return what stands in one of those columns."""
    if name == "adjustment":
        return adjustment_of(member) or ""
    if name == "total":
        return record.score.earned + adjustment_of(member) if record and record.score else ""
    if name == "gradebook":
        return gradebook.get((member.id, person.name, person.email), "")
    return member.original


def _failures(report: ClassReport) -> Iterator[list[str | float]]:
    yield ["id", "name", "sid", "email", "score", "why"]
    for member in report.members:
        record = report.records.get(member.id)
        if record is None or record.problem:
            for person in people(member):
                yield [*_who(member, person), "", record.problem if record else WAITING]


def _who(member: ClassEntry, person: Submitter) -> list[str]:
    return [member.id, person.name, person.sid, person.email]


def _points(record: Record | None) -> dict[str, float]:
    return {result.id: result.score for result in record.results} if record else {}


def _notes(member: ClassEntry, record: Record | None) -> str:
    """Return what a TA should know of one row: of the delivery, of the files, of what staff alone may read."""
    parts = list(member.remarks)
    if member.old and member.old.total is not None:
        parts.append(f"the old total is {member.old.total:g}: what of it the tests gave is not known")
    if record:
        parts += [record.problem or record.import_problem]
        parts += [note.title for note in record.notes]
        parts += [f"flag: {title}" for title in sorted({flag.title for flag in record.flags})]
    return "; ".join(one_line(part) for part in parts if part)
