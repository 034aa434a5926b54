# Copied by `autograder starter` from autograder/diagnosis/reasoning/drawing.py: edit that file.
"""A little graph in text: one line for each node, with its value and its gradient, and a mark where one is wrong."""

from __future__ import annotations

from .found import Evidence
from .program import LEAF, Node, Place, TracedProgram, symbol
from .reference import Reference, close
from .scene import Scene

MOST_NODES = 12
MOST_EVIDENCE = 3


def name_of(place: Place) -> str:
    """Return what a node is called in a drawing."""
    return f"v{place + 1}"


def number(value: float) -> str:
    """Return a number as it is shown: short, and the same on every machine."""
    return f"{value:.6g}"


def apart(got: float, right: float) -> tuple[str, str]:
    """Return two numbers that differ, with six digits, or as many more as show that they do."""
    for digits in (6, 9, 12):
        shown = f"{got:.{digits}g}", f"{right:.{digits}g}"
        if shown[0] != shown[1]:
            return shown
    return repr(got), repr(right)


def formula(node: Node) -> str:
    """Return how a node is made: `v1 * v2`, `v3.tanh()`."""
    if node.operation == LEAF:
        return f"Value({number(float(node.operands[0]))})"
    operands = [name_of(each) if type(each) is Place else number(float(each)) for each in node.operands]
    if node.operation == "neg":
        return f"-{operands[0]}"
    if len(operands) == 2:
        return f"{operands[0]} {symbol(node.operation)} {operands[1]}"
    return f"{operands[0]}.{node.operation}()"


def of_gradient(node: Node, expected: str, got: str) -> Evidence:
    """Return one gradient that is wrong, with the numbers as they are shown."""
    return Evidence(f"gradient of {name_of(node.place)} = {formula(node)}", expected, got)


def evidence_of(scene: Scene) -> tuple[Evidence, ...]:
    """Return the wrong gradients nearest to the output."""
    wrong = scene.wrong or [place for place in reversed(scene.places) if not scene.is_right(place)]
    shown = {place: apart(scene.held[place], scene.right[place]) for place in wrong[:MOST_EVIDENCE]}
    return tuple(of_gradient(scene.program.nodes[place], expected, got) for place, (got, expected) in shown.items())


def drawing(
    program: TracedProgram,
    places: tuple[Place, ...],
    reference: Reference,
    data: dict[Place, float | None],
    scene: Scene | None,
) -> str:
    """Return the graph of `places` in text; "" for one that is too large or not understood."""
    if len(places) > MOST_NODES or any(place not in reference.values for place in places):
        return ""
    rows = [("", "value", "gradient")]
    for place in places:
        value = _cell(data.get(place), reference.values[place])
        gradient = _cell(scene.held.get(place), scene.right[place]) if scene else ""
        rows.append((f"{name_of(place)} = {formula(program.nodes[place])}", value, gradient))
    widths = [max(len(row[column]) for row in rows) for column in range(2)]
    lines = (f"  {row[0]:<{widths[0]}}  {row[1]:<{widths[1]}}  {row[2]}".rstrip() for row in rows)
    return "\n".join(lines)


def _cell(got: float | None, right: float) -> str:
    """Return what is held, and what is right where that differs."""
    if got is None:
        return "-"
    return number(got) if close(got, right) else "{} (!) expected {}".format(*apart(got, right))
