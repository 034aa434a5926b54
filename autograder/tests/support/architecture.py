"""The picture of the rooms in docs/architecture.md, made from the imports.

`python -m autograder.tests.support.architecture` writes it anew.
"""

from __future__ import annotations

import re
from pathlib import Path

from ..test_layers import MODULES, ROOMS, ours, room_of

PAGE = Path(__file__).parents[3] / "docs" / "architecture.md"
MARKS = re.compile(r"(<!-- imports -->\n)(.*?)(<!-- /imports -->)", re.DOTALL)
NOUNS = ("errors", "installation", "text", "files", "model", "standard_library", "assignment", "local")  # for all
STUDENTS = ("wire", "worker")


def needs() -> dict[str, set[str]]:
    """Return which rooms each room imports from, nouns left out."""
    found: dict[str, set[str]] = {room: set() for room in ROOMS if room not in NOUNS and room != "__main__"}
    for module in MODULES:
        if (room := room_of(module)) in found:
            found[room] |= {room_of(name) for name in ours(module)} & found.keys() - {room}
    return found


def diagram() -> str:
    """Return the rooms as a Mermaid graph. An arrow that a longer way implies is left out."""
    direct = needs()
    reached: dict[str, set[str]] = {}
    for room in (room for room in ROOMS if room in direct):  # what a room imports stands before it
        reached[room] = set().union(*(reached[name] | {name} for name in direct[room]))
    lines = ["```mermaid", "graph BT"]
    for room, names in direct.items():
        short = {name for name in names if not any(name in reached[other] for other in names)}
        lines += [f"  {_id(room)}[{room}]"]
        lines += [f"  {_id(room)} --> {_id(name)}" for name in sorted(short)]
    lines += ["  classDef students stroke-dasharray: 4", f"  class {','.join(STUDENTS)} students", "```"]
    return "\n".join(lines) + "\n"


def shown() -> str:
    """Return the picture that the page has."""
    match = MARKS.search(PAGE.read_text("utf-8"))
    assert match is not None, "docs/architecture.md has lost its marks"
    return match[2]


def _id(room: str) -> str:
    return room.replace(".", "_")


if __name__ == "__main__":
    PAGE.write_text(MARKS.sub(lambda match: match[1] + diagram() + match[3], PAGE.read_text("utf-8")), "utf-8")
