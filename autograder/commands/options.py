"""Options that several verbs share."""

from __future__ import annotations

from pathlib import Path

import click

from ..assignment import Assignment, find_root, load_assignment


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
