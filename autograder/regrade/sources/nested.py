"""A folder of downloads, each of which is a class: read as a class, it would make one student of each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path

from ...assignment import Assignment
from ...errors import AssignmentError, AutograderError
from ...submission.apart import read_apart
from ...text import listed, one_line
from .found import RecognisedSource
from .kinds import SourceKind, holds_one, holds_several, looks_handed_in, only_folder
from .tree import Below, Child, Tree, ZipTree

Recognisers = Mapping[SourceKind, Callable[[Tree, bool], "RecognisedSource | None"]]


def check_exports(tree: Tree, assignment: Assignment, recognisers: Recognisers) -> None:
    """Raise AssignmentError if everything that could be a student's in `tree` looks like a class of its own.

    One that does may be what a student made of it; all of them are a folder of downloads.
    """
    found = [child for child in tree.children("") if looks_handed_in(child)]
    if len(found) > 1 and all(_is_class(tree, child, assignment, recognisers) for child in found):
        raise AssignmentError(
            f"{one_line(tree.name)} holds {listed([child.name for child in found], 3)}, and each looks like a whole "
            "class: name each of them as a source of its own. If each is one student's work, say --kind folders"
        )


def _is_class(tree: Tree, child: Child, assignment: Assignment, recognisers: Recognisers) -> bool:
    """Return True if a folder or a zip in `tree` looks like the submissions of several students.

    It may be a student's work: it is opened in a process of its own.
    """
    try:
        return bool(read_apart(lambda: b"yes" if _looks_like_class(tree, child, assignment, recognisers) else b""))
    except AutograderError:  # it takes too long to tell: it is somebody's, and reading it will say so
        return False


def _looks_like_class(tree: Tree, child: Child, assignment: Assignment, recognisers: Recognisers) -> bool:
    try:
        with ExitStack() as stack:
            if child.is_folder:
                inner: Tree = Below(tree, child.name)
            elif child.name.casefold().endswith(".zip"):
                inner = ZipTree(Path(child.name), stack.enter_context(tree.open(child.name)))
            else:
                return False
            return _holds_class(inner, assignment, recognisers)
    except (OSError, AutograderError):  # what cannot be read is somebody's, and is said of that one
        return False


def _holds_class(tree: Tree, assignment: Assignment, recognisers: Recognisers) -> bool:
    """Return True if the names in `tree`, or below folders that are each the only child, are those of a class."""
    tree = Below(tree, "")
    while not holds_one(tree, "", assignment):
        readings = {kind: reading for kind, recognise in recognisers.items() if (reading := recognise(tree, False))}
        clones = readings.pop(SourceKind.CLASSROOM, None)
        # One repository by itself is what a student has: only several are a class.
        if readings or (clones and len(clones.found) > 1) or holds_several(tree, "", assignment):
            return True
        only = only_folder(tree)
        if not only:
            return False
        tree = Below(tree, only)
    return False
