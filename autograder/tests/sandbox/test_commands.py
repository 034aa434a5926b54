"""Both ends agree on what crosses between the grader and the zygote."""

import typing

import pytest

from autograder.sandbox import commands as ours
from autograder.worker import commands as theirs

COMMANDS = ["Begin", "Finish", "Preload", "Spawn", "End", "SelfTest", "Watch"]
PLAIN = ["Confinement", "Decoys", "Trial", "WatchOrder"]


@pytest.mark.parametrize("name", [*COMMANDS, *PLAIN])
def test_the_zygote_describes_the_fields_that_the_grader_sends(name):
    described = typing.get_type_hints(getattr(theirs, name)).keys() - {"do"}
    assert set(getattr(ours, name).__struct_fields__) == described


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_is_told_by_the_same_word(name):
    (word,) = typing.get_args(typing.get_type_hints(getattr(theirs, name))["do"])
    assert getattr(ours, name).__struct_config__.tag == word


def test_every_command_of_the_zygote_is_known_to_the_grader():
    assert {command.__name__ for command in typing.get_args(theirs.Command)} == set(COMMANDS)
