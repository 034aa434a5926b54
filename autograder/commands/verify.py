"""`autograder verify`: the proof that the suites work."""

from __future__ import annotations

import fnmatch
import os
import sys

import click

from ..assignment import Assignment
from ..errors import AssignmentError
from ..text import counted
from ..verify.accept import accept
from ..verify.agreement import agreement
from ..verify.bank import SOLUTION, load_bank
from ..verify.gaps import problems
from ..verify.matrix import Matrix
from ..verify.proving import checked, proved
from ..verify.rates import judged, table
from ..verify.trials import Case, Kind, Trial
from .options import root_option

_NO_BANK = "the configuration names no bank (`mistakes`): only the solution and the starter are tried."


@click.command("verify")
@click.option("--only", metavar="NAME", help="Try the engines of that name alone; * stands for anything.")
@click.option(
    "--jobs",
    type=click.IntRange(1),
    default=os.cpu_count() or 1,
    show_default="one for each processor",
    help="Processes that grade side by side.",
)
@click.option("--accept", "accepting", is_flag=True, help="Add to the rows what their mistakes lose besides.")
@click.option("--handout", is_flag=True, help="Try also what `pytest --diagnose` says of each mistake at home.")
@root_option
@click.pass_context
def command(
    context: click.Context, *, only: str | None, jobs: int, accepting: bool, handout: bool, assignment: Assignment
) -> None:
    """Prove the suites: the solution earns everything, the starter nothing, every known mistake loses its tests.

    Every correct engine of the bank must earn full marks without a diagnosis; every mistake must lose the tests that
    its row names, keep those that its row keeps, and be diagnosed; every scored test must be failed by a mistake. Any
    gap ends the command with 2. A test that a mistake fails and its row does not name, such as a new one, is
    reported and is not a gap. Below stand the rates of right diagnoses, if the homework has diagnoses. Everything is
    tried anew; `bundle` tries what has changed since. With --handout, a mistake of which the handout says first
    something else is a gap too.

    Example: autograder verify --only "forgets-*"
    """
    _, cases = checked(assignment)
    cases = _chosen(cases, only)
    if not assignment.mistakes:
        click.echo(f"autograder: {_NO_BANK}", err=True)
    done = proved(assignment, cases, jobs=jobs, anew=True)
    click.echo(Matrix(assignment, done, whole=not only, colour=sys.stdout.isatty()))
    for line in table(judged(done, load_bank(assignment).correct)) if assignment.diagnosis else ():
        click.echo(line)
    agreed = not handout or _compare(assignment, done)
    for file in accept(assignment, done) if accepting else ():
        click.echo(f"wrote {file.relative_to(assignment.root_path)}: read its diff, and commit it", err=True)
    if problems(assignment, done, whole=not only) or not agreed:
        context.exit(AssignmentError.exit_status)


def _compare(assignment: Assignment, done: tuple[Trial, ...]) -> bool:
    """Print how often the handout says first what the grader says first, and where they differ; return if nowhere."""
    answers = agreement(assignment, done)
    for answer in answers:
        if not answer.agrees:
            click.echo(f"{answer.name}: the grader says {answer.grader!r}, the handout {answer.handout!r}")
    agreed = sum(answer.agrees for answer in answers)
    click.echo(f"The handout and the grader agree on {agreed} of {counted(len(answers), 'mistake')}")
    return agreed == len(answers)


def _chosen(cases: tuple[Case, ...], only: str | None) -> tuple[Case, ...]:
    """Return the cases whose name matches, or all."""
    chosen = tuple(case for case in cases if only is None or fnmatch.fnmatchcase(case.name, only))
    if not chosen:
        names = ", ".join(case.name for case in cases if case.kind is not Kind.MISTAKE)
        raise AssignmentError(f"nothing is called {only}; there are {names or SOLUTION} and the rows of the bank")
    return chosen
