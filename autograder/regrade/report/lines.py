"""A line of somebody's code as an example for everybody: without comments and without what its texts say."""

from __future__ import annotations

_SHOWN = 100  # characters


def anonymous_line(line: str) -> str:
    """Return a line of code on its own, its comment cut off and each text in it shown as "…".

    Read once from left to right, so that no line costs more than its length.
    """
    parts: list[str] = []
    place, line = 0, line.strip()
    while place < len(line):
        mark = line[place]
        if mark == "#":
            break
        if mark in "\"'":
            place = _end_of_text(line, place)
            parts.append('"…"')
        else:
            parts.append(mark)
            place += 1
    text = "".join(parts).strip()
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


def _end_of_text(line: str, start: int) -> int:
    """Return where the text that begins at `start` has ended; one that does not end takes the rest of the line."""
    mark = line[start]
    mark = mark * 3 if line.startswith(mark * 3, start) else mark
    place = start + len(mark)
    while place < len(line):
        if line[place] == "\\":
            place += 2
        elif line.startswith(mark, place):
            return place + len(mark)
        else:
            place += 1
    return len(line)
