"""Names for what an export only knows by an account: GitHub Classroom's roster, or any table of ids and names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from msgspec.structs import replace

from ...errors import AssignmentError
from ..records.class_report import OldResult, Submitter
from ..records.csv_file import read_table
from .found import FoundSubmission, identity

_KEYS = ("student_repository_name", "github_username", "id", "identifier", "sid", "email")
_COLUMNS = {
    "name": ("name", "student", "full name"),
    "sid": ("sid", "student id", "sis user id"),
    "email": ("email", "email address"),
}


def with_roster(found: Iterable[FoundSubmission], file: Path) -> Iterator[FoundSubmission]:
    """Yield each submission with the names that the roster has for it; one without stays as it is, with a remark.

    Raises AssignmentError when the file has none of the columns that could name an account.
    """
    people = _people(file)
    for each in found:
        rows = people.get(each.id.casefold())
        if not rows:
            yield replace(each, remarks=(*each.remarks, f"not in {file.name}"))
            continue
        submitters = tuple(_submitter(row) for row in rows)
        yield replace(each, submitters=submitters, old=each.old or _old(rows[0]))


def _people(file: Path) -> dict[str, list[dict[str, str]]]:
    """Return the rows by every account or id that they name. Members of a group share a repository."""
    rows = [{name.casefold(): value for name, value in row.items()} for row in read_table(file)]
    if not rows or not set(_KEYS) & rows[0].keys():
        raise AssignmentError(
            f"{file} has none of the columns {', '.join(_KEYS)}: it cannot tell whose a submission is"
        )
    people: dict[str, list[dict[str, str]]] = defaultdict(list)
    for row in rows:
        for key in {identity(row[key]).casefold() for key in _KEYS if row.get(key)}:
            people[key].append(row)
        for key in _endings(row):
            people[key].append(row)
    return people


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
