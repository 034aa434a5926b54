"""Given: draws the graph of a · a + a with the numbers that your engine computes, for `python demo.py graph`."""

from __future__ import annotations

from engine import Value

BOX = '<rect x="{x}" y="{y}" width="150" height="64" rx="8" fill="#fff" stroke="#333"/>'
TEXT = '<text x="{x}" y="{y}" text-anchor="middle">{text}</text>'
ARROW = '<path d="{path}" fill="none" stroke="#333" marker-end="url(#tip)"/>'
LABEL = '<text x="{x}" y="{y}" text-anchor="middle" fill="#a33">{text}</text>'
HEAD = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 680 250" font-family="sans-serif" font-size="15">
<title>The graph of y = a · a + a at a = 3, with values and gradients</title>
<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto">
<path d="M0 0 8 4 0 8z" fill="#333"/></marker></defs>
<rect width="680" height="250" fill="#fff"/>"""


def box(x: int, y: int, name: str, value: Value) -> list[str]:  # given
    """Return a value as a box: its name, its number, its gradient."""
    lines = [f"{name} = {value.data:g}", f"gradient {value.grad:g}"]
    return [
        BOX.format(x=x, y=y),
        *(TEXT.format(x=x + 75, y=y + 26 + 24 * i, text=text) for i, text in enumerate(lines)),
    ]


def drawing() -> str:  # given
    """Return the graph as SVG. An arrow carries the local derivative; backwards, each gradient is multiplied by it."""
    a = Value(3.0)
    p = a * a
    y = p + a
    y.backward()
    parts = [
        *box(20, 90, "a", a),
        *box(265, 30, "p = a · a", p),
        *box(510, 90, "y = p + a", y),
        ARROW.format(path="M170 106 C210 90 215 62 265 54"),
        ARROW.format(path="M170 118 C230 116 225 84 265 78"),
        ARROW.format(path="M415 62 C460 66 465 100 510 110"),
        ARROW.format(path="M170 138 C260 200 420 200 510 138"),
        LABEL.format(x=205, y=66, text=f"{a.data:g}"),
        LABEL.format(x=244, y=118, text=f"{a.data:g}"),
        LABEL.format(x=474, y=74, text="1"),
        LABEL.format(x=340, y=204, text="1"),
        TEXT.format(x=340, y=236, text=f"gradient of a: 3 · {p.grad:g} + 3 · {p.grad:g} + 1 · {y.grad:g} = {a.grad:g}"),
    ]
    return "\n".join([HEAD, *parts, "</svg>", ""])
