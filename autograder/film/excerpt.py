"""The lines of an engine's file that a film shows: the functions that changed a number, as the file has them.

Functions are found by their indentation. A parser of Python is not asked: of one megabyte that somebody chose it makes
one of memory for each kilobyte, or takes minutes, in the process that grades.
"""

from __future__ import annotations

import bisect
import re
import unicodedata
from collections.abc import Collection, Sequence

MOST_LINES = 240
MOST_CHARACTERS = 160  # of one line
_AROUND = 3  # lines about a line that is in no function
_FUNCTION = re.compile(r"(?:async\s+)?def\b")


def excerpt_of(source: str, lines: Collection[int]) -> tuple[tuple[int, str], ...]:
    """Return the functions of `source` that `lines` are in: number and text of each line, without the indent."""
    text = re.split(r"\r\n|\r|\n", source.rstrip())  # as Python counts lines: no form feed ends one
    wanted: set[int] = set()
    spans = _functions(text)
    starts = [span.start for span in spans]
    for line in sorted(set(lines)):
        which = bisect.bisect_right(starts, line) - 1  # of the functions, the last that begins by then
        inside = which >= 0 and line in spans[which]
        around = spans[which] if inside else range(line - _AROUND, line + _AROUND + 1)
        if len(wanted) < MOST_LINES:
            wanted |= {*around, line}
    shown = [n for n in sorted(wanted) if 1 <= n <= len(text)][:MOST_LINES]
    rows = [plain(text[n - 1]) for n in shown]
    indent = min((len(row) - len(row.lstrip()) for row in rows if row.strip()), default=0)
    return tuple((n, row[indent:]) for n, row in zip(shown, rows, strict=True))


def _functions(lines: Sequence[str]) -> list[range]:
    """Return the numbers of the lines of each function that is not within another, in order."""
    found: list[range] = []
    begin, depth, last = 0, 0, 0  # of the function that is open; 0 if none is
    for number, line in enumerate(lines, start=1):
        text = line.lstrip()
        if not text or text.startswith("#"):
            continue
        indent = len(line) - len(text)
        if begin and indent <= depth and text[0] not in ")]}":  # which may close the parameters of a function
            found.append(range(begin, last + 1))
            begin = 0
        if not begin and _FUNCTION.match(text):
            begin, depth = number, indent
        last = number
    return [*found, range(begin, last + 1)] if begin else found


def plain(text: str) -> str:
    """Return text without characters that cannot be seen, or that turn the direction of what follows."""
    text = text[: MOST_CHARACTERS + 1].expandtabs(4)
    shown = "".join("�" if unicodedata.category(c) in ("Cc", "Cf", "Co", "Cs", "Zl", "Zp") else c for c in text)
    return shown if len(shown) <= MOST_CHARACTERS else f"{shown[:MOST_CHARACTERS]}…"
