# Copied by `autograder starter` from autograder/film/excerpt.py: edit that file.
"""The lines of an engine's file that a film shows: the functions that changed a number, as the file has them."""

from __future__ import annotations

import ast
import re
import unicodedata
from collections.abc import Collection

MOST_LINES = 240
MOST_CHARACTERS = 160  # of one line
_AROUND = 3  # lines about a line that is in no function


def excerpt_of(source: str, lines: Collection[int]) -> tuple[tuple[int, str], ...]:
    """Return the functions of `source` that `lines` are in: number and text of each line, without the indent."""
    text = re.split(r"\r\n|\r|\n", source.rstrip())  # as Python counts lines: no form feed ends one
    wanted: set[int] = set()
    spans = _functions(source)
    for line in sorted(set(lines)):
        around = [span for span in spans if line in span] or [range(line - _AROUND, line + _AROUND + 1)]
        if len(wanted) < MOST_LINES:
            wanted |= {*min(around, key=len), line}
    shown = [n for n in sorted(wanted) if 1 <= n <= len(text)][:MOST_LINES]
    rows = [plain(text[n - 1]) for n in shown]
    indent = min((len(row) - len(row.lstrip()) for row in rows if row.strip()), default=0)
    return tuple((n, row[indent:]) for n, row in zip(shown, rows, strict=True))


def _functions(source: str) -> list[range]:
    """Return the lines of each function that is not within another; none of what is not Python."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    found = []
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found.append(range(node.lineno, (node.end_lineno or node.lineno) + 1))
        else:
            waiting += ast.iter_child_nodes(node)
    return found


def plain(text: str) -> str:
    """Return text without characters that cannot be seen, or that turn the direction of what follows."""
    text = text.expandtabs(4)
    shown = "".join("�" if unicodedata.category(c) in ("Cc", "Cf", "Co", "Cs", "Zl", "Zp") else c for c in text)
    return shown if len(shown) <= MOST_CHARACTERS else f"{shown[:MOST_CHARACTERS]}…"
