"""Two charts in plain SVG, which follow the reader's light or dark theme."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

WIDTH, LEFT, RIGHT, ROW = 760, 170, 90, 26
_STYLE = """
  <style>
    text { font: 13px system-ui, sans-serif; fill: #1c2126; }
    .quiet { fill: #56606a; }
    .bar { fill: #9aa7b4; }
    .ours { fill: #1f5fa8; }
    .line { fill: none; stroke: #1f5fa8; stroke-width: 2; }
    .grid { stroke: #d3d9df; stroke-width: 1; }
    @media (prefers-color-scheme: dark) {
      text { fill: #e5e8eb; }
      .quiet { fill: #a4aeb8; }
      .bar { fill: #6c7884; }
      .ours { fill: #8abcf5; }
      .line { stroke: #8abcf5; }
      .grid { stroke: #3a424b; }
    }
  </style>"""


def bars(title: str, rows: Mapping[str, float], *, ours: str, unit: str) -> str:
    """Return a bar for each row, as long as the logarithm of its number says: a factor of ten is always as wide."""
    low = min(1.0, *rows.values()) / 1.5
    high = max(rows.values())
    room = WIDTH - LEFT - RIGHT
    parts = []
    for place, (name, number) in enumerate(rows.items()):
        y = 40 + place * ROW
        wide = room * math.log(number / low) / math.log(high / low)
        kind = "ours" if name == ours else "bar"
        parts += [
            f'<text x="{LEFT - 10}" y="{y + 15}" text-anchor="end">{escape(name)}</text>',
            f'<rect class="{kind}" x="{LEFT}" y="{y}" width="{wide:.1f}" height="{ROW - 6}" rx="2"/>',
            f'<text x="{LEFT + wide + 8:.1f}" y="{y + 15}">{number:.3g} {escape(unit)}</text>',
        ]
    return _svg(title, 50 + len(rows) * ROW, parts)


def curves(title: str, lines: Sequence[Mapping[str, Any]]) -> str:
    """Return a small chart for each line, seconds against their cause, both logarithmic."""
    across, wide, high = 3, WIDTH // 3, 190
    parts: list[str] = []
    for place, line in enumerate(lines):
        x, y = (place % across) * wide, 40 + (place // across) * high
        parts += _curve(line, x + 48, y + 24, wide - 70, high - 66)
    rows = math.ceil(len(lines) / across)
    return _svg(title, 50 + rows * high, parts)


def _curve(line: Mapping[str, Any], x: float, y: float, wide: float, high: float) -> Iterator[str]:
    points = [(point["at"], point["seconds"]) for point in line["points"]]
    xs, ys = ([math.log10(pair[place]) for pair in points] for place in (0, 1))
    low, top = math.floor(min(ys)), math.ceil(max(ys))
    top = max(top, low + 1)

    def spot(a: float, b: float) -> str:
        across = (a - xs[0]) / (xs[-1] - xs[0])
        return f"{x + wide * across:.1f},{y + high * (top - b) / (top - low):.1f}"

    yield f'<text x="{x}" y="{y - 8}">{escape(line["name"])}</text>'
    for power in range(low, top + 1):
        height = y + high * (top - power) / (top - low)
        yield f'<line class="grid" x1="{x}" x2="{x + wide}" y1="{height:.1f}" y2="{height:.1f}"/>'
        yield f'<text class="quiet" x="{x - 6}" y="{height + 4:.1f}" text-anchor="end">{10.0**power:g} s</text>'
    yield f'<polyline class="line" points="{" ".join(spot(a, b) for a, b in zip(xs, ys, strict=True))}"/>'
    for a, b in zip(xs, ys, strict=True):
        left, _, upper = spot(a, b).partition(",")
        yield f'<circle class="ours" cx="{left}" cy="{upper}" r="3"/>'
    for at, anchor, place in ((points[0][0], "start", x), (points[-1][0], "end", x + wide)):
        yield f'<text class="quiet" x="{place}" y="{y + high + 18}" text-anchor="{anchor}">{at:,}</text>'


def _svg(title: str, height: float, parts: Sequence[str]) -> str:
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.0f}" role="img">\n'
        f"  <title>{escape(title)}</title>{_STYLE}\n"
        f'  <text x="0" y="18" font-weight="600">{escape(title)}</text>\n'
    )
    return head + "".join(f"  {part}\n" for part in parts) + "</svg>\n"
