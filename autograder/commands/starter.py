"""`autograder starter`: the handout's code, made from the solution."""

from __future__ import annotations

import click

from ..assignment import Assignment
from ..errors import AssignmentError
from ..handout.copies import stale_copies
from ..handout.starter import stale, write_starter
from .options import root_option


@click.command("starter")
@click.option("--check", is_flag=True, help="Write nothing; fail when the starter is not what the solution makes it.")
@root_option
def command(*, check: bool, assignment: Assignment) -> None:
    """Write the starter from the solution: the same text without the bodies of the tasks.

    Prints the path of every file that changed, or with --check a short diff of every file that would change. Files of
    the solution that say in their first line that they are made from others are brought up to date too.

    Example: autograder starter --check
    """
    solution, starter = assignment.solution_path, assignment.starter_path
    if not check:
        for path in write_starter(solution, starter):
            click.echo(f"{assignment.starter}/{path.as_posix()}")
        return
    copies = stale_copies(solution)
    for file in copies:
        click.echo(f"{file}: differs from what it is made from")
    differences = stale(solution, starter)
    for difference in differences:
        click.echo(difference.diff)
    if differences or copies:
        raise AssignmentError(f"{assignment.starter}/ is stale: run `autograder starter`")
