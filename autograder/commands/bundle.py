"""`autograder bundle`: the zips that leave the repository."""

from __future__ import annotations

import os
from pathlib import Path

import click

from ..assignment import Assignment
from ..bundle import classroom, contents, lint, otter
from ..bundle.readiness import Readiness, check
from ..bundle.zip_file import zip_bytes
from ..errors import AssignmentError
from ..files import write_whole
from ..model import Visibility
from ..text import counted
from .options import root_option

_WHEN = {
    Visibility.HIDDEN: "never",
    Visibility.AFTER_DUE_DATE: "after the (late) due date",
    Visibility.AFTER_PUBLISHED: "once you publish the grades",
}


@click.command("bundle")
@click.argument("targets", nargs=-1, type=click.Choice(["gradescope", "handout", "otter", "classroom"]))
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), help="The directory for the zips.  [default: dist]"
)
@root_option
def command(*, targets: tuple[str, ...], out: Path | None, assignment: Assignment) -> None:
    """Build the zip for Gradescope and the zip for students, after proving that they would work.

    `otter`, on request, is for departments that grade with otter-grader: a directory, and if otter-grader is
    installed, the zip that it makes of the directory. `classroom`, on request, is a template repository: the handout
    with a workflow for GitHub that runs the public tests task by task.

    Nothing is built unless the starter is up to date, the solution earns every point, the starter none, and
    every known mistake loses its tests. That is proved again for what has changed since the last proof. The same files
    give the same zips, to the byte.

    Example: autograder bundle gradescope handout
    """
    out = out or assignment.root_path / "dist"
    built = {target: _BUILD[target](assignment) for target in targets or _BUILD if target in _BUILD}
    ready = check(assignment, jobs=min(os.cpu_count() or 1, 4))
    for target, data in built.items():
        _write(out / _NAMES[target], data)
    if "otter" in targets:
        _for_otter(assignment, ready, out)
    if "classroom" in targets:
        _for_classroom(assignment, ready, out)
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
_NAMES = {"gradescope": "autograder.zip", "handout": "handout.zip", "otter": "otter.zip", "classroom": "classroom"}


def _for_otter(assignment: Assignment, ready: Readiness, out: Path) -> None:
    """Write the directory for otter-grader, and the zip of `otter generate` if that is installed."""
    members, directory = otter.otter_members(assignment, ready.tests), out / "otter"
    _refuse("otter", lint.zip_problems(zip_bytes(members)))
    for stale in directory.glob("tests/q*.py"):  # otter would run what an earlier build left there
        stale.unlink()
    for member in members:
        write_whole(directory / member.name, member.content)
    click.echo(f"{_shown(directory)}{os.sep}  {sum(len(member.content) for member in members) / 1000:.0f} kB")
    data = otter.generated(members)
    if data is None:
        command = " ".join(otter.generate_command())
        click.echo(
            f"otter-grader is not installed here. Where it is installed, run in {_shown(directory)}: {command}",
            err=True,
        )
    else:
        _write(out / _NAMES["otter"], data)
    click.echo("Before students hand in, read in docs/otter.md what otter cannot protect.", err=True)


def _for_classroom(assignment: Assignment, ready: Readiness, out: Path) -> None:
    """Write the template repository; what an earlier build left there goes, a repository's own folder stays."""
    members, directory = classroom.classroom_members(assignment, ready.tests), out / "classroom"
    data = zip_bytes(members)
    _refuse("classroom", [*lint.zip_problems(data), *lint.handout_problems(data, assignment)])
    wanted = {directory / member.name for member in members}
    for file in sorted(directory.rglob("*")):
        if file.is_file() and file not in wanted and ".git" not in file.relative_to(directory).parts:
            file.unlink()
    for member in members:
        write_whole(directory / member.name, member.content)
    click.echo(f"{_shown(directory)}{os.sep}  {sum(len(member.content) for member in members) / 1000:.0f} kB")
    click.echo("docs/instructors.md says how it becomes a template on GitHub, and what to look at there.", err=True)


def _write(file: Path, data: bytes) -> None:
    write_whole(file, data)
    click.echo(f"{_shown(file)}  {len(data) / 1000:.0f} kB")


def _refuse(target: str, problems: list[str]) -> None:
    if problems:
        raise AssignmentError(f"{_NAMES[target]} was not built:\n  " + "\n  ".join(problems))


def _advise(ready: Readiness) -> None:
    """Print on stderr what to set on Gradescope, and what students will see there."""
    tried = f"{counted(ready.correct, 'correct engine')}, the starter, {counted(ready.mistakes, 'known mistake')}"
    click.echo(f"Proved on {tried}.", err=True)
    click.echo(f"On Gradescope, set the assignment to {ready.points:g} points.", err=True)
    for visibility, points in ready.muted.items():
        click.echo(f"Students see {points:g} of the {ready.points:g} points {_WHEN[visibility]}.", err=True)
    if ready.muted:
        click.echo("While any test is hidden from them, Gradescope shows them no total score either.", err=True)


def _shown(file: Path) -> Path:
    return file.relative_to(Path.cwd()) if file.is_relative_to(Path.cwd()) else file
