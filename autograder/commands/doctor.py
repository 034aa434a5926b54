"""`autograder doctor`: what this machine lacks for a course."""

from __future__ import annotations

import click

from ..assignment import Assignment
from ..course.machine import needs
from ..errors import AssignmentError
from .options import root_option


@click.command("doctor")
@root_option
@click.pass_context
def command(context: click.Context, *, assignment: Assignment) -> None:
    """Say what this machine lacks for what the course needs: Python, packages, a folder to write, isolation.

    A line for each need, and below one that is not met what to do. Ends with 2 if grading here would go wrong.

    Example: autograder doctor
    """
    lacking = False
    for need in needs(assignment):
        word = "ok" if not need.remedy else "LACKS" if need.fatal else "note"
        click.echo(f"{word:6}{need.what}")
        if need.remedy:
            click.echo(f"      {need.remedy}")
        lacking |= bool(need.remedy) and need.fatal
    if lacking:
        context.exit(AssignmentError.exit_status)
