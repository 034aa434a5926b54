"""`autograder bundle`: the zips that leave the repository."""

from __future__ import annotations

import os
from pathlib import Path

import click

from ..assignment import Assignment
from ..atomic import write_whole
from ..bundle import contents, lint
from ..bundle.parcel import zip_bytes
from ..bundle.readiness import Readiness, check
from ..errors import AssignmentError
from ..model import Visibility
from ..options import root_option
from ..text import counted

_WHEN = {
    Visibility.HIDDEN: "never",
    Visibility.AFTER_DUE_DATE: "after the (late) due date",
    Visibility.AFTER_PUBLISHED: "once you publish the grades",
}


@click.command("bundle")
@click.argument("targets", nargs=-1, type=click.Choice(["gradescope", "handout"]))
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), help="The directory for the zips.  [default: dist]"
)
@root_option
def command(*, targets: tuple[str, ...], out: Path | None, assignment: Assignment) -> None:
    """Build the zip for Gradescope and the zip for students, after proving that they would work.

    Nothing is built unless the starter is up to date, the solution earns every point, the starter none, and
    every known mistake loses its tests. The same files give the same zips, to the byte.

    Example: autograder bundle gradescope handout
    """
    out = out or assignment.root_path / "dist"
    built = {target: _BUILD[target](assignment) for target in dict.fromkeys(targets or _BUILD)}
    click.echo("Proving the suites: solution, starter and every engine of the bank ...", err=True)
    ready = check(assignment, jobs=min(os.cpu_count() or 1, 4))
    for target, data in built.items():
        file = out / _NAMES[target]
        write_whole(file, data)
        click.echo(f"{_shown(file)}  {len(data) / 1000:.0f} kB")
    if "gradescope" in built:
        _advise(ready)


def _gradescope(assignment: Assignment) -> bytes:
    data = zip_bytes(contents.gradescope_members(assignment))
    _refuse("gradescope", [*lint.zip_problems(data), *lint.image_problems(data)])
    return data


def _handout(assignment: Assignment) -> bytes:
    data = zip_bytes(contents.handout_members(assignment))
    _refuse("handout", [*lint.zip_problems(data), *lint.handout_problems(data, assignment)])
    return data


_BUILD = {"gradescope": _gradescope, "handout": _handout}
_NAMES = {"gradescope": "autograder.zip", "handout": "handout.zip"}


def _refuse(target: str, problems: list[str]) -> None:
    if problems:
        raise AssignmentError(f"{_NAMES[target]} was not built:\n  " + "\n  ".join(problems))


def _advise(ready: Readiness) -> None:
    """Say on stderr what to set on Gradescope, and what students will see there."""
    tried = f"{counted(ready.correct, 'correct engine')}, the starter, {counted(ready.mistakes, 'known mistake')}"
    click.echo(f"Proved on {tried}.", err=True)
    click.echo(f"On Gradescope, set the assignment to {ready.points:g} points.", err=True)
    for visibility, points in ready.muted.items():
        click.echo(f"Students see {points:g} of the {ready.points:g} points {_WHEN[visibility]}.", err=True)
    if ready.muted:
        click.echo("While any test is hidden from them, Gradescope shows them no total score either.", err=True)


def _shown(file: Path) -> Path:
    return file.relative_to(Path.cwd()) if file.is_relative_to(Path.cwd()) else file
