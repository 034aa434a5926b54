"""What is asked of the process that compares, and what it answers."""

from __future__ import annotations

import msgspec


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """The programs of a class, and what was given to everybody."""

    texts: tuple[str, ...]
    given: tuple[str, ...]
    least: float  # a pair that has less in common is not named
    most: int  # pairs, the most similar first


class Pair(msgspec.Struct, frozen=True, kw_only=True):
    """Two programs, by their places in the question, and the lines of each that the other has too."""

    one: int
    other: int
    share: float  # of their own passages that they have in common, from 0 to 1: the mean of both
    lines: tuple[int, ...]  # of the one, from 1 on
    other_lines: tuple[int, ...]


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """All pairs that have at least as much in common as was asked for."""

    pairs: tuple[Pair, ...]
    above: int  # how many there are, whether named or not
    typical: float  # the median share of fingerprints over all pairs
    compared: int  # programs that are long enough to be compared
