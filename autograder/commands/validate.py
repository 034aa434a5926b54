"""`autograder validate`: does a results.json keep Gradescope's contract?"""

from __future__ import annotations

from pathlib import Path

import click

from ..results.contract import inspect
from ..text import counted


@click.command()
@click.argument("results", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.pass_context
def command(ctx: click.Context, results: Path) -> None:
    """Check that a results.json keeps Gradescope's contract.

    Prints each problem with its place, or the totals if there is no problem. What only looks wrong is a warning.

    Example: autograder validate results.json
    """
    findings = inspect(results.read_bytes())
    for warning in findings.warnings:
        click.echo(f"warning: {warning}", err=True)
    for problem in findings.problems:
        click.echo(f"{results}: {problem}")
    if findings.problems:
        ctx.exit(2)
    unscored = f", {findings.unscored} of them without points" if findings.unscored else ""
    click.echo(f"{results}: valid, {findings.score} points, {counted(findings.tests, 'test')}{unscored}")
