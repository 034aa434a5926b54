"""`autograder new`: a course to begin with."""

from __future__ import annotations

from pathlib import Path

import click

from ..course.new import write_course

_NEXT = """\
A stack and its brackets stand there for your homework: change them test by test. In {directory}:
  autograder doctor    what this machine lacks for it
  autograder verify    the suites against every engine of mistakes/
  autograder bundle    dist/autograder.zip to upload, dist/handout.zip to publish"""


@click.command("new")
@click.argument("directory", type=click.Path(path_type=Path))
def command(*, directory: Path) -> None:
    """Write a small course into DIRECTORY that proves itself at once, to be changed into yours.

    It has a solution of one function and one class, the starter made from it, public and hidden tests, known mistakes
    and a workflow for GitHub. The directory must be new, or hold nothing but `.git` and `.venv`.

    Example: autograder new homework-2
    """
    for file in write_course(directory):
        click.echo(directory / file)
    click.echo(_NEXT.format(directory=directory), err=True)
