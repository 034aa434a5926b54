"""Options that several verbs share."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click
from click.core import ParameterSource

from ..assignment import Assignment, find_root, load_assignment
from ..errors import AssignmentError
from ..model import Isolation, Level

ROOT_VARIABLE = "AUTOGRADER_ROOT"
_GRADER = Path(__file__).resolve().parents[1]
_REPOSITORY = _GRADER.parent  # of the course that this grader is part of


def _assignment(_context: click.Context, _option: click.Parameter, root: Path | None) -> Assignment:
    """Return the assignment at `root`, or the nearest one above the current directory."""
    return load_assignment(root or find_root(Path.cwd()))


# Gives the verb an argument `assignment`.
root_option = click.option(
    "--root",
    "assignment",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    callback=_assignment,
    envvar=ROOT_VARIABLE,
    help=f"The course's repository; by default ${ROOT_VARIABLE}, or the nearest one above the current directory.",
)


def _level(_context: click.Context, _option: click.Parameter, name: str | None) -> Level | None:
    """Return the level of that name; None if nothing was asked for."""
    return Level[name.upper()] if name else None


# Gives the verb an argument `level`: a level to insist on, or None.
isolation_option = click.option(
    "--isolation",
    "level",
    type=click.Choice([level.name.lower() for level in sorted(Level, reverse=True)]),
    callback=_level,
    help="Insist on this level; by default the strongest that this machine gives.",
)


def warn_if_weak(isolation: Isolation, asked: Level | None) -> None:
    """Say on stderr what isolation below STANDARD does not prevent, unless that level was asked for."""
    if isolation.level < Level.STANDARD and asked is None:
        click.echo(
            "autograder: isolation is PROCESS: a submission could read this machine's files, use its network and "
            "write what you may write; grade work you do not trust on Linux.",
            err=True,
        )


def check_root(assignment: Assignment, graded: Iterable[Path]) -> None:
    """Raise AssignmentError if the course's root could be a student's: its tests would run with your rights.

    That is a root within what is graded, and one that nobody named and that this grader does not belong to: a
    submission may bring a pyproject.toml, and be where you stand. A grader belongs to the course whose folder holds
    it, as its own repository does, and as a course does whose environment lies in its folder.
    """
    root = assignment.root_path
    for source in graded:
        if root.resolve().is_relative_to(source.resolve()):
            raise AssignmentError(
                f"the course's root, {root}, lies in what is graded, {source.resolve()}: its settings "
                "and tests would be the submission's own. Run the command elsewhere, or name the course with --root"
            )
    source_of_root = click.get_current_context().get_parameter_source("assignment")
    named = source_of_root in {ParameterSource.COMMANDLINE, ParameterSource.ENVIRONMENT}
    if not named and not _GRADER.is_relative_to(root.resolve()):
        own = f", or --root {_REPOSITORY}" if (_REPOSITORY / "pyproject.toml").is_file() else ""
        raise AssignmentError(
            f"{root / 'pyproject.toml'} is the nearest above this directory, and this grader does not belong to it: "
            f"a submission may bring such a file, and tests of its own. Say which course is meant: --root {root}{own} "
            f"(or once for a terminal: export {ROOT_VARIABLE}=DIR)"
        )
