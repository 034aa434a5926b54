"""Where the values of a graph stand: in layers, from the inputs to the output, with few crossings.

Layers by the longest way from the inputs, order by barycentres, places by their neighbours' mean: Sugiyama's method. An
arrow across several layers gets a place in each of them, so that it passes between the values and not behind them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

_ROUNDS = 12


@dataclass(frozen=True)
class Layout:
    """The layer of each value, where its middle is within the layer, and where long arrows pass the layers between."""

    layers: tuple[int, ...]
    middles: tuple[float, ...]
    passages: dict[tuple[int, int], tuple[float, ...]]  # (parent, child) → the middle in each layer between them
    extent: float


def layout_of(parents: Sequence[Sequence[int]], sizes: Sequence[float], gap: float, passage: float) -> Layout:
    """Place values, each after its parents, that take `sizes` within their layers; a long arrow takes `passage`."""
    layers = _layers(parents)
    points = list(layers)  # of values, then of passages: the layer of each
    width = list(sizes)
    links: list[tuple[int, int]] = []  # between points of neighbouring layers
    chains: dict[tuple[int, int], list[int]] = {}
    for child, above in enumerate(parents):
        for parent in dict.fromkeys(above):
            chain = list(range(len(points), len(points) + layers[child] - layers[parent] - 1))
            points += range(layers[parent] + 1, layers[child])
            width += [passage] * len(chain)
            chains[parent, child] = chain
            links += pairwise([parent, *chain, child])
    rows = _ordered([[p for p in range(len(points)) if points[p] == n] for n in range(max(points) + 1)], links)
    middles = _placed(rows, links, width, gap)
    low = min(m - w / 2 for m, w in zip(middles, width, strict=True))
    high = max(m + w / 2 for m, w in zip(middles, width, strict=True))
    middles = [m - low for m in middles]
    passages = {ends: tuple(middles[p] for p in chain) for ends, chain in chains.items()}
    return Layout(tuple(layers), tuple(middles[: len(layers)]), passages, high - low)


def _layers(parents: Sequence[Sequence[int]]) -> list[int]:
    """Return the longest way from an input to each value; an input stands just before its first use."""
    layers: list[int] = []
    for above in parents:
        layers.append(max((layers[p] + 1 for p in above), default=0))
    for place, above in enumerate(parents):
        uses = [layers[child] for child, its in enumerate(parents) if place in its]
        if not above and uses:
            layers[place] = min(uses) - 1
    return layers


def _neighbours(links: Sequence[tuple[int, int]], forward: bool) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for a, b in links:
        found.setdefault(b if forward else a, []).append(a if forward else b)
    return found


def _ordered(rows: list[list[int]], links: Sequence[tuple[int, int]]) -> list[list[int]]:
    """Return the rows in the order with the fewest crossings that was found."""
    best, fewest = rows, _crossings(rows, links)
    for n in range(_ROUNDS):
        near = _neighbours(links, forward=n % 2 == 0)
        current = [list(row) for row in rows]
        for row in current if n % 2 == 0 else reversed(current):
            at = {point: i for line in current for i, point in enumerate(line)}
            means = {p: sum(at[q] for q in near[p]) / len(near[p]) if p in near else float(at[p]) for p in row}
            row.sort(key=lambda p, means=means: means[p])  # type: ignore[misc]
        rows = current
        if (crossings := _crossings(rows, links)) < fewest:
            best, fewest = rows, crossings
    return best


def _crossings(rows: list[list[int]], links: Sequence[tuple[int, int]]) -> int:
    at = {point: (n, i) for n, row in enumerate(rows) for i, point in enumerate(row)}
    ends = [(at[a][0], at[a][1], at[b][1]) for a, b in links]
    return sum(
        layer == other and (a - c) * (b - d) < 0
        for i, (layer, a, b) in enumerate(ends)
        for other, c, d in ends[i + 1 :]
    )


def _placed(rows: list[list[int]], links: Sequence[tuple[int, int]], width: Sequence[float], gap: float) -> list[float]:
    """Return the middle of every point: near those it is linked to, and clear of those beside it."""
    middles = [0.0] * len(width)
    for row in rows:
        _spread(row, [0.0] * len(row), width, gap, middles)
    back, ahead = _neighbours(links, forward=True), _neighbours(links, forward=False)
    for n in range(2 * _ROUNDS):
        for row in rows if n % 2 == 0 else reversed(rows):
            near = [[*back.get(p, ()), *ahead.get(p, ())] for p in row]
            wanted = [
                sum(middles[q] for q in its) / len(its) if its else middles[p] for p, its in zip(row, near, strict=True)
            ]
            _spread(row, wanted, width, gap, middles)
    return middles


def _spread(
    row: Sequence[int], wanted: Sequence[float], width: Sequence[float], gap: float, middles: list[float]
) -> None:
    """Place a row as near to `wanted` as its order and its gaps allow: halfway between pushing down and pushing up."""
    apart = [(width[p] + width[q]) / 2 + gap for p, q in pairwise(row)]
    down, up = list(wanted), list(wanted)
    for i, least in enumerate(apart):
        down[i + 1] = max(down[i + 1], down[i] + least)
    for i in reversed(range(len(apart))):
        up[i] = min(up[i], up[i + 1] - apart[i])
    for point, a, b in zip(row, down, up, strict=True):
        middles[point] = (a + b) / 2
