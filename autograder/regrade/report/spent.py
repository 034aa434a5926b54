"""What grading a class took, which limits were met, and what staff should look at."""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Mapping

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
    """Return what grading took, or None if nothing was graded."""
    times: list[tuple[ClassEntry, float]] = []
    limits: defaultdict[str, list[ClassEntry]] = defaultdict(list)
    flags: defaultdict[str, list[ClassEntry]] = defaultdict(list)
    for member, record in report.pairs():
        if record.problem:
            continue
        times.append((member, record.seconds))
        for limit in record.limits:
            limits[limit].append(member)
        for title in {flag.title for flag in record.flags}:
            flags[title].append(member)
    if not times:
        return None
    return Spent(
        total=sum(seconds for _, seconds in times),
        median=statistics.median(seconds for _, seconds in times),
        slowest=tuple(sorted(times, key=lambda time: -time[1])[:SLOWEST]),
        limits=_met(limits),
        flags=_met(flags),
    )


def _met(by_name: Mapping[str, list[ClassEntry]]) -> tuple[Met, ...]:
    met = [Met(name, tuple(members)) for name, members in by_name.items()]
    return tuple(sorted(met, key=lambda one: (-len(one.members), one.what)))
