"""Which tests share a worker, and when the next one is made ready."""

import gc
import weakref
from types import SimpleNamespace
from typing import Any

import pytest

from autograder.assignment import load_assignment
from autograder.remote.session import RemoteSession
from autograder.sandbox.handle import Ending
from autograder.wire import format as wire

from ..support.attacks import ASSIGNMENT
from ..support.reports import SECRET, declared

FURTHER = declared("extra", id="public/test_further.py::test_extra", scored=False, points=0)
MORE = declared("more", id="public/test_more.py::test_more")
HIDDEN = declared("hidden", SECRET)


class Spawned:
    """Stands for a sandbox: keeps how many workers it gave out, and which have ended."""

    def __init__(self):
        self.given, self.ended = 0, []

    def spawn(self, *_, **__):
        self.given += 1
        number = self.given
        self.channel = channel = SimpleNamespace(take_output=lambda: str(number))  # each prints who it is
        modules: dict[str, tuple[int, dict[str, int]]] = {"engine": (1, {"Value": wire.CLASS})}
        value = wire.Opaque(wire.FIRST_OBJECT, wire.OTHER, "Value")  # what every operation gives
        return SimpleNamespace(
            number=number,
            modules=modules,
            loading="",
            used=0.0,
            position=0,
            channel=channel,
            load=lambda *_: None,
            exchange=lambda *_: value,
        )

    def end(self, worker):
        self.ended.append(worker.number)
        return Ending(exit_code=0, killed=True, cpu_seconds=0.0, peak_mb=0.0)


@pytest.fixture
def sandbox():
    return Spawned()


@pytest.fixture
def session(sandbox):
    submission: Any = SimpleNamespace(directory=None, files=())
    return RemoteSession(sandbox, submission, load_assignment(ASSIGNMENT))


def serving(session, test, *, more=False):
    """Return the number of the worker that serves `test`."""
    session.begin(test, more=more)
    session.module("engine")
    number = int(session.output())
    session.end()
    return number


def test_the_scored_tests_of_a_suite_share_a_worker(session):
    assert [serving(session, test) for test in (declared(), declared("other"), MORE)] == [1, 1, 1]


def test_every_request_of_a_submission_ends_with_its_run(session, sandbox):
    serving(session, declared())
    assert sandbox.channel.run_end == session.budget.run_end


def test_a_suite_does_not_share_a_worker_with_another(session, sandbox):
    assert [serving(session, test) for test in (declared(), HIDDEN)] == [1, 2]
    assert sandbox.ended == [1]


def test_a_file_without_points_has_a_worker_to_itself(session):
    assert [serving(session, test) for test in (declared(), FURTHER, HIDDEN)] == [1, 2, 3]


def test_the_next_worker_is_made_ready_while_a_test_runs(session, sandbox):
    session.begin(declared(), more=True)
    assert sandbox.given == 2
    assert serving(session, HIDDEN) == 2


def test_what_a_submission_did_is_freed_with_its_session_and_waits_for_no_collection(session):
    gc.disable()
    try:
        session.begin(declared())
        (session.module("engine").Value(2.0) * 3.0).backward()
        tape = weakref.ref(session.tape)
        assert tape() is session.tape  # the control
        session.end()
        session.close()
        assert tape() is None
    finally:
        gc.enable()
