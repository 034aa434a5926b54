"""`autograder manifest`: the list of tests and points that grading compares the suites with."""

from __future__ import annotations

import click

from ..assignment import Assignment
from ..suites.manifest import write_manifests
from ..suites.runner import collected_suites
from .options import root_option


@click.command("manifest")
@root_option
def command(*, assignment: Assignment) -> None:
    """Accept the suites as they are now: write which tests they hold and what each is worth.

    Grading refuses suites that differ from their manifests, so that no point is lost by accident.

    Example: autograder manifest
    """
    with collected_suites(assignment, manifests=False) as suites:
        for file in write_manifests(assignment, suites.tests):
            click.echo(file.relative_to(assignment.root_path))
