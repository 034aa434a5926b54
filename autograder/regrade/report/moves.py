"""What changed against the grades that a class had before."""

from __future__ import annotations

import statistics
from collections import Counter
from itertools import groupby

import msgspec

from ..records.class_report import ClassEntry, ClassReport
from ..records.comparison import TOTAL, Change, changes


class Move(msgspec.Struct, frozen=True, kw_only=True):
    """One submission whose points are not what they were; None is a score that there was not."""

    member: ClassEntry
    old: float | None
    new: float | None
    tests: tuple[Change, ...]  # that changed, where the old results knew tests

    @property
    def by(self) -> float:
        """Return the points won; below zero, lost."""
        return (self.new or 0.0) - (self.old or 0.0)


class TestMove(msgspec.Struct, frozen=True, kw_only=True):
    """One test, and how many submissions won or lost points on it."""

    __test__ = False  # pytest would collect it for its name

    title: str
    won: int
    lost: int


class Moves(msgspec.Struct, frozen=True, kw_only=True):
    """What changed in a class of which `compared` submissions had old grades."""

    compared: int
    moves: tuple[Move, ...]  # the largest first
    tests: tuple[TestMove, ...]  # the most changed first

    @property
    def up(self) -> int:
        """Return how many submissions have more points than before."""
        return sum(move.by > 0 for move in self.moves)

    @property
    def down(self) -> int:
        """Return how many submissions have fewer points than before."""
        return sum(move.by < 0 for move in self.moves)

    @property
    def mean(self) -> float:
        """Return the mean change of the submissions whose points changed."""
        return statistics.fmean(move.by for move in self.moves) if self.moves else 0.0


def moves_of(report: ClassReport) -> Moves | None:
    """Return what changed, or None when there is nothing to compare with."""
    old = {member.id: member.old for member in report.members if member.old is not None}
    compared = [record for record in report.graded if record.id in old]
    if not compared:
        return None
    found = [_move(report, list(group)) for _, group in groupby(changes(report), lambda change: change.member.id)]
    titles = {test.id: test.title for test in report.run.tests}
    won: Counter[str] = Counter()
    lost: Counter[str] = Counter()
    for move in found:
        for change in move.tests:
            (won if (change.new or 0.0) > (change.old or 0.0) else lost)[change.test] += 1
    tests = [
        TestMove(title=titles.get(test, test), won=won[test], lost=lost[test])
        for test in sorted(won | lost, key=lambda test: (-won[test] - lost[test], test))
    ]
    return Moves(compared=len(compared), moves=tuple(sorted(found, key=lambda move: -abs(move.by))), tests=tuple(tests))


def _move(report: ClassReport, found: list[Change]) -> Move:
    """Return the changes of one submission; those of a group's other people say the same."""
    member = found[0].member
    record = report.records[member.id]
    own = {change.test: change for change in found if change.person == found[0].person}
    return Move(
        member=member,
        old=member.old.score if member.old else None,
        new=record.score.earned if record.score else None,
        tests=tuple(change for test, change in own.items() if test != TOTAL),
    )
