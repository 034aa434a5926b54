"""Two submissions that work together, and what one can tell the other by numbers that the machine counts for both."""

import os
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from autograder.assignment import Limits
from autograder.model import Level
from autograder.sandbox import isolation
from autograder.sandbox.sandbox import Sandbox
from autograder.wire import format as wire
from autograder.wire.batch import encode_batch

if sys.platform != "linux" or os.geteuid() != 0:
    pytest.skip("only root on Linux may make a process namespace", allow_module_level=True)
if subprocess.run(["unshare", "--pid", "--fork", "true"], capture_output=True, check=False).returncode:
    pytest.skip("no process namespace may be made here", allow_module_level=True)

SAID = 40  # what one of them tells the other
ENGINE = """
import os, threading

def number():
    found = []
    thread = threading.Thread(target=lambda: found.append(threading.get_native_id()))
    thread.start()
    thread.join()
    return found[0]

def say(count):
    for _ in range(count):
        number()
    return 0

def own(_):
    return os.getpid()

def next_number(_):
    return number()
"""


@pytest.fixture
def submission(tmp_path):
    """Return a directory with the engine of both; the user of a worker may read it."""
    tmp_path.chmod(0o755)
    (tmp_path / "engine.py").write_text(ENGINE, "utf-8")
    return tmp_path


@pytest.fixture
def worker_of(submission):
    """Return a function that starts a worker as the grading of another submission would."""
    with ExitStack() as ends:

        def start():
            sandbox = ends.enter_context(Sandbox(Level.STRONG, Limits()))
            ends.enter_context(sandbox.forked_zygote())
            worker = sandbox.spawn(submission, ["engine.py"], ["os", "threading"])
            ends.callback(sandbox.end, worker)
            worker.exchange(encode_batch([(wire.LOAD, 1, ("engine",))]), 10)
            return worker

        yield start


def asked(worker, name, argument=0):
    return worker.exchange(encode_batch([(wire.METHOD, 2000, (wire.Handle(1), name, [argument], {}))]), 10)


def heard(speaker, listener):
    """Return by how much the listener's numbers grew while the speaker spoke."""
    before = asked(listener, "next_number")
    asked(speaker, "say", SAID)
    return asked(listener, "next_number") - before


def test_the_numbers_of_processes_carry_nothing_to_another_submission(worker_of):
    assert heard(worker_of(), worker_of()) == 1  # its own new thread


def test_without_a_namespace_they_carry_what_the_other_wants_to_say(worker_of, monkeypatch):  # the control
    strong = tuple(each for each in isolation._MECHANISMS[Level.STRONG] if each != "namespaces")
    monkeypatch.setitem(isolation._MECHANISMS, Level.STRONG, strong)
    assert heard(worker_of(), worker_of()) > SAID


def test_a_worker_is_known_outside_by_the_number_that_it_has_there(worker_of):
    worker = worker_of()
    status = Path(f"/proc/{worker.pid}/status").read_text("ascii")
    numbers = next(line.split()[1:] for line in status.splitlines() if line.startswith("NSpid"))
    assert numbers[0] == str(worker.pid)
    assert numbers[-1] == str(worker.number) == str(asked(worker, "own"))
    assert len(numbers) > 1


def test_the_clock_of_a_worker_in_a_namespace_is_its_own(worker_of):
    worker = worker_of()
    asked(worker, "say", SAID)
    before = worker.channel.meter._last
    asked(worker, "say", SAID)
    assert worker.channel.meter._read is not None
    assert worker.channel.meter._last > before > 0
