"""The kinds of source, and the names by which each is told: names that the LMS or the staff write, never a student."""

from __future__ import annotations

import enum
import re
from collections.abc import Collection
from pathlib import PurePosixPath

from ...assignment import Assignment
from ...errors import AssignmentError
from ...text import listed, one_line
from .tree import Child, Tree

_SHARE = 0.5  # of the names that must be an LMS's own
HANDED_IN = (".py", ".zip", ".py.txt", ".ipynb")
_WRITTEN_BY_AN_LMS = re.compile(r"assignment_\d+_export|(?:.+[-_])?submissions", re.IGNORECASE)
_COPY = re.compile(r"[ _-]*\(?\d+\)?$")  # what a browser adds to a second download


class SourceKind(enum.Enum):
    """What a source is; the values are those of `--kind`."""

    GRADESCOPE = "gradescope"
    CANVAS = "canvas"
    MOODLE = "moodle"
    CLASSROOM = "classroom"
    BRIGHTSPACE = "brightspace"
    BLACKBOARD = "blackboard"
    ILIAS = "ilias"
    FOLDERS = "folders"  # one folder or file for each student, named by the staff
    SUBMISSION = "submission"  # the source is one student's work


WORDS = {
    SourceKind.GRADESCOPE: "a Gradescope export",
    SourceKind.CANVAS: "a Canvas download",
    SourceKind.MOODLE: "a Moodle download",
    SourceKind.CLASSROOM: "clones of GitHub Classroom",
    SourceKind.BRIGHTSPACE: "a Brightspace download",
    SourceKind.BLACKBOARD: "a Blackboard download",
    SourceKind.ILIAS: "an ILIAS download",
    SourceKind.FOLDERS: "a folder or a file for each student",
    SourceKind.SUBMISSION: "one student's submission",
}


def required_files(assignment: Assignment) -> set[str]:
    """Return the names, in lower case, of the files without which nothing can be graded."""
    return {assignment.modules[name].file.casefold() for name in assignment.scored_modules}


def holds_one(tree: Tree, folder: str, assignment: Assignment) -> bool:
    """Return True if a required file lies in `folder`. A folder that has the file's name does not count."""
    required = required_files(assignment)
    return any(child.name.casefold() in required and not child.is_folder for child in tree.children(folder))


def looks_handed_in(child: Child) -> bool:
    """Return True if a name could be one student's whole submission."""
    return not child.is_link and (child.is_folder or child.name.casefold().endswith(HANDED_IN))


def rivals(tree: Tree, assignment: Assignment) -> list[str]:
    """Return the names beside a required file that could be submissions of others.

    What the handout names belongs to the same student. A further module may, and may not: names alone cannot say.
    """
    own = {each.file.casefold() for each in assignment.modules.values()} | {"conftest.py"}
    if assignment.solution_path.is_dir():
        own |= {entry.name.casefold() for entry in assignment.solution_path.iterdir()}
    return [
        child.name
        for child in tree.children("")
        if looks_handed_in(child)
        and child.name.casefold() not in own
        and (not child.is_folder or holds_one(tree, child.name, assignment))
    ]


def holds_several(tree: Tree, folder: str, assignment: Assignment) -> bool:
    """Return True if at least two folders, or archives, in `folder` look like submissions."""
    children = [child for child in tree.children(folder) if looks_handed_in(child)]
    inner = [child for child in children if child.is_folder and holds_one(tree, f"{folder}/{child.name}", assignment)]
    return len(inner) + sum(child.name.casefold().endswith(".zip") for child in children) > 1


def is_wrapping(folder: str, source: str) -> bool:
    """Return True if `folder`, all that a source holds, has a name that an LMS or the making of the zip gave it."""
    stems = [PurePosixPath(name).stem if name.endswith(".zip") else name for name in (folder, source)]
    same = {_COPY.sub("", stem).casefold() for stem in stems}
    return len(same) == 1 or bool(_WRITTEN_BY_AN_LMS.fullmatch(folder))


def is_written_by(kind: SourceKind, tree: Tree, named: Collection[str], *, insisted: bool) -> bool:
    """Return True if enough names at the root, those in `named`, have the form that `kind` writes.

    Raises AssignmentError if such names lie beside submissions of another form, unless the kind is `insisted` on.
    """
    children = tree.children("")
    if not named or (not insisted and len(named) < _SHARE * len(children)):
        return False
    strangers = [child.name for child in children if looks_handed_in(child) and child.name not in named]
    if strangers and not insisted:
        raise mixed(tree.name, kind, strangers)
    return True


def mixed(name: str, kind: SourceKind, strangers: list[str]) -> AssignmentError:
    """Return the error for names that `kind` writes beside submissions that it did not name."""
    return AssignmentError(
        f"{one_line(name)} can be read in two ways: as {WORDS[kind]} (--kind {kind.value}), which leaves out "
        f"{listed(strangers)}; or as {WORDS[SourceKind.FOLDERS]} (--kind folders). Say which it is"
    )


def only_folder(tree: Tree) -> str:
    """Return the name of the folder that is all that `tree` holds, or ""."""
    children = tree.children("")
    return children[0].name if len(children) == 1 and children[0].is_folder else ""
