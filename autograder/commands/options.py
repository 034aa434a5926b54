"""Options that several verbs share."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click

from ..assignment import Assignment, find_root, load_assignment
from ..errors import AssignmentError


def _assignment(_context: click.Context, _option: click.Parameter, root: Path | None) -> Assignment:
    """Return the assignment at `root`, or the nearest one above the current directory."""
    return load_assignment(root or find_root(Path.cwd()))


# Gives the verb an argument `assignment`.
root_option = click.option(
    "--root",
    "assignment",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    callback=_assignment,
    help="The course's repository; by default the nearest one above the current directory.",
)


def refuse_root_within(assignment: Assignment, graded: Iterable[Path]) -> None:
    """Raise AssignmentError if the course's root lies in what is graded: its tests would be the student's own."""
    for source in graded:
        if assignment.root_path.resolve().is_relative_to(source.resolve()):
            raise AssignmentError(
                f"the course's root, {assignment.root_path}, lies in what is graded, {source.resolve()}: its settings "
                "and tests would be the submission's own. Run the command elsewhere, or name the course with --root"
            )
