"""Which submissions hold the same program: the same but for comments, docstrings and layout."""

from __future__ import annotations

from collections import defaultdict

import msgspec

from ..records.class_report import ClassEntry, ClassReport


class Copies(msgspec.Struct, frozen=True):
    """Submissions whose scored modules say the same: a reason to look, and no verdict."""

    members: tuple[ClassEntry, ...]
    points: float


def copies_in(report: ClassReport) -> tuple[Copies, ...]:
    """Return the groups of two and more, the largest first, then in the order of the class."""
    groups: defaultdict[str, list[tuple[ClassEntry, float]]] = defaultdict(list)
    for member, record in report.pairs():
        if record.source:
            groups[record.source].append((member, record.score.earned if record.score else 0.0))
    found = [
        Copies(tuple(member for member, _ in group), max(points for _, points in group))
        for group in groups.values()
        if len(group) > 1
    ]
    return tuple(sorted(found, key=lambda copies: -len(copies.members)))
