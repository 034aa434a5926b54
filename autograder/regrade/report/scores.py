"""How the scores of a class are spread."""

from __future__ import annotations

import statistics
from collections.abc import Sequence

import msgspec

from ..records.class_report import ClassReport

BINS = 20


class Bin(msgspec.Struct, frozen=True):
    """How many scores lie from `low` up to `high`: below it, and in the last bin at it too."""

    low: float
    high: float
    count: int


class Scores(msgspec.Struct, frozen=True, kw_only=True):
    """The scores of all that was graded, at least one; points are out of `possible`."""

    count: int
    possible: float
    mean: float
    median: float
    lower: float  # a quarter of the scores is not above it
    upper: float  # a quarter is not below it
    full: int  # how many have every point
    none: int  # how many have no point
    bins: tuple[Bin, ...]


def scores_of(report: ClassReport) -> Scores | None:
    """Return how the scores are spread, or None when nothing was graded or nothing is worth points."""
    earned = [record.score.earned for record in report.graded() if record.score]
    possible = sum(test.points for test in report.run.tests if test.scored)
    if not earned or not possible:
        return None
    quarters = statistics.quantiles(earned, n=4, method="inclusive") if len(earned) > 1 else earned * 3
    return Scores(
        count=len(earned),
        possible=possible,
        mean=statistics.fmean(earned),
        median=statistics.median(earned),
        lower=quarters[0],
        upper=quarters[2],
        full=sum(points >= possible for points in earned),
        none=sum(points == 0 for points in earned),
        bins=_bins(earned, possible),
    )


def _bins(earned: Sequence[float], possible: float) -> tuple[Bin, ...]:
    places = [min(int(points / possible * BINS), BINS - 1) for points in earned]
    edges = [possible * edge / BINS for edge in range(BINS + 1)]
    return tuple(Bin(edges[place], edges[place + 1], places.count(place)) for place in range(BINS))
