"""How the scores of a class are spread."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator, Sequence

import msgspec

from ..records.class_report import ClassReport

BINS = 20  # at most
TICKS = 10  # on the axis, at most
_CLOSE = 1e-9  # of floats that stand for the same number
_ROUND = (1.0, 2.0, 2.5, 5.0, 10.0)


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
    bins: tuple[Bin, ...]  # of a round width each
    ticks: tuple[float, ...]  # round numbers, and all the points that there are


def scores_of(report: ClassReport) -> Scores | None:
    """Return how the scores are spread, or None if nothing was graded or nothing is worth points."""
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
        ticks=tuple(_ticks(possible)),
    )


def _bins(earned: Sequence[float], possible: float) -> tuple[Bin, ...]:
    width = _rounded_up(possible / BINS)
    number = math.ceil(possible / width - _CLOSE)
    places = [min(int(points / width + _CLOSE), number - 1) for points in earned]
    edges = [round(width * edge, 10) for edge in range(number + 1)]
    return tuple(Bin(edges[place], edges[place + 1], places.count(place)) for place in range(number))


def _ticks(possible: float) -> Iterator[float]:
    """Yield the numbers on the axis; the last has room around it."""
    step = _rounded_up(possible / TICKS)
    edges = (round(step * edge, 10) for edge in range(math.ceil(possible / step)))
    yield from (edge for edge in edges if edge <= possible - 0.6 * step)
    yield possible


def _rounded_up(number: float) -> float:
    """Return the least of 1, 2, 2.5, 5 and 10 times a power of ten that is not below `number`."""
    power: float = 10.0 ** math.floor(math.log10(number))
    return next(factor * power for factor in _ROUND if factor * power >= number * (1 - _CLOSE))
