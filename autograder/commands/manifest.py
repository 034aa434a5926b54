"""`autograder manifest`: the list of tests and points that grading compares the suites with."""

from __future__ import annotations

import click

from ..assignment import Assignment
from ..suites.manifest import write_manifests
from ..suites.runner import Suites, with_suites
from .options import root_option


@click.command("manifest")
@root_option
def command(*, assignment: Assignment) -> None:
    """Accept the suites as they are now: write which tests they hold and what each is worth.

    Grading refuses suites that differ from their manifests, so that no point is lost by accident.

    Example: autograder manifest
    """

    def write(suites: Suites) -> None:
        for file in write_manifests(assignment, suites.tests):
            click.echo(file.relative_to(assignment.root_path))

    with_suites(assignment, write, manifests=False)
