"""canvas.csv: the new scores as Canvas imports them, made from the gradebook that Canvas exports."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from ...errors import AssignmentError
from ...text import listed, one_line
from .class_report import ClassReport
from .csv_file import read_rows, write_csv
from .matching import Match, Matches, matches_of
from .tables import adjustment_of

CANVAS = "canvas.csv"
_KEPT = ("Student", "LastName", "FirstName", "ID", "SIS User ID", "SIS Login ID", "Section")
_ASSIGNMENT = re.compile(r".+ \(\d+\)")
_POSSIBLE = "Points Possible"
_EXCUSED = {"ex", "excused"}
_EMPTY = {"", "n/a", "-"}


class Gradebook:
    """An exported gradebook, and the column of this assignment in it."""

    def __init__(self, file: Path, column: str = "") -> None:
        """Read it. Raises AssignmentError if it is not a gradebook, or has no assignment `column`."""
        rows, self._delimiter = read_rows(file)
        self._header = [name.strip() for name in rows[0]]
        if "ID" not in self._header:
            raise AssignmentError(f"{file} is not a Canvas gradebook: it has no column `ID`")
        self._column = self._assignment(file, column)
        table = [dict(zip(self._header, row + [""] * len(self._header))) for row in rows[1:]]  # noqa: B905 - short rows
        self._possible = [row for row in table if _is_possible(row)]
        self._students = [row for row in table if _is_student(row)]

    def write(self, out: Path, report: ClassReport) -> tuple[str, ...]:
        """Write canvas.csv for everybody who was graded; return what a person must know of it, in sentences.

        A student without a new score has no row: Canvas would take a blank as a change. Nor has one who is excused.
        """
        matches = self.matches(report)
        kept = [name for name in self._header if name in _KEPT]
        rows = [[*kept, self._column]]
        rows += [[row[name] for name in [*kept, self._column]] for row in self._possible]
        excused, replaced = list[str](), list[str]()
        for match in matches.found:
            row, points = self._students[match.row], _points(report, match)
            old, who = row[self._column].strip(), one_line(row.get("Student") or match.member.id, 60)
            if old.casefold() in _EXCUSED:
                excused.append(who)
                continue
            if old.casefold() not in _EMPTY and _number(old) != points:
                replaced.append(f"{who} {old} → {points:.10g}")
            rows.append([*(row[name] for name in kept), f"{points:.10g}"])
        write_csv(out / CANVAS, [[_padded(name) for name in row] for row in rows], delimiter=self._delimiter)
        return tuple(_sentences(matches, excused, replaced))

    def matches(self, report: ClassReport) -> Matches:
        """Return whose row each graded person has."""
        return matches_of(self._students, report)

    def cells(self, report: ClassReport) -> dict[tuple[str, str, str], str]:
        """Return what the gradebook holds for each person of the class, by id, name and email."""
        return {
            (match.member.id, match.person.name, match.person.email): self._students[match.row][self._column].strip()
            for match in self.matches(report).found
        }

    def _assignment(self, file: Path, column: str) -> str:
        """Return the one column that `column` names, or the only assignment that there is."""
        found = [name for name in self._header if _ASSIGNMENT.fullmatch(name) and column.casefold() in name.casefold()]
        exact = [name for name in found if name.casefold() == column.casefold()]
        if len(exact or found) == 1:
            return (exact or found)[0]
        what = f"has {len(found)} assignments" if found else "has no assignment"
        names = listed([name for name in self._header if _ASSIGNMENT.fullmatch(name)])
        named = f" named like `{column}`" if column else ""
        raise AssignmentError(f"{file} {what}{named}; say which with --column: {names}")


def _points(report: ClassReport, match: Match) -> float:
    """Return the new points, and what a person added to the old ones or took away."""
    score = report.records[match.member.id].score
    assert score is not None  # only graded people are matched
    return score.earned + adjustment_of(match.member)


def _sentences(matches: Matches, excused: list[str], replaced: list[str]) -> Iterator[str]:
    if matches.unmatched:
        yield f"not in the gradebook: {listed(list(matches.unmatched))}"
    yield from matches.remarks
    if excused:
        yield f"excused in the gradebook, and left alone: {listed(excused)}"
    if replaced:
        yield f"{CANVAS} replaces points that the gradebook holds: {listed(replaced)}"


def _number(text: str) -> float | None:
    try:
        return float(text.replace(",", "."))
    except ValueError:
        return None


def _is_possible(row: Mapping[str, str]) -> bool:
    """Return True if a row holds the points possible."""
    return next(iter(row.values()), "").strip() == _POSSIBLE


def _is_student(row: Mapping[str, str]) -> bool:
    """Return True if a row is a student's, and not the points possible or how grades are posted."""
    return not _is_possible(row) and any(row.get(name, "").strip() for name in ("ID", "Student"))


def _padded(text: str) -> str:
    """Return the label of the points possible with the four spaces that Canvas knows it by."""
    return f"    {_POSSIBLE}" if text.strip() == _POSSIBLE else text
