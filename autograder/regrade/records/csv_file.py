"""CSV as spreadsheets write it, and as they may safely open it."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable
from pathlib import Path

from ...errors import AssignmentError
from ...text import one_line
from .output import output_file

MAX_BYTES = 256 << 20
# What begins a formula, in every width and height that a spreadsheet may take for the same.
_STARTS = "=+@＝＋－＠\ufe66\ufe62\ufe63\ufe6b\u207c\u207a\u207b\u208c\u208a\u208b\u2212\\t\\r\\n-"
_FORMULA = re.compile(rf'((?:^|[;|,\t])[\s"]*)(?=[{_STARTS}])')
_GUARDED = re.compile(rf"((?:^|[;|,\t])[\s\"]*)'(?=[{_STARTS}])")


def write_csv(path: Path, rows: Iterable[Iterable[str | float]], *, delimiter: str = ",") -> None:
    """Write rows in one step. An apostrophe stands before what a spreadsheet would run, wherever it splits the line."""
    with output_file(path) as file:
        text = io.TextIOWrapper(file, encoding="utf-8", newline="")
        writer = csv.writer(text, delimiter=delimiter, lineterminator="\n")
        writer.writerows([cell(value) for value in row] for row in rows)
        text.detach()  # flushed, and the file is not closed yet


def cell(value: str | float) -> str:
    """Return a value as a cell: points as 2 or 2.5, text on one line and harmless."""
    if not isinstance(value, str):
        return f"{value:.10g}"
    text = one_line(value, 2000)
    return _FORMULA.sub(r"\1'", text)


def plain(text: str) -> str:
    """Return a cell that was read without the apostrophe that `cell` puts before a formula."""
    return _GUARDED.sub(r"\1", text)


def read_rows(path: Path) -> tuple[list[list[str]], str]:
    """Return the rows of a CSV and its delimiter, whatever a spreadsheet or a browser made of it.

    Raises AssignmentError if it is not text, or holds no header.
    """
    try:
        data = path.read_bytes()
        text = data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
    except OSError as problem:
        raise AssignmentError(f"{path} cannot be read: {problem.strerror}") from None
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    head = text.lstrip().partition("\n")[0]
    delimiter = max(",;\t", key=head.count)
    try:
        rows = [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter) if any(row)]
    except csv.Error as problem:
        raise AssignmentError(f"{path} is not a CSV: {problem}") from None
    if not rows:
        raise AssignmentError(f"{path} is empty")
    return rows, delimiter


def read_table(path: Path) -> list[dict[str, str]]:
    """Return the rows of a CSV by their headers; a row that is too short ends in empty cells."""
    (header, *rows), _ = read_rows(path)
    names = [name.strip() for name in header]
    return [dict(zip(names, [plain(value.strip()) for value in row] + [""] * len(names))) for row in rows]  # noqa: B905 - cells beyond the header have no name
