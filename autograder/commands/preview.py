"""`autograder preview`: what each reader of a results.json sees."""

from __future__ import annotations

from pathlib import Path

import click

from ..files import write_whole
from ..results.contract import inspect
from ..results.preview import Audience, preview


@click.command("preview")
@click.argument("results", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--as",
    "reader",
    type=click.Choice([reader.value for reader in Audience]),
    help="Show what this reader sees, and nothing else; by default all three, side by side.",
)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the page here; by default beside RESULTS, under its name with .html.",
)
def command(*, results: Path, reader: str | None, out: Path | None) -> None:
    """Write an HTML page of what a student sees now, what after publication, and what staff see.

    Prints the name of the page. It holds everything in one file, and opens without a network.

    Example: autograder preview results.json --as student
    """
    data = results.read_bytes()
    for warning in inspect(data).warnings:
        click.echo(f"warning: {warning}", err=True)
    text = preview(data, (Audience(reader),) if reader else tuple(Audience), name=results.name)
    file = out or results.with_suffix(".html")
    write_whole(file, text.encode("utf-8"))
    click.echo(file)
