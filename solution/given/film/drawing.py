# Copied by `autograder starter` from autograder/film/drawing.py: edit that file.
"""The graph of a program as SVG: a box for each value, an arrow with the local derivative for each use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise

from .graph import Box, Held, arrows_of, number
from .layout import Layout, layout_of

_HEIGHT, _LEAST_WIDTH, _MOST_WIDTH = 84.0, 148.0, 236.0
_CHARACTER = 7.6  # about as wide as one of a formula
_MARGIN = 14.0
_STYLE = """
svg { color-scheme: light dark; --paper: #fff; --card: #f4f6f8; --ink: #1c2126; --quiet: #56606a; --line: #9aa5b1;
  --flow: #1f5fa8; --bad: #b3261e; font-family: system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
@media (prefers-color-scheme: dark) { svg { --paper: #15181c; --card: #1e2329; --ink: #e5e8eb; --quiet: #a4aeb8;
  --line: #66717d; --flow: #8abcf5; --bad: #ff9a90; } }
.paper { fill: var(--paper); }
.caption { fill: var(--ink); font-size: 15px; text-anchor: middle; }
"""
SHAPES = """
.card { fill: var(--card); stroke: var(--line); }
.box text { fill: var(--ink); font-size: 14px; }
.box .formula { font-size: 15px; }
.box .name { font-weight: 700; }
.box .tag { fill: var(--quiet); font-size: 12.5px; }
.box .number { text-anchor: end; font-variant-numeric: tabular-nums; }
.box .grad { fill: var(--flow); font-weight: 600; }
.rule { stroke: var(--line); stroke-opacity: 0.5; }
.arrow path { fill: none; stroke: var(--line); stroke-width: 1.5; }
.arrow .tip { fill: var(--line); stroke: none; }
.arrow text { fill: var(--ink); font-size: 13px; text-anchor: middle; paint-order: stroke; stroke: var(--paper);
  stroke-width: 5px; stroke-linejoin: round; }
"""


@dataclass(frozen=True)
class Mark:
    """What a drawing points at: a value whose number changed, the arrows along which it came, and what was expected."""

    place: int | None = None
    attribute: str = ""
    arrows: tuple[int, ...] = ()
    expected: str = ""
    is_wrong: bool = False
    says: str = ""  # what it means, for who cannot see it

    def of_box(self, place: int) -> str:
        """Return the further classes of a box."""
        return f" {'wrong' if self.is_wrong else 'changed'} on-{self.attribute}" if place == self.place else ""

    def of_arrow(self, i: int) -> str:
        """Return the further classes of an arrow."""
        return f" flow{' wrong' if self.is_wrong else ''}" if i in self.arrows else ""


@dataclass(frozen=True)
class _Plan:
    """Where the boxes are, and how to go from the layout's two directions to x and y."""

    upright: bool
    layout: Layout
    sizes: tuple[tuple[float, float], ...]  # width and height of each box
    starts: tuple[float, ...]  # of each layer
    depths: tuple[float, ...]

    def xy(self, along: float, across: float) -> tuple[float, float]:
        return (across, along) if self.upright else (along, across)

    def box(self, place: int) -> tuple[float, float]:
        """Return the left upper corner of a box."""
        layer = self.layout.layers[place]
        width, height = self.sizes[place]
        x, y = self.xy(self.starts[layer] + self.depths[layer] / 2, self.layout.middles[place])
        return x - width / 2, y - height / 2


def svg_of(  # noqa: PLR0913 - the graph, its numbers, and how it is shown
    boxes: Sequence[Box],
    data: Sequence[Held],
    grads: Sequence[Held],
    title: str,
    *,
    upright: bool = False,
    caption: str | None = None,
    mark: Mark = Mark(),
) -> str:
    """Return the graph with the numbers that an engine holds, from left to right or `upright` from top to bottom.

    `mark` is pointed at. With a `caption` below it, even an empty one, it brings its own style; without one it is part
    of a page, whose style has SHAPES.
    """
    plan = _plan(boxes, upright=upright)
    along = plan.starts[-1] + plan.depths[-1]
    width, height = plan.xy(along, plan.layout.extent)
    whole = f"{-_MARGIN:g} {-_MARGIN:g} {width + 2 * _MARGIN:.0f} {height + 2 * _MARGIN + 18:.0f}"
    size = f'width="{width + 2 * _MARGIN:.0f}" height="{height + 2 * _MARGIN + 18:.0f}"'
    own = [
        f"<style>{_STYLE}{SHAPES}</style>",
        f'<rect class="paper" x="{-_MARGIN:g}" y="{-_MARGIN:g}" {size}/>',
        f'<text class="caption" x="{width / 2:.1f}" y="{height + 18:.1f}">{escape(caption or "")}</text>',
    ]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{whole}" {size} role="img">',
        f"<title>{escape(title)}</title>",
        *([f"<desc>{escape(mark.says)}</desc>"] if mark.says else []),
        *(own if caption is not None else []),
        *_arrows(boxes, plan, mark),
        *(_box(place, box, plan, data[place], grads[place], mark) for place, box in enumerate(boxes)),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def width_of(boxes: Sequence[Box]) -> float:
    """Return how wide the graph is from left to right, in pixels."""
    plan = _plan(boxes, upright=False)
    return plan.starts[-1] + plan.depths[-1] + 2 * _MARGIN


def _plan(boxes: Sequence[Box], *, upright: bool) -> _Plan:
    sizes = tuple((_width(box), _HEIGHT) for box in boxes)
    across = [size[0 if upright else 1] for size in sizes]
    layout = layout_of([box.operands for box in boxes], across, 16.0 if upright else 26.0, 34.0)
    depths = [0.0] * (max(layout.layers) + 1)
    for place, layer in enumerate(layout.layers):
        depths[layer] = max(depths[layer], sizes[place][1 if upright else 0])
    starts, at = [], 0.0
    for depth in depths:
        starts.append(at)
        at += depth + (64.0 if upright else 92.0)
    return _Plan(upright, layout, sizes, tuple(starts), tuple(depths))


def _width(box: Box) -> float:
    return min(max(_LEAST_WIDTH, len(f"{box.name} = {box.formula}") * _CHARACTER + 24), _MOST_WIDTH)


def _box(place: int, box: Box, plan: _Plan, data: Held, grad: Held, mark: Mark) -> str:
    """Return a value as a card: how it is made, its number, its gradient; and room for what was expected."""
    x, y = plan.box(place)
    width, height = plan.sizes[place]
    most = int((width - 24) / _CHARACTER) - len(box.name) - 3
    formula = box.formula if len(box.formula) <= most + 1 else f"{box.formula[:most]}…"
    kind = "inner" if box.operands else "leaf"
    expected = f"expected {mark.expected}" if mark.expected and place == mark.place else ""
    return (
        f'<g class="box {kind}{mark.of_box(place)}" data-place="{place}" transform="translate({x:.1f} {y:.1f})">'
        f'<rect class="card" width="{width:.1f}" height="{height:g}" rx="10"/>'
        f'<text class="formula" x="12" y="23"><tspan class="name">{escape(box.name)}</tspan> = {escape(formula)}</text>'
        f'<line class="rule" x1="0" x2="{width:.1f}" y1="34" y2="34"/>'
        f'<text class="tag" x="12" y="53">data</text>'
        f'<text class="number data" x="{width - 12:.1f}" y="53">{number(data)}</text>'
        f'<text class="tag" x="12" y="73">grad</text>'
        f'<text class="number grad" x="{width - 12:.1f}" y="73">{number(grad)}</text>'
        f'<text class="expected" x="{width / 2:.1f}" y="{height + 16:g}">{escape(expected)}</text></g>'
    )


def _arrows(boxes: Sequence[Box], plan: _Plan, mark: Mark) -> list[str]:
    arrows = arrows_of(boxes)
    ends = []  # of each arrow: where it passes right after its start, and right before its end
    for arrow in arrows:
        between = plan.layout.passages[arrow.parent, arrow.child]
        first, last = (
            (between[0], between[-1])
            if between
            else (plan.layout.middles[arrow.child], plan.layout.middles[arrow.parent])
        )
        ends.append((first, last))
    drawn = []
    for i, arrow in enumerate(arrows):
        leaving = sorted((j for j, a in enumerate(arrows) if a.parent == arrow.parent), key=lambda j: (ends[j][0], j))
        coming = sorted((j for j, a in enumerate(arrows) if a.child == arrow.child), key=lambda j: (ends[j][1], j))
        start = _port(plan, arrow.parent, leaving.index(i), len(leaving))
        end = _port(plan, arrow.child, coming.index(i), len(coming))
        stops = _stops(plan, arrow.parent, arrow.child, start, end)
        drawn.append(_arrow(i, plan, stops, number(arrow.slope, 4), mark.of_arrow(i)))
    return drawn


def _port(plan: _Plan, place: int, which: int, many: int) -> float:
    """Return where within its side of a box the arrow `which` of `many` begins or ends."""
    side = plan.sizes[place][0 if plan.upright else 1]
    return plan.layout.middles[place] + side * 0.72 * ((which + 0.5) / many - 0.5)


def _stops(plan: _Plan, parent: int, child: int, start: float, end: float) -> list[tuple[float, float]]:
    """Return the points that an arrow goes through, as pairs of along and across: in and out of each layer."""
    first, last = plan.layout.layers[parent], plan.layout.layers[child]
    extent = plan.sizes[parent][1 if plan.upright else 0], plan.sizes[child][1 if plan.upright else 0]
    stops = [(plan.starts[first] + (plan.depths[first] + extent[0]) / 2, start)]
    for layer, across in zip(range(first + 1, last), plan.layout.passages[parent, child], strict=True):
        stops += [(plan.starts[layer], across), (plan.starts[layer] + plan.depths[layer], across)]
    return [*stops, (plan.starts[last] + (plan.depths[last] - extent[1]) / 2 - 7, end)]


def _arrow(i: int, plan: _Plan, stops: Sequence[tuple[float, float]], label: str, classes: str) -> str:
    path = "M{:.1f} {:.1f}".format(*plan.xy(*stops[0]))
    for n, (a, b) in enumerate(pairwise(stops)):
        middle = (a[0] + b[0]) / 2
        corners = [plan.xy(middle, a[1]), plan.xy(middle, b[1]), plan.xy(*b)]
        path += (
            " C" + " ".join(f"{x:.1f} {y:.1f}" for x, y in corners)
            if n % 2 == 0
            else " L{:.1f} {:.1f}".format(*plan.xy(*b))
        )
    along, across = stops[-1]
    tip = [plan.xy(along + 7, across), plan.xy(along - 2, across - 4.5), plan.xy(along - 2, across + 4.5)]
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in tip)
    (left, high), (right, low) = stops[-2:]
    x, y = plan.xy(left + (right - left) * 0.56, high + (low - high) * 0.62)
    return (
        f'<g class="arrow{classes}" data-arrow="{i}"><path d="{path}"/><polygon class="tip" points="{points}"/>'
        f'<text x="{x:.1f}" y="{y + 4.5:.1f}">{label}</text></g>'
    )
