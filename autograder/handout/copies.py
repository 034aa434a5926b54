"""Files of the solution that are made from others, so that what the handout shares with the grader is written once.

Such a file says in its first line what it is: a copy of a file of the grader, or a table of the configuration as
Python. `autograder starter` brings it up to date, so a new one begins as that line alone. It has no marks: nothing of
it is a task.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from ..assignment import find_root, load_assignment
from ..errors import AssignmentError

PACKAGE = Path(__file__).parents[1]
_FORMS = {".py": "# {}", ".js": "// {}", ".css": "/* {} */", ".html": "<!-- {} -->"}
_SAYS = "Copied by `autograder starter` from {}: edit that file."
_TABLE = re.compile(rb"# Made by `autograder starter` from `(?P<table>\w+)` in pyproject\.toml: edit it there\.\r?\n")
_MARK = re.compile(rb"\W*Copied by `autograder starter` from (?P<source>[\w./]+): edit that file\.\W*?\n")


def is_copy(content: bytes) -> bool:
    """Return True if the first line says that a file is made from another."""
    return (_MARK.match(content) or _TABLE.match(content)) is not None


def copy_of(content: bytes, file: Path) -> bytes:
    """Return what the copy `file`, which now holds `content`, has to hold.

    Raises AssignmentError if it names a file that the grader does not have, or a table that the configuration has not.
    """
    if table := _TABLE.match(content):
        return table[0] + _as_python(table["table"].decode(), file).encode()
    found = _MARK.match(content)
    name = found["source"].decode() if found else ""
    source = PACKAGE.parent / name
    if not name.startswith(f"{PACKAGE.name}/") or ".." in name or not source.is_file():
        raise AssignmentError(f"{file}:1: this says that it is a copy of {name}, which is not a file of the grader")
    if file.suffix not in _FORMS or source.suffix != file.suffix:
        raise AssignmentError(f"{file}:1: a copy of {name} has to be called *{source.suffix}")
    return f"{_FORMS[file.suffix].format(_SAYS.format(name))}\n".encode() + source.read_bytes()


def _as_python(name: str, file: Path) -> str:
    """Return a table of the configuration, names with a text each, as a dictionary of Python."""
    table = getattr(load_assignment(find_root(file.parent)), name, None)
    if not isinstance(table, dict) or not all(isinstance(each, str) for each in table.values()):
        raise AssignmentError(f"{file}:1: [tool.autograder] has no table of texts called `{name}`")
    rows = [
        f"    {json.dumps(key, ensure_ascii=False)}: {json.dumps(table[key], ensure_ascii=False)}," for key in table
    ]
    return "\n".join(
        ['"""The same as in the configuration, for the handout."""', "", f"{name.upper()} = {{", *rows, "}", ""]
    )


def stale_copies(solution: Path) -> dict[Path, bytes]:
    """Return each copy below `solution` that differs from the file it is a copy of, and what it has to hold."""
    wanted = {}
    for file in sorted(each for form in _FORMS for each in solution.rglob(f"*{form}")):
        content = file.read_bytes()
        if is_copy(content) and copy_of(content, file) != content:
            wanted[file] = copy_of(content, file)
    return wanted
