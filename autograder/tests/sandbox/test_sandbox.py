"""Workers start alone, end for sure, and what one does to itself meets nobody else."""

import contextlib
import ctypes
import os
import signal
import sys
import time
from pathlib import Path

import pytest

from autograder.assignment import Limits
from autograder.errors import SandboxError, WorkerCrash, WorkerTimeout
from autograder.sandbox import isolation
from autograder.sandbox.sandbox import Sandbox
from autograder.wire import format as wire
from autograder.wire.batch import encode_batch

LIMITS = Limits(request_seconds=0.5, submission_seconds=5, memory_mb=256, output_kb=4)
ENGINE = """
import os, sys, time
here, state = 1.5, []

def leave(code):
    os._exit(code)

def sleep(seconds):
    time.sleep(seconds)

def shout(text):
    print(text)

def shrink():
    for number in range(3, 64):
        try:
            os.ftruncate(number, 0)
        except OSError:
            pass

def keep(item):
    state.append(item)
    return len(state)

def address():
    return id(here)

def imported():
    return sorted(sys.modules)

def visible():
    return [sys.argv, sorted(name for name in sys.modules if name.startswith("autograder"))]
"""


@pytest.fixture(scope="module")
def sandbox():
    with Sandbox(isolation.strongest(), LIMITS) as sandbox:
        sandbox.preload(["os", "sys", "time"])
        yield sandbox


@pytest.fixture(scope="module")
def submission(tmp_path_factory):
    parent = tmp_path_factory.mktemp("submissions")
    for folder in (parent, *parent.parents[:2]):
        folder.chmod(0o711)  # pytest's own folders are 0700; a worker is another user
    directory = parent / "submission"
    directory.mkdir(0o755)
    (directory / "engine.py").write_text(ENGINE, encoding="utf-8")
    return directory


class Asked:
    """A worker whose module is loaded, and its functions by name."""

    def __init__(self, sandbox, directory):
        self.sandbox = sandbox
        self.worker = sandbox.spawn(directory, ["engine.py"], ["os", "sys", "time"])
        self.names = self.worker.exchange(encode_batch([(wire.LOAD, 1, ("engine",))]), 5.0)

    def call(self, name, *arguments, seconds=5.0):
        return self.worker.exchange(encode_batch([(wire.METHOD, 1024, (wire.Handle(1), name, arguments, {}))]), seconds)


@pytest.fixture
def asked(sandbox, submission):
    asked = Asked(sandbox, submission)
    yield asked
    sandbox.end(asked.worker)


def test_a_module_is_described_by_its_public_names(asked):
    assert asked.names["here"] == wire.OTHER
    assert asked.names["leave"] == wire.CALLABLE


def test_a_worker_keeps_its_objects(asked):
    assert [asked.call("keep", 1), asked.call("keep", 1)] == [1, 2]


def test_each_worker_starts_anew(sandbox, submission, asked):
    asked.call("keep", 1)
    other = Asked(sandbox, submission)
    assert other.call("keep", 1) == 1
    sandbox.end(other.worker)


def addresses(submission, *, hash_seed):
    """Where the same object lies in the workers of two zygotes."""
    found = []
    for _ in range(2):
        with Sandbox(isolation.strongest(), LIMITS, hash_seed=hash_seed) as sandbox:
            sandbox.preload(["os", "sys", "time"])
            asked = Asked(sandbox, submission)
            found.append(asked.call("address"))
            sandbox.end(asked.worker)
    return found


@pytest.mark.skipif(sys.platform != "linux", reason="addresses are fixed on Linux only")
def test_an_object_has_the_same_address_in_every_run(submission):
    first, second = addresses(submission, hash_seed=0)
    assert first == second


@pytest.mark.skipif(sys.platform != "linux", reason="addresses are fixed on Linux only")
def test_the_grader_keeps_its_own_personality():
    asked = ctypes.CDLL(None).personality
    before = asked(0xFFFFFFFF)
    with Sandbox(isolation.strongest(), LIMITS):
        assert asked(0xFFFFFFFF) == before


def address_after(submission, *, others, fresh):
    """Where an object lies in a worker, `others` having had theirs before, each with modules of its own."""
    with Sandbox(isolation.strongest(), LIMITS) as sandbox:
        sandbox.preload(["os", "sys", "time"])
        for number in range(others + 1):
            with sandbox.forked_zygote() if fresh else contextlib.nullcontext():
                if number < others:
                    sandbox.preload([("decimal", "json", "statistics")[number % 3]])
                asked = Asked(sandbox, submission)
                found = asked.call("address")
                sandbox.end(asked.worker)
    return found


@pytest.mark.skipif(sys.platform != "linux", reason="addresses are fixed on Linux only")
@pytest.mark.parametrize("others", [1, 2, 9, 20])
def test_who_was_graded_before_does_not_show_in_addresses(submission, others):
    alone = address_after(submission, others=0, fresh=True)
    assert address_after(submission, others=others, fresh=True) == alone


@pytest.mark.skipif(sys.platform != "linux", reason="addresses are fixed on Linux only")
def test_without_a_copy_of_the_zygote_it_does(submission):
    alone = address_after(submission, others=0, fresh=False)
    assert address_after(submission, others=9, fresh=False) != alone


def test_what_was_imported_for_one_submission_is_gone_for_the_next(submission):
    with Sandbox(isolation.strongest(), LIMITS) as sandbox:
        sandbox.preload(["os", "sys", "time"])
        with sandbox.forked_zygote():
            sandbox.preload(["statistics"])
        with sandbox.forked_zygote():
            asked = Asked(sandbox, submission)
            assert "statistics" not in asked.call("imported")
            sandbox.end(asked.worker)


@pytest.mark.skipif(sys.platform != "linux", reason="addresses are fixed on Linux only")
def test_with_another_hash_seed_addresses_differ_from_run_to_run(submission):
    first, second = addresses(submission, hash_seed=1)
    assert first != second


def test_a_worker_that_leaves_has_crashed_with_its_exit_code(sandbox, submission):
    asked = Asked(sandbox, submission)
    with pytest.raises(WorkerCrash):
        asked.call("leave", 7)
    assert sandbox.end(asked.worker).exit_code == 7


def test_a_worker_that_sleeps_is_ended(sandbox, submission):
    asked = Asked(sandbox, submission)
    with pytest.raises(WorkerTimeout):
        asked.call("sleep", 60.0, seconds=0.05)
    ending = sandbox.end(asked.worker)
    assert (ending.killed, ending.exit_code) == (True, -signal.SIGKILL)


def test_what_a_worker_prints_is_kept_apart(asked):
    asked.call("shout", "hello")
    assert asked.worker.channel.take_output() == "hello\n"


def test_a_worker_that_truncates_what_it_holds_does_not_take_the_grader_along(asked):
    asked.call("shrink")
    assert asked.worker.position >= 0


def test_a_worker_sees_no_module_of_the_grader(asked):
    assert asked.call("visible") == [[""], []]


def test_preloading_names_what_is_not_there(sandbox):
    assert sandbox.preload(["math", "no_such_module"]) == ("no_such_module",)


def test_no_worker_outlives_its_sandbox(submission):
    with Sandbox(isolation.strongest(), LIMITS) as sandbox:
        sandbox.preload(["os", "sys", "time"])
        worker = Asked(sandbox, submission).worker
    deadline = time.monotonic() + 60  # it takes a moment; on a busy machine, a long one
    while time.monotonic() < deadline and os.path.exists(f"/proc/{worker.pid}"):  # noqa: PTH110 - no Path is needed
        time.sleep(0.01)
    with pytest.raises(ProcessLookupError):
        os.kill(worker.pid, 0)


@pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")
def test_a_grader_that_ends_before_the_self_test_leaves_no_words_behind(capfd):
    Sandbox(isolation.strongest(), LIMITS).close()
    assert capfd.readouterr().err == ""


def test_a_zygote_that_ended_is_the_graders_failure(submission):
    before = children()
    sandbox = Sandbox(isolation.strongest(), LIMITS)
    sandbox.preload([])
    (zygote,) = children() - before
    os.kill(zygote, signal.SIGKILL)
    with pytest.raises(SandboxError):
        sandbox.spawn(submission, ["engine.py"], [])
    sandbox.close()


def children():
    """Return the processes that this one started."""
    own = os.getpid()
    return set(map(int, Path(f"/proc/{own}/task/{own}/children").read_text("ascii").split()))
