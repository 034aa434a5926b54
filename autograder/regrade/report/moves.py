"""What changed against the grades that a class had before."""

from __future__ import annotations

import heapq
import statistics
from collections import Counter
from collections.abc import Iterator
from itertools import groupby

import msgspec

from ..records.class_report import ClassEntry, ClassReport
from ..records.comparison import TOTAL, Change, changes

MOST = 100  # that are kept to be shown


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
    changed: int  # how many have other points than before, in all or on a test
    up: int
    down: int
    mean: float  # of the changes
    moves: tuple[Move, ...]  # the largest first, at most MOST
    tests: tuple[TestMove, ...]  # the most changed first


def moves_of(report: ClassReport) -> Moves | None:
    """Return what changed, or None if there is nothing to compare with."""
    old = {member.id for member in report.members if member.old is not None}
    compared = sum(record.id in old for record in report.graded())
    if not compared:
        return None
    won, lost = Counter[str](), Counter[str]()
    by: list[float] = []

    def counted() -> Iterator[Move]:
        for _, group in groupby(changes(report), lambda change: change.member.id):
            move = _move(report, list(group))
            by.append(move.by)
            for change in move.tests:
                (won if (change.new or 0.0) > (change.old or 0.0) else lost)[change.test] += 1
            yield move

    largest = heapq.nsmallest(MOST, counted(), key=lambda move: -abs(move.by))  # of equal ones the first
    titles = {test.id: test.title for test in report.run.tests}
    return Moves(
        compared=compared,
        changed=len(by),
        up=sum(points > 0 for points in by),
        down=sum(points < 0 for points in by),
        mean=statistics.fmean(by) if by else 0.0,
        moves=tuple(largest),
        tests=tuple(
            TestMove(title=titles.get(test, test), won=won[test], lost=lost[test])
            for test in sorted(won | lost, key=lambda test: (-won[test] - lost[test], test))
        ),
    )


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
