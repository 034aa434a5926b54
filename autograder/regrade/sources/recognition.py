"""From sources to a class: what each source is, who handed in what, and what was left aside."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import msgspec
from msgspec.structs import replace

from ...assignment import Assignment
from ...errors import AssignmentError
from ...text import counted, listed, natural_key, one_line
from ..records.class_report import Submitter
from . import blackboard, brightspace, canvas, classroom, folders, gradescope_export, ilias, moodle
from .attempts import AttemptChoice, settled
from .delivery import Delivery, delivered
from .found import FoundSubmission, RecognisedSource, identity
from .kinds import WORDS, SourceKind, holds_one, holds_several, is_wrapping, only_folder
from .nested import Recognisers, check_exports
from .tree import Below, Tree, open_tree

_RECOGNISERS: Recognisers = {
    SourceKind.GRADESCOPE: gradescope_export.recognise,
    SourceKind.MOODLE: moodle.recognise,
    SourceKind.CANVAS: canvas.recognise,
    SourceKind.CLASSROOM: classroom.recognise,
    SourceKind.BRIGHTSPACE: brightspace.recognise,
    SourceKind.BLACKBOARD: blackboard.recognise,
    SourceKind.ILIAS: ilias.recognise,
}


class Located(msgspec.Struct, frozen=True):
    """One submission, and the tree that it lies in."""

    found: FoundSubmission
    tree: Tree
    attempts: tuple[FoundSubmission, ...] = ()  # all of the student's, if the best of several counts
    kind: str = ""  # of the source, in words

    def delivery(self) -> Delivery:
        """Read it, or raise OSError when its source cannot be read any more."""
        return delivered(self.found.id, self.found.entries(self.tree))


class ClassRoster(msgspec.Struct, frozen=True):
    """Everybody who handed in, in the order of every table, and what to say about the sources."""

    placed: tuple[Located, ...]
    remarks: tuple[str, ...]
    ignored: tuple[tuple[str, str], ...] = ()  # a source, and what of it was left aside, with the reason


def recognise_class(
    sources: Iterable[Path],
    assignment: Assignment,
    *,
    name_regex: str = "",
    kind: SourceKind | None = None,
    attempt: AttemptChoice | int | None = None,
) -> ClassRoster:
    """Return the class that `sources` hold. Of two submissions with the same id, that of the later source counts.

    Of several attempts in one source, `attempt` counts, and the newest by default. Raises AssignmentError for a source
    that is nothing known, that may be read in two ways while `kind` does not say which, or whose attempts have no
    order; and AutograderError for one that cannot be read.
    """
    placed: dict[str, Located] = {}
    remarks: list[str] = []
    ignored: list[tuple[str, str]] = []
    for source in sources:
        tree = open_tree(source.resolve())
        recognised, tree = _recognised(tree, assignment, name_regex, kind)
        remarks += _said(source, recognised)
        ignored += [(source.name, name) for name in recognised.ignored]
        for options in settled(_apart(recognised.found), attempt, source=source.name):
            key = options[0].id.casefold()
            remark = (f"taken from {one_line(source.name)}, not from an earlier source",) if key in placed else ()
            found = tuple(replace(option, remarks=option.remarks + remark) for option in options)
            if key in placed:
                found = tuple(_known_as(option, placed[key].found) for option in found)
            placed[key] = Located(found[-1], tree, found if len(found) > 1 else (), recognised.kind)
    in_order = sorted(placed.values(), key=lambda each: natural_key(each.found.id))
    return ClassRoster(tuple(in_order), tuple(remarks), tuple(ignored))


def _known_as(found: FoundSubmission, earlier: FoundSubmission) -> FoundSubmission:
    """Return a submission with what an earlier source knows of the same id: whose it is, and the old points."""
    is_named = any(person != Submitter() for person in found.submitters)
    submitters = found.submitters if is_named else earlier.submitters
    return replace(found, submitters=submitters, old=found.old or earlier.old)


def _recognised(
    tree: Tree, assignment: Assignment, name_regex: str, kind: SourceKind | None
) -> tuple[RecognisedSource, Tree]:
    """Return what `tree` is, and the part of it that the paths refer to.

    The kind is decided by names at the root, or below folders that are each the only child. Raises AssignmentError
    that names both readings when such a folder could be one student's work as well.
    """
    outer = tree
    while True:
        if name_regex:
            return folders.by_regex(tree, name_regex), tree
        known = _of_kind(tree, kind) if kind else _written_by_an_lms(tree, assignment)
        inner = only_folder(tree)
        if known is None and inner and _is_entered(tree, inner, assignment, kind):
            tree = Below(tree, inner)
            continue
        if known is None and kind is None:
            check_exports(tree, assignment, _RECOGNISERS)
        known = known or folders.recognise(tree, assignment, kind)
        if known is None:
            expected = f"like --kind {kind.value}" if kind else "like submissions: no folders, no .py files, no zips"
            raise AssignmentError(f"{one_line(outer.name)} holds nothing that looks {expected}")
        return known, tree


def _of_kind(tree: Tree, kind: SourceKind) -> RecognisedSource | None:
    """Return what `tree` is when it is read as an LMS's `kind`, or None."""
    return _RECOGNISERS[kind](tree, True) if kind in _RECOGNISERS else None


def _written_by_an_lms(tree: Tree, assignment: Assignment) -> RecognisedSource | None:
    """Return the only reading of the names in `tree` that an LMS wrote, or None if it wrote none.

    Raises AssignmentError if two readings are possible.
    """
    readings = {kind: found for kind, recognise in _RECOGNISERS.items() if (found := recognise(tree, False))}
    if holds_one(tree, "", assignment) and readings:
        raise _two_readings(tree.name, next(iter(readings)), SourceKind.SUBMISSION)
    if len(readings) > 1:
        raise _two_readings(tree.name, *list(readings)[:2])
    return next(iter(readings.values()), None)


def _is_entered(tree: Tree, folder: str, assignment: Assignment, kind: SourceKind | None) -> bool:
    """Return True if the source's only folder wraps a class, and is not one student's folder.

    Raises AssignmentError if it looks like a class and has a name that could be a student's.
    """
    if kind is SourceKind.SUBMISSION or holds_one(tree, folder, assignment):
        return False
    if kind in _RECOGNISERS or is_wrapping(folder, tree.name):
        return True
    while kind is None and folder:
        below = Below(tree, folder)
        reading = next((each for each, recognise in _RECOGNISERS.items() if recognise(below, False)), None)
        if reading or holds_several(tree, folder, assignment):
            raise _class_or_student(f"{tree.name}/{folder}", reading)
        inner = only_folder(below)
        folder = f"{folder}/{inner}" if inner and not holds_one(below, inner, assignment) else ""
    return False


def _class_or_student(place: str, reading: SourceKind | None) -> AssignmentError:
    """Return the error for one folder by itself that holds what looks like a class."""
    insist = f"--kind {reading.value}" if reading else "unpack it and name that folder itself"
    return AssignmentError(
        f"{one_line(place)} can be read in two ways: as {WORDS[reading or SourceKind.FOLDERS]} ({insist}), or as the "
        "folder of one student (--kind folders). Say which it is: names inside a submission must not decide"
    )


def _two_readings(name: str, first: SourceKind, second: SourceKind) -> AssignmentError:
    return AssignmentError(
        f"{one_line(name)} can be read in two ways: as {WORDS[first]} (--kind {first.value}), or as "
        f"{WORDS[second]} (--kind {second.value}). Say which it is: names inside a submission must not decide"
    )


def _apart(found: Sequence[FoundSubmission]) -> Iterator[FoundSubmission]:
    """Yield submissions of one source with ids that differ in more than case, and may be names of files.

    An id that another submission has by itself is never given away.
    """
    wanted = [identity(each.id) for each in found]
    own = {name.casefold() for name in wanted}
    taken: set[str] = set()
    for each, name in zip(found, wanted, strict=True):
        number, given = 2, name
        while given.casefold() in taken or (given != name and given.casefold() in own):
            given, number = f"{name}-{number}", number + 1
        taken.add(given.casefold())
        remark = (f"another's id is {name} too: this one is {given}",) if given != name else ()
        yield replace(each, id=given, remarks=each.remarks + remark)


def _said(source: Path, recognised: RecognisedSource) -> Iterator[str]:
    """Yield one sentence on what a source is, and one on what is left aside."""
    yield f"{one_line(source.name)}: {recognised.kind}, {counted(len(recognised.found), 'submission')}"
    if recognised.ignored:
        yield f"{one_line(source.name)}: ignored {listed(list(recognised.ignored))}"
