"""`autograder isolation`: which protections hold on this machine, each verified by trying the attack."""

from __future__ import annotations

import json

import click
from msgspec.structs import asdict

from ..assignment import Assignment
from ..errors import IsolationError
from ..model import Isolation, Level
from ..sandbox import isolation, remedies
from ..sandbox.sandbox import Sandbox
from .options import root_option


@click.command("isolation")
@click.option(
    "--at-least",
    type=click.Choice([level.name.lower() for level in sorted(Level, reverse=True)]),
    help="Exit with 3 when this machine gives less.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the table for a machine to read.")
@root_option
def command(*, at_least: str | None, as_json: bool, assignment: Assignment) -> None:
    """Try, from where a submission would run, what it could try, and print which layers stopped it.

    Example: autograder isolation --at-least strong
    """
    with Sandbox(isolation.strongest(), assignment.limits, hidden=isolation.hidden_files(assignment)) as sandbox:
        verified = sandbox.verified
    found = verified.isolation(assignment.required_level)
    click.echo(_json(found) if as_json else isolation.table(found))
    for remedy in remedies.remedies(verified):
        click.echo(f"autograder: {remedy}", err=True)
    if at_least is not None and verified.level < Level[at_least.upper()]:
        raise IsolationError(f"this machine gives {verified.level.name}, which is less than {at_least.upper()}")


def _json(found: Isolation) -> str:
    levels = {"level": found.level.name.lower(), "required": found.required.name.lower()}
    return json.dumps({**levels, "layers": [asdict(layer) for layer in found.layers]}, indent=2)
