"""Writes a small course that proves itself at once: to be changed, test by test, into the homework that is meant."""

from __future__ import annotations

import re
import secrets
from pathlib import Path

from .. import __version__
from ..assignment import load_assignment
from ..errors import AssignmentError
from ..files import write_whole
from ..handout.starter import write_starter
from ..suites.manifest import write_manifests
from ..suites.runner import collected_suites
from ..text import listed

_TEMPLATE = Path(__file__).with_name("template")
_BESIDE = {".git", ".venv"}  # what a new folder may hold before the course
_HIDDEN = "dot_"  # how a name begins that begins with a dot in the course
_INERT = ".template"  # how a name ends that tools would take for a configuration of the grader's own folders


def write_course(directory: Path) -> list[Path]:
    """Write a course into `directory` and return its files, relative to it; its starter and manifests are made.

    Raises AssignmentError if the directory holds anything already, but a repository's and an environment's own folder.
    """
    if directory.exists() and not directory.is_dir():
        raise AssignmentError(f"{directory} is a file: name a new folder")
    held = {path.name for path in directory.iterdir()} if directory.exists() else set()
    if held - _BESIDE:
        found = listed(sorted(held - _BESIDE))
        raise AssignmentError(f"{directory} holds {found} already: name a new folder, or an empty one")
    name = re.sub(r"[^\w.-]+", "-", directory.resolve().name).strip("-.") or "homework"
    values = {"name": name, "seed": str(1000 + secrets.randbelow(9000)), "version": __version__}
    for file in sorted(path for path in _TEMPLATE.rglob("*") if path.is_file() and "__pycache__" not in path.parts):
        text = re.sub(r"\{\{(\w+)\}\}", lambda found: values[found[1]], file.read_text("utf-8"))
        write_whole(directory / _name(file), text.encode("utf-8"))
    assignment = load_assignment(directory)
    write_starter(assignment.solution_path, assignment.starter_path)
    with collected_suites(assignment, manifests=False) as suites:
        write_manifests(assignment, suites.tests)
    names = (path.relative_to(directory) for path in directory.rglob("*") if path.is_file())
    return sorted(name for name in names if name.parts[0] not in _BESIDE and "__pycache__" not in name.parts)


def _name(file: Path) -> Path:
    """Return where a file of the template lies in the course."""
    parts = file.relative_to(_TEMPLATE).as_posix().removesuffix(_INERT).split("/")
    return Path(*(f".{part.removeprefix(_HIDDEN)}" if part.startswith(_HIDDEN) else part for part in parts))
