"""What grading a class took, which limits were met, and what staff should look at."""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Iterable

import msgspec

from ..records.class_report import ClassEntry, ClassReport

SLOWEST = 5


class Met(msgspec.Struct, frozen=True):
    """One limit or flag, and the submissions that met it."""

    what: str
    members: tuple[ClassEntry, ...]


class Spent(msgspec.Struct, frozen=True, kw_only=True):
    """Times in seconds, over what was graded."""

    total: float
    median: float
    slowest: tuple[tuple[ClassEntry, float], ...]
    limits: tuple[Met, ...]
    flags: tuple[Met, ...]


def spent_on(report: ClassReport) -> Spent | None:
    """Return what grading took, or None when nothing was graded."""
    graded = {record.id: record for record in report.graded}
    pairs = [(member, graded[member.id]) for member in report.members if member.id in graded]
    if not pairs:
        return None
    times = [(member, record.seconds) for member, record in pairs]
    return Spent(
        total=sum(seconds for _, seconds in times),
        median=statistics.median(seconds for _, seconds in times),
        slowest=tuple(sorted(times, key=lambda time: -time[1])[:SLOWEST]),
        limits=_met((limit, member) for member, record in pairs for limit in record.limits),
        flags=_met((title, member) for member, record in pairs for title in sorted({f.title for f in record.flags})),
    )


def _met(found: Iterable[tuple[str, ClassEntry]]) -> tuple[Met, ...]:
    by_name: defaultdict[str, list[ClassEntry]] = defaultdict(list)
    for name, member in found:
        by_name[name].append(member)
    met = [Met(name, tuple(members)) for name, members in by_name.items()]
    return tuple(sorted(met, key=lambda one: (-len(one.members), one.what)))
