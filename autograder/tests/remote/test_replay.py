"""A test that failed is performed again before anything is asked about it, by a worker that serves nothing else."""

from types import SimpleNamespace
from typing import Any

import pytest

from autograder.diagnosis.diagnose import diagnose
from autograder.errors import WorkerCrash, WorkerError
from autograder.remote.module import RemoteModule
from autograder.remote.replay import Replay, Respondent
from autograder.remote.tape import Tape
from autograder.wire import format as wire
from autograder.wire.format import OPERATOR_CODES

from ..support.attacks import HOSTILE, RIGHT
from ..support.near import INTERFACE, Near

LEARNING = [
    RIGHT + (HOSTILE / f"t90_learn_from_{what}.py").read_text("utf-8") for what in ("a_diagnosis", "known_numbers")
]
each_way_to_learn = pytest.mark.parametrize("source", LEARNING, ids=["a question", "known numbers"])


def performed(near, test):
    """Return the tape of a test."""
    tape = Tape(near, lambda: 1.0)
    tape.reset()
    test(RemoteModule(tape, INTERFACE, 1, near.names))
    tape.flush()
    return tape


def asked(tape, near):
    lost: list[WorkerError] = []
    return Replay(tape, lambda: near, lost.append), lost


def tripled(engine):
    x = engine.Value(3.0)
    assert x.data == 3.0  # one batch
    assert (x + x + x).data == 9.0  # and another


def test_another_worker_holds_the_same_objects_under_the_same_handles():
    tape, other = performed(Near(RIGHT), tripled), Near(RIGHT)
    replay, _ = asked(tape, other)
    total = tape.steps[-2].result
    assert replay.ask([(wire.GETATTR, (total, "data"))], 1.0) == 9.0
    assert len(other.requests) == len(tape.sent) + 1


def test_what_a_question_made_has_the_next_handle_and_stays():
    replay, _ = asked(performed(Near(RIGHT), tripled), Near(RIGHT))
    squared, x = replay.unused, wire.Handle(wire.FIRST_OBJECT + 2)
    replay.ask([(OPERATOR_CODES["mul"], (x, x))], 1.0)
    assert replay.ask([(wire.GETATTR, (squared, "data"))], 1.0) == 9.0


def test_the_worker_of_the_test_is_asked_nothing():
    near = Near(RIGHT)
    tape = performed(near, tripled)
    before = len(near.requests)
    replay, _ = asked(tape, Near(RIGHT))
    replay.ask([(wire.GETATTR, (wire.Handle(1), "__name__"))], 1.0)
    assert len(near.requests) == before


def test_nothing_is_asked_of_a_submission_that_does_not_do_the_same_again():
    raises = RIGHT + "\ndef other(*_):\n    raise ValueError\n\nValue.__add__ = other\n"
    replay, lost = asked(performed(Near(RIGHT), tripled), Near(raises))
    with pytest.raises(WorkerError, match="did not do the same again"):
        replay.ask([(wire.GETATTR, (wire.Handle(1), "__name__"))], 1.0)
    assert len(lost) == 1


def test_a_worker_that_ends_while_it_is_questioned_is_given_up():
    other = Near(RIGHT)
    replay, lost = asked(performed(Near(RIGHT), tripled), other)
    other.crash = WorkerCrash("gone")
    with pytest.raises(WorkerCrash):
        replay.ask([(wire.GETATTR, (wire.Handle(1), "__name__"))], 1.0)
    assert lost == [other.crash]


def respondent():
    """Return a respondent, and the list of what happens to its workers."""
    happened: list[str] = []

    def spawn() -> Any:
        happened.append("spawn")
        return SimpleNamespace()

    return Respondent(spawn, lambda _, name: happened.append(name), lambda _: happened.append("end")), happened


def test_each_suite_is_asked_about_in_a_worker_of_its_own():
    one, happened = respondent()
    tape: Any = SimpleNamespace(modules=["engine"])
    for suite in ("public", "public", "hidden"):
        one.ready(tape, suite)
    assert happened == ["spawn", "engine", "engine", "end", "spawn", "engine"]


def wrong(engine):
    x = engine.Value(3.0)
    (x * x + x).backward()
    return x.grad


@each_way_to_learn
def test_control_an_engine_that_is_questioned_in_its_own_worker_learns_that_it_was_wrong(source):
    near = Near(source)
    diagnose(asked(performed(near, wrong), near)[0])
    assert gradient_of_wrong(near) == 7.0


@each_way_to_learn
def test_an_engine_that_is_questioned_in_another_worker_stays_as_it_was(source):
    near = Near(source)
    diagnose(asked(performed(near, wrong), Near(source))[0])
    assert gradient_of_wrong(near) != 7.0


def gradient_of_wrong(near):
    return wrong(RemoteModule(performed(near, lambda _: None), INTERFACE, 1, near.names))
