"""canvas.csv: the new scores as Canvas imports them, made from the gradebook that Canvas exports."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from ...errors import AssignmentError
from ...text import listed
from .class_report import ClassReport
from .csv_file import read_rows, write_csv
from .tables import people

CANVAS = "canvas.csv"
_KEPT = ("Student", "LastName", "FirstName", "ID", "SIS User ID", "SIS Login ID", "Section")
_ASSIGNMENT = re.compile(r".+ \(\d+\)")
_POSSIBLE = "Points Possible"


class Gradebook:
    """An exported gradebook, and the column of this assignment in it."""

    def __init__(self, file: Path, column: str = "") -> None:
        """Read it. Raises AssignmentError when it is no gradebook, or `column` names none of its assignments."""
        rows, self._delimiter = read_rows(file)
        self._header = [name.strip() for name in rows[0]]
        if "ID" not in self._header:
            raise AssignmentError(f"{file} is no Canvas gradebook: it has no column `ID`")
        self._column = self._assignment(file, column)
        self._rows = [dict(zip(self._header, row + [""] * len(self._header))) for row in rows[1:]]  # noqa: B905 - short rows

    def write(self, out: Path, report: ClassReport) -> tuple[str, ...]:
        """Write canvas.csv for everybody who was graded; return the ids of those who are not in the gradebook.

        A student without a new score has no row: Canvas would take a blank as a change.
        """
        scores, unmatched = self._scores(report)
        kept = [name for name in self._header if name in _KEPT]
        rows = [[*kept, self._column]]
        rows += [[row[name] for name in [*kept, self._column]] for row in self._rows if _is_possible(row)]
        for position, score in sorted(scores.items()):
            rows.append([*(self._rows[position][name] for name in kept), f"{score:.10g}"])
        write_csv(out / CANVAS, [[_padded(name) for name in row] for row in rows], delimiter=self._delimiter)
        return unmatched

    def _scores(self, report: ClassReport) -> tuple[dict[int, float], tuple[str, ...]]:
        """Return the new score of each row of the gradebook, and the ids that are in no row."""
        places = self._places()
        scores: dict[int, float] = {}
        unmatched = []
        for member in report.members:
            record = report.records.get(member.id)
            if record is None or record.score is None:
                continue
            for person in people(member):
                keys = [("id", member.id), ("id", person.sid), ("id", person.email), ("name", person.name)]
                place = next(
                    (places[kind, key.casefold()] for kind, key in keys if (kind, key.casefold()) in places), None
                )
                if place is None:
                    unmatched.append(member.id)
                else:
                    scores[place] = record.score.earned
        return scores, tuple(dict.fromkeys(unmatched))

    def _places(self) -> dict[tuple[str, str], int]:
        """Return the row of each id, login and name; what two rows share names neither."""
        places: dict[tuple[str, str], int] = {}
        twice = set()
        for position, row in enumerate(self._rows):
            if not _is_student(row):
                continue
            for key in _keys(row):
                twice |= {key} if key in places else set()
                places[key] = position
        return {key: position for key, position in places.items() if key not in twice}

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


def _keys(row: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for name in ("ID", "SIS User ID", "SIS Login ID", "Integration ID"):
        if row.get(name, "").strip():
            yield "id", row[name].strip().casefold()
    last, _, first = row.get("Student", "").partition(",")
    names = {f"{first.strip()} {last.strip()}".strip(), f"{row.get('FirstName', '')} {row.get('LastName', '')}".strip()}
    names |= {_sortable(row.get("Student", ""))}
    yield from (("name", name.casefold()) for name in sorted(names) if name)


def _sortable(student: str) -> str:
    """Return a name as Canvas writes it before a file: "Smith, Bob" is smithbob."""
    return re.sub(r"\W", "", student).casefold()


def _is_possible(row: Mapping[str, str]) -> bool:
    """Say whether a row holds the points possible."""
    return next(iter(row.values()), "").strip() == _POSSIBLE


def _is_student(row: Mapping[str, str]) -> bool:
    """Say whether a row is a student's, and not the points possible or how grades are posted."""
    return not _is_possible(row) and any(row.get(name, "").strip() for name in ("ID", "Student"))


def _padded(text: str) -> str:
    """Return the label of the points possible with the four spaces that Canvas knows it by."""
    return f"    {_POSSIBLE}" if text.strip() == _POSSIBLE else text
