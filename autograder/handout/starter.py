"""The starter: the solution without the bodies of its tasks.

`starter_of` turns the text of one file, `write_starter` a whole directory; `stale` says where the two differ.
The line numbers come from `ast` and every other byte is copied, so comments and layout survive.
"""

from __future__ import annotations

import ast
import difflib
import re
from pathlib import Path

import msgspec

from ..errors import AssignmentError
from .copies import copy_of, is_copy, stale_copies
from .tasks import Header, headers_of, refuse

COPIED = frozenset({".md", ".txt", ".toml", ".ini", ".csv", ".png", ".svg"})  # files with no place for an answer
DIFF_LINES = 20  # of each stale file: enough to recognise the change


class Difference(msgspec.Struct, frozen=True):
    """One file of the starter that is not what the solution makes of it, and how it differs."""

    path: Path
    diff: str


def starter_of(source: str, *, file: str) -> str:
    """Return `source` with every task's body replaced by `raise NotImplementedError("task N.M")`.

    Signatures, docstrings and all that is given stay as they are. Raises AssignmentError that names `file` and
    the line of whatever could publish an answer.
    """
    lines = re.findall(r"[^\n]*\n|[^\n]+", source)  # not splitlines, which also breaks at a form feed
    kept: list[str] = []
    position = 0  # how many lines are already copied or cut
    for header in headers_of(source, file=file):
        if header.task is None or header.end <= position:  # given, or inside a body that is gone
            continue
        kept += lines[position : header.end] + _skeleton(header, lines, file)
        position = _end(header, lines)
    return "".join(kept + lines[position:])


def _skeleton(header: Header, lines: list[str], file: str) -> list[str]:
    """Return the lines that follow the header in the starter: the docstring, if any, and the exception."""
    first = header.function.body[0]
    indent = _indent(lines[first.lineno - 1])
    newline = "\r\n" if lines[header.end - 1].endswith("\r\n") else "\n"
    docstring: list[str] = []
    if ast.get_docstring(header.function, clean=False) is not None:
        docstring = lines[first.lineno - 1 : first.end_lineno]
        before = docstring[0].encode()[: first.col_offset]
        after = docstring[-1].encode()[first.end_col_offset :]
        if before.strip() or after.strip():  # it would be published with the docstring
            refuse(file, first.lineno, "something else stands on the docstring's lines: give it a line of its own")
    return [*docstring, f'{indent}raise NotImplementedError("task {header.task}"){newline}']


def _end(header: Header, lines: list[str]) -> int:
    """Return the number of the body's last line; a comment that ends the body, deeper than its def, belongs to it."""
    end = header.function.end_lineno
    assert end is not None  # ast.parse always sets it
    outside = _width(lines[header.function.lineno - 1])
    for number, line in enumerate(lines[end:], start=end + 1):
        if line.strip() and not line.lstrip().startswith("#"):
            break
        if line.strip() and _width(line) > outside:
            end = number
    return end


def _indent(line: str) -> str:
    """Return the blanks that `line` starts with."""
    return line[: len(line) - len(line.lstrip(" \t"))]


def _width(line: str) -> int:
    """Return the column at which the text of `line` starts, counting tabs as Python does."""
    return len(_indent(line).expandtabs())


def write_starter(solution: Path, starter: Path) -> list[Path]:
    """Make `starter` what `solution` says and return the paths that changed, relative to `starter`.

    A file that the solution no longer has is removed. The solution's copies of files of the grader are brought up to
    date first. Raises AssignmentError before anything else is written.
    """
    for path, content in stale_copies(solution).items():
        path.write_bytes(content)
    expected = _starter_files(solution)
    changed = [difference.path for difference in stale(solution, starter)]
    for path in changed:
        target = starter / path
        if path in expected:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(expected[path])
        else:
            target.unlink()
    return changed


def stale(solution: Path, starter: Path) -> list[Difference]:
    """Return the files of `starter` that are not what `solution` makes of them, sorted by path."""
    expected = _starter_files(solution)
    found = {path: (starter / path).read_bytes() for path in _files(starter)}
    return [
        Difference(path, _diff(path, found.get(path), expected.get(path)))
        for path in sorted(expected.keys() | found.keys())
        if found.get(path) != expected.get(path)
    ]


def _diff(path: Path, found: bytes | None, expected: bytes | None) -> str:
    """Return a short account of how a file of the starter differs from what it should be."""
    if found is None or expected is None:
        return f"{path}: not in the {'starter' if found is None else 'solution'}"
    old, new = (content.decode(errors="replace").splitlines() for content in (found, expected))
    lines = list(difflib.unified_diff(old, new, f"{path} (as it is)", f"{path} (as it should be)", n=1, lineterm=""))
    more = [f"… and {len(lines) - DIFF_LINES} lines more"] if len(lines) > DIFF_LINES else []
    return "\n".join(lines[:DIFF_LINES] + more) or f"{path}: only the line endings differ"


def _starter_files(solution: Path) -> dict[Path, bytes]:
    """Return the content of every file of the starter, by path relative to it."""
    if not solution.is_dir():
        raise AssignmentError(f"{solution} is not a directory: the starter is made from it")
    return {path: _starter_file(solution / path) for path in _files(solution)}


def _starter_file(file: Path) -> bytes:
    """Return what the starter holds in place of one file of the solution."""
    content = file.read_bytes()
    if is_copy(content):
        return copy_of(content, file)
    if file.suffix in COPIED:
        return content
    if file.suffix != ".py":
        raise AssignmentError(f"{file}: no mark can be put in such a file, and it may hold an answer")
    try:
        source = content.decode("utf-8")
    except UnicodeDecodeError as problem:
        refuse(str(file), content.count(b"\n", 0, problem.start) + 1, "not UTF-8")
    return starter_of(source, file=str(file)).encode()


def _files(directory: Path) -> list[Path]:
    """Return the files below `directory`, relative and sorted, without caches and hidden files."""
    paths = (path.relative_to(directory) for path in directory.rglob("*") if path.is_file())
    return sorted(p for p in paths if not any(part.startswith(".") or part == "__pycache__" for part in p.parts))
