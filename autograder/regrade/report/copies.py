"""Which submissions hold the same program: the same but for comments, docstrings and layout."""

from __future__ import annotations

from collections import defaultdict

import msgspec

from ..records.class_report import ClassEntry, ClassReport, Record


class Copies(msgspec.Struct, frozen=True):
    """Submissions whose scored modules say the same: a reason to look, and no verdict."""

    members: tuple[ClassEntry, ...]
    points: float


def copies_in(report: ClassReport) -> tuple[Copies, ...]:
    """Return the groups of two and more, the largest first, then in the order of the class."""
    groups: defaultdict[str, list[tuple[ClassEntry, Record]]] = defaultdict(list)
    for member in report.members:
        record = report.records.get(member.id)
        if record is not None and record.source:
            groups[record.source].append((member, record))
    found = [
        Copies(tuple(member for member, _ in group), max(r.score.earned if r.score else 0.0 for _, r in group))
        for group in groups.values()
        if len(group) > 1
    ]
    return tuple(sorted(found, key=lambda copies: -len(copies.members)))
