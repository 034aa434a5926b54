"""`autograder isolation` prints a line for every layer, for people and for machines."""

import json

from click.testing import CliRunner

from autograder.cli import main
from autograder.sandbox.isolation import LAYERS

from ..support.levels import REPOSITORY, needs_linux


@needs_linux
def test_the_verb_prints_a_line_for_every_layer():
    shown = CliRunner().invoke(main, ["isolation", "--root", str(REPOSITORY)])
    assert [line.split()[0] for line in shown.stdout.splitlines()] == ["isolation:", *LAYERS]


@needs_linux
def test_a_machine_reads_the_same():
    shown = CliRunner().invoke(main, ["isolation", "--json", "--root", str(REPOSITORY)])
    assert [layer["layer"] for layer in json.loads(shown.stdout)["layers"]] == list(LAYERS)
