"""`autograder report`: the report of a class, written again."""

from __future__ import annotations

from pathlib import Path

import click

from ..regrade.report.page import write_report


@click.command("report")
@click.argument("directory", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--anonymous", is_flag=True, help="Name nobody: a page that may be projected. Its name says so.")
@click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path), help="Write the page here; by default into DIRECTORY."
)
def command(*, directory: Path, anonymous: bool, out: Path | None) -> None:
    """Write the report of the class that `autograder regrade` left in DIRECTORY, and print its name.

    `regrade` writes one at its end; this makes it again, or without names. Nothing is graded.

    Example: autograder report regraded --anonymous
    """
    click.echo(write_report(directory, anonymous=anonymous, file=out))
