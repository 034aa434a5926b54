"""Files of the solution that are copies of the grader's own: what the handout shares with it is written once.

A copy says in its first line of which file it is one. `autograder starter` brings it up to date, so a new copy begins
as that line alone. Copies have no marks: nothing of the grader is a task.
"""

from __future__ import annotations

import re
from pathlib import Path

from ..errors import AssignmentError

PACKAGE = Path(__file__).parents[1]
_FORMS = {".py": "# {}", ".js": "// {}", ".css": "/* {} */", ".html": "<!-- {} -->"}
_SAYS = "Copied by `autograder starter` from {}: edit that file."
_MARK = re.compile(rb"\W*Copied by `autograder starter` from (?P<source>[\w./]+): edit that file\.\W*?\n")


def is_copy(content: bytes) -> bool:
    """Return True if the first line says that a file is a copy."""
    return _MARK.match(content) is not None


def copy_of(content: bytes, file: Path) -> bytes:
    """Return what the copy `file`, which now holds `content`, has to hold.

    Raises AssignmentError if it names a file that the grader does not have.
    """
    found = _MARK.match(content)
    name = found["source"].decode() if found else ""
    source = PACKAGE.parent / name
    if not name.startswith(f"{PACKAGE.name}/") or ".." in name or not source.is_file():
        raise AssignmentError(f"{file}:1: this says that it is a copy of {name}, which is not a file of the grader")
    if file.suffix not in _FORMS or source.suffix != file.suffix:
        raise AssignmentError(f"{file}:1: a copy of {name} has to be called *{source.suffix}")
    return f"{_FORMS[file.suffix].format(_SAYS.format(name))}\n".encode() + source.read_bytes()


def stale_copies(solution: Path) -> dict[Path, bytes]:
    """Return each copy below `solution` that differs from the file it is a copy of, and what it has to hold."""
    wanted = {}
    for file in sorted(each for form in _FORMS for each in solution.rglob(f"*{form}")):
        content = file.read_bytes()
        if is_copy(content) and copy_of(content, file) != content:
            wanted[file] = copy_of(content, file)
    return wanted
