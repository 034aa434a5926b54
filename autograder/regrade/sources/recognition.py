"""From sources to a class: what each source is, who handed in what, and what was left aside."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec
from msgspec.structs import replace

from ...assignment import Assignment
from ...errors import AssignmentError
from ...text import counted, listed, one_line
from . import canvas, classroom, folders, gradescope_export, moodle
from .delivery import Delivery, delivered
from .found import FoundSubmission, RecognisedSource, in_order
from .tree import Below, Tree, open_tree


class Located(msgspec.Struct, frozen=True):
    """One submission, and the tree that it lies in."""

    found: FoundSubmission
    tree: Tree

    def delivery(self) -> Delivery:
        """Read it, or raise OSError when its source cannot be read any more."""
        return delivered(self.found.id, self.found.entries(self.tree))


class ClassRoster(msgspec.Struct, frozen=True):
    """Everybody who handed in, in the order of every table, and what to say about the sources."""

    placed: tuple[Located, ...]
    remarks: tuple[str, ...]


def recognise_class(sources: Iterable[Path], assignment: Assignment, *, name_regex: str = "") -> ClassRoster:
    """Return the class that `sources` hold. Of two submissions with the same id, that of the later source counts.

    Raises AssignmentError for a source that is nothing known, and AutograderError for one that cannot be read.
    """
    placed: dict[str, Located] = {}
    remarks: list[str] = []
    for source in sources:
        tree = open_tree(source.resolve())
        recognised, tree = _recognised(tree, assignment, name_regex)
        remarks += _said(source, recognised)
        for found in _apart(recognised.found):
            earlier = placed.get(found.id.casefold())
            remark = (f"taken from {one_line(source.name)}, not from an earlier source",) if earlier else ()
            placed[found.id.casefold()] = Located(replace(found, remarks=found.remarks + remark), tree)
    return ClassRoster(tuple(sorted(placed.values(), key=lambda each: in_order(each.found.id))), tuple(remarks))


def _recognised(tree: Tree, assignment: Assignment, name_regex: str) -> tuple[RecognisedSource, Tree]:
    """Return what `tree` is, and the part of it that the paths refer to."""
    export = gradescope_export.recognise(tree)
    if export:
        return export, tree
    while True:
        if name_regex:
            return folders.by_regex(tree, name_regex), tree
        known = moodle.recognise(tree) or canvas.recognise(tree) or classroom.recognise(tree)
        children = tree.children("")
        lone = len(children) == 1 and children[0].is_folder
        if known is None and lone and not _holds_one(tree, children[0].name, assignment):
            tree = Below(tree, children[0].name)
            continue
        known = known or folders.recognise(tree, assignment)
        if known is None:
            raise AssignmentError(
                f"{one_line(tree.name)} holds nothing that looks like submissions: no folders, no .py files, no zips"
            )
        return known, tree


def _holds_one(tree: Tree, folder: str, assignment: Assignment) -> bool:
    """Say whether a folder is a submission itself."""
    required = {assignment.modules[name].file.casefold() for name in assignment.scored_modules}
    return any(child.name.casefold() in required for child in tree.children(folder))


def _apart(found: Iterable[FoundSubmission]) -> Iterator[FoundSubmission]:
    """Yield submissions of one source with ids that differ in more than case: they become names of files."""
    taken: set[str] = set()
    for each in found:
        number, identity = 2, each.id
        while identity.casefold() in taken:
            identity, number = f"{each.id}-{number}", number + 1
        taken.add(identity.casefold())
        yield replace(each, id=identity)


def _said(source: Path, recognised: RecognisedSource) -> Iterator[str]:
    """Yield one sentence on what a source is, and one on what is left aside."""
    yield f"{one_line(source.name)}: {recognised.kind}, {counted(len(recognised.found), 'submission')}"
    if recognised.ignored:
        yield f"{one_line(source.name)}: ignored {listed(list(recognised.ignored))}"
