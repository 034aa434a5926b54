"""Names for what an export only knows by an account: GitHub Classroom's roster, or any table of ids and names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from msgspec.structs import replace

from ...errors import AssignmentError
from ...text import listed, one_line
from ..records.class_report import OldResult, Submitter
from ..records.csv_file import read_table
from .found import FoundSubmission, identity

_KEYS = ("student_repository_name", "github_username", "id", "identifier", "sid", "email")
_SHARED = {"student_repository_name", "group_name", "id"}  # by the members of a group
_COLUMNS = {
    "name": ("name", "student", "full name"),
    "sid": ("sid", "student id", "sis user id"),
    "email": ("email", "email address"),
}


def with_roster(found: Iterable[FoundSubmission], file: Path) -> Iterator[FoundSubmission]:
    """Yield each submission with the names that the roster has for it; one without stays as it is, with a remark.

    Raises AssignmentError if the file has none of the columns that could name an account, or if an id is one person's
    in one column and another's in another: an account may be called like somebody's number.
    """
    people = _people(file)
    for each in found:
        rows = _rows(each.id, people.get(each.id.casefold(), {}), file)
        if not rows:
            yield replace(each, remarks=(*each.remarks, f"not in {file.name}"))
            continue
        submitters = tuple(_submitter(row) for row in rows)
        yield replace(each, submitters=submitters, old=each.old or _old(rows[0]))


_Rows = dict[int, dict[str, str]]  # by their place in the file


def _people(file: Path) -> dict[str, dict[str, _Rows]]:
    """Return the rows by every account or id that they name, and by the column that names it."""
    rows = [{name.casefold(): value for name, value in row.items()} for row in read_table(file)]
    if not rows or not set(_KEYS) & rows[0].keys():
        raise AssignmentError(
            f"{file} has none of the columns {', '.join(_KEYS)}: it cannot tell whose a submission is"
        )
    people: dict[str, dict[str, _Rows]] = defaultdict(lambda: defaultdict(dict))
    for place, row in enumerate(rows):
        for column in _KEYS:
            if row.get(column):
                people[identity(row[column]).casefold()][column][place] = row
        for key in _endings(row):
            people[key]["group_name"][place] = row
    return people


def _rows(identity_: str, columns: Mapping[str, _Rows], file: Path) -> list[dict[str, str]]:
    """Return the rows of one id; those of a group share it. Raise AssignmentError if it is two people's."""
    readings = {frozenset(rows): column for column, rows in columns.items()}
    alone = [column for column, rows in columns.items() if column not in _SHARED and len(rows) > 1]
    if alone:
        raise AssignmentError(f"{file} has several rows of the {alone[0]} {one_line(identity_)}: keep the right one")
    if len(readings) > 1:
        names = [f"{column} of {_named(rows)}" for column, rows in columns.items()]
        raise AssignmentError(
            f"{file}: {one_line(identity_)} is two people's: {listed(names)}. See whose submission it is, and take the "
            "other's value out of the file"
        )
    return list(next(iter(columns.values())).values()) if columns else []


def _named(rows: _Rows) -> str:
    place, row = next(iter(rows.items()))
    return one_line(_submitter(row).name or f"row {place + 2}", 60)


def _endings(row: Mapping[str, str]) -> set[str]:
    """Return the name of a group's repository without the assignment's, which its members' rows share."""
    repository, group = row.get("student_repository_name", ""), row.get("group_name", "")
    return {identity(group).casefold()} if group and repository.casefold().endswith(group.casefold()) else set()


def _submitter(row: Mapping[str, str]) -> Submitter:
    fields = {field: next((row[name] for name in names if row.get(name)), "") for field, names in _COLUMNS.items()}
    account = row.get("identifier") or row.get("roster_identifier", "")  # what the instructor put into the roster
    kind = "email" if "@" in account else "sid"
    fields[kind] = fields[kind] or account
    fields["name"] = fields["name"] or row.get("github_username", "")
    return Submitter(**fields)


def _old(row: Mapping[str, str]) -> OldResult | None:
    try:
        return OldResult(score=float(row["points_awarded"]))
    except (KeyError, ValueError):
        return None
