"""pyproject.toml as a person writes it: its table [tool.autograder], and the line on which anything in it stands."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .errors import AssignmentError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

Key = str | int  # of a table, or the place in a list
TABLE = ("tool", "autograder")
_NAMES = r"""[\w-]+|"[^"]*"|'[^']*'"""
_DOTTED = rf"(?:{_NAMES})(?:\s*\.\s*(?:{_NAMES}))*"
_HEADER = re.compile(rf"\s*(?P<open>\[\[?)\s*(?P<names>{_DOTTED})\s*\]\]?\s*(?:#.*)?$")
_KEY = re.compile(rf"\s*(?P<names>{_DOTTED})\s*=")


def read_table(file: Path) -> dict[str, Any]:
    """Return the table [tool.autograder] of a file; raise AssignmentError, with the line if it has one, without it."""
    try:
        found: dict[str, Any] = tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise AssignmentError(f"{file} does not exist; it must hold a [tool.autograder] table") from None
    except UnicodeDecodeError:
        raise AssignmentError(f"{file} is not written in UTF-8: save it as that") from None
    except tomllib.TOMLDecodeError as problem:
        what, _, where = str(problem).partition(" (at line ")
        line = re.match(r"\d+", where)
        hint = "; the same key, or the same table, stands there twice" if "overwrite" in what or "twice" in what else ""
        raise AssignmentError(f"{file}{f':{line[0]}' if line else ''} is not valid TOML: {what}{hint}") from None
    for name in TABLE:
        found = found.get(name, {})
    if not found:
        raise AssignmentError(f"{file} has no [tool.autograder] table")
    return found


def place(file: Path, path: tuple[Key, ...]) -> str:
    """Return the file and the line of what stands at `path` below [tool.autograder]; without a line if it is nowhere.

    What is not there itself, since it is missing or part of a longer line, has the line of what holds it.
    """
    wanted, best, line = (*TABLE, *path), 0, 0
    for number, known in _lines(file.read_text("utf-8")):
        if len(known) > best and known == wanted[: len(known)]:
            best, line = len(known), number
    return f"{file}:{line}" if line else str(file)


def _lines(text: str) -> Iterator[tuple[int, tuple[Key, ...]]]:
    """Yield the number of each line that begins a table or a key, and the path of that."""
    table: tuple[Key, ...] = ()
    many: dict[tuple[Key, ...], int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if header := _HEADER.match(line):
            names = _split(header["names"])
            if header["open"] == "[[":
                many[names] = many.get(names, -1) + 1
            # A table within the latest of several tables of one name: [suites.x] after [[suites]].
            table = ()
            for name in names:
                table += (name,)
                table += (many[table],) if table in many else ()
            yield number, table
        elif key := _KEY.match(line):
            yield number, table + _split(key["names"])


def _split(names: str) -> tuple[Key, ...]:
    return tuple(each.strip("\"'") for each in re.findall(_NAMES, names))
