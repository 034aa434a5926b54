"""Whose row of a gradebook a submission belongs to.

An id, a login or an email decides. A name is what a student chose: it counts only where nothing better is known, and
never against somebody whose id says otherwise.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec

from ...text import listed, one_line
from .class_report import ClassEntry, ClassReport, Submitter
from .tables import people

_IDS = ("ID", "SIS User ID", "SIS Login ID", "Integration ID")


class Match(msgspec.Struct, frozen=True, kw_only=True):
    """One person of a submission, and the row that is theirs."""

    row: int
    member: ClassEntry
    person: Submitter
    by: str  # "the SID 0123", "the name Ada Example"
    is_by_name: bool = False


class Matches(msgspec.Struct, frozen=True, kw_only=True):
    """Everybody with a row of their own, and what to say of the rest."""

    found: tuple[Match, ...]
    unmatched: tuple[str, ...]  # ids of submissions
    remarks: tuple[str, ...]  # sentences: conflicts, with both readings, and names that decided


def matches_of(rows: Sequence[Mapping[str, str]], report: ClassReport) -> Matches:
    """Return which of the `rows`, those of students alone, belongs to each graded person of a class.

    A row that two submissions claim, and a person whom two rows claim, is left out and named with both readings.
    """
    by_id, by_name = _places(rows, _ids), _places(rows, _names)
    claims: dict[int, list[Match]] = defaultdict(list)
    unmatched, remarks = list[str](), list[str]()
    for member in report.members:
        record = report.records.get(member.id)
        for person in people(member) if record is not None and record.score is not None else ():
            found = _claims(member, person, by_id) or _claims_by_name(member, person, by_name)
            if len({claim.row for claim in found}) > 1:
                readings = [f"row {_row(rows, claim.row)} by {claim.by}" for claim in found]
                remarks.append(f"{member.id} is left out, for it is two people's: {listed(readings)}")
            elif found:
                claims[found[0].row].append(found[0])
            else:
                unmatched.append(member.id)
    kept: list[Match] = []
    for row, rivals in sorted(claims.items()):
        winner, remark = _winner(f"row {_row(rows, row)}", rivals)
        kept += winner
        remarks += [remark] if remark else []
    return Matches(found=tuple(kept), unmatched=tuple(dict.fromkeys(unmatched)), remarks=tuple(remarks))


def _winner(row: str, claims: Sequence[Match]) -> tuple[list[Match], str]:
    """Return the one claim of a row that counts, if any, and what to say about it."""
    certain = [claim for claim in claims if not claim.is_by_name]
    rivals = certain or claims
    readings = listed([f"{claim.member.id} by {claim.by}" for claim in claims])
    if len({claim.member.id for claim in rivals}) > 1:
        return [], f"{row} is left out, for several submissions claim it: {readings}"
    if len({claim.member.id for claim in claims}) > 1:
        return [rivals[0]], f"{row} belongs to {rivals[0].member.id}, and others have its name: {readings}"
    if not certain:
        return [rivals[0]], f"{row} was found by a name alone, which students choose: {readings}"
    return [rivals[0]], ""


def _claims(member: ClassEntry, person: Submitter, places: Mapping[str, int]) -> list[Match]:
    keys = [("id", member.id), ("SID", person.sid), ("email", person.email)]
    return [
        Match(row=places[key.casefold()], member=member, person=person, by=f"the {kind} {one_line(key)}")
        for kind, key in keys
        if key.casefold() in places
    ]


def _claims_by_name(member: ClassEntry, person: Submitter, places: Mapping[str, int]) -> list[Match]:
    row = places.get(_folded(person.name))
    if row is None:
        return []
    by = f"the name {one_line(person.name)}"
    return [Match(row=row, member=member, person=person, by=by, is_by_name=True)]


def _places(rows: Sequence[Mapping[str, str]], keys_of: Callable[[Mapping[str, str]], Iterator[str]]) -> dict[str, int]:
    """Return the row of each key; what two rows share names neither."""
    places: dict[str, int] = {}
    shared: set[str] = set()
    for position, row in enumerate(rows):
        for key in set(keys_of(row)):
            shared |= {key} if key in places else set()
            places[key] = position
    return {key: position for key, position in places.items() if key not in shared}


def _ids(row: Mapping[str, str]) -> Iterator[str]:
    yield from (row[name].strip().casefold() for name in _IDS if row.get(name, "").strip())


def _names(row: Mapping[str, str]) -> Iterator[str]:
    """Yield the ways in which a name is written: "Ada Example", and exampleada as Canvas does before a file."""
    last, _, first = row.get("Student", "").partition(",")
    names = (f"{first} {last}", f"{row.get('FirstName', '')} {row.get('LastName', '')}", row.get("Student", ""))
    yield from (folded for name in names if (folded := _folded(name)))
    yield from [folded] if (folded := re.sub(r"\W", "", row.get("Student", "")).casefold()) else []


def _folded(name: str) -> str:
    return " ".join(name.split()).casefold()


def _row(rows: Sequence[Mapping[str, str]], row: int) -> str:
    """Return how a person knows a row: by the name and the id in it."""
    own = rows[row]
    return f"{one_line(own.get('Student') or own.get('LastName', ''))} ({one_line(own.get('ID', ''))})"
