"""`autograder grade`: one submission, graded and reported to staff."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import click

from ..assignment import Assignment
from ..errors import AssignmentError
from ..grading import grade
from ..model import FilmChoice, GradeReport, Level
from ..results.terminal import WIDTH, staff_report
from .options import check_root, isolation_option, root_option, warn_if_weak

FORMATS = ("gradescope", "prairielearn", "autolab", "junit")  # the keys of formats.FORMATS, which is imported late


@click.command("grade")
@click.argument("submission", type=click.Path(exists=True, path_type=Path))
@click.option(
    "--results", "results_file", type=click.Path(dir_okay=False, path_type=Path), help="Write results.json here."
)
@click.option("--suite", default="all", show_default=True, help="Run one suite: public, hidden, or another's name.")
@isolation_option
@click.option(
    "--film",
    "films",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write a page for each failing public test here: what it computed, step by step.",
)
@click.option(
    "--format",
    "format_",
    type=click.Choice(["report", *FORMATS]),
    default="report",
    show_default=True,
    help="What to print: the staff's report, or what another system reads.",
)
@click.option("--json", "format_", flag_value="gradescope", help="The same as --format gradescope.")
@root_option
def command(  # noqa: PLR0913 - one for each option
    *,
    submission: Path,
    results_file: Path | None,
    suite: str,
    level: Level | None,
    films: Path | None,
    format_: str,
    assignment: Assignment,
) -> None:
    """Grade one submission, a directory, a file or a zip, and print the staff's report.

    Example: autograder grade solution --results results.json
    """
    check_root(assignment, [submission])
    suites = () if suite == "all" else (_known(suite, assignment),)
    try:
        choice = FilmChoice.NONE if films is None else FilmChoice.ALL
        for report in grade(
            assignment,
            submission.resolve(),
            level=level,
            suites=suites,
            films=choice,
            provisional=results_file,
        ):
            _write(results_file, report, assignment)
    except BaseException:
        _withdraw(results_file)
        raise
    warn_if_weak(report.isolation, level)
    if films is not None:
        from ..results.film import write_films

        for file in write_films(films, report):
            click.echo(f"film: {file}", err=True)
    if format_ != "report":
        from ..results import formats  # other systems' words, and XML: only where they are asked for

        click.echo(formats.FORMATS[format_](report, assignment), nl=False)
    else:
        click.echo(staff_report(report, colour=_has_colours(), unicode=_speaks_unicode(), width=_columns()))


def _columns() -> int:
    """Return how wide the terminal is; the report's own width if standard output is not a terminal."""
    return shutil.get_terminal_size((WIDTH, 24)).columns if sys.stdout.isatty() else WIDTH


def _has_colours() -> bool:
    """Return True if standard output is a terminal with colours, and its user wants them (https://no-color.org)."""
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb" and not os.environ.get("NO_COLOR")


def _speaks_unicode() -> bool:
    """Return True if standard output can show the marks and rules of the report."""
    return (sys.stdout.encoding or "ascii").lower().replace("-", "").startswith("utf")


def _known(suite: str, assignment: Assignment) -> str:
    names = [each.name for each in assignment.suites]
    if suite not in names:
        raise AssignmentError(f"there is no suite `{suite}`; the assignment has {', '.join(names)}")
    return suite


def _write(file: Path | None, report: GradeReport, assignment: Assignment) -> None:
    if file is not None:
        from ..results.gradescope import write_results

        write_results(file, report, assignment)


def _withdraw(file: Path | None) -> None:
    """Remove the provisional results of a run that failed on our side: their zeros are not a judgement."""
    if file is not None:
        from ..results.gradescope import withdraw_results

        withdraw_results(file)
