"""How a worker ended is told by its own status, also if it was killed while it was on its way out."""

import os
import time

import pytest

from autograder.wire import format as wire
from autograder.worker import zygote


def started(act):
    pid = os.fork()
    if pid == 0:
        act()
        os._exit(0)
    return pid


@pytest.fixture
def busy_machine(monkeypatch):
    """Let each process seem to run at first: on a busy machine its pipes are closed for a while before it is gone."""
    wait = os.wait4

    def wait4(pid, options):
        if options & os.WNOHANG:
            return (0, 0, None)
        return wait(pid, options)

    monkeypatch.setattr(os, "wait4", wait4)


def ended(pid):
    """Return the exit code, and whether the worker was killed by us."""
    exit_code, killed, _, _ = wire.ENDED.unpack(zygote._end(pid, 0, {pid}))
    return exit_code, bool(killed)


@pytest.mark.parametrize("code", [7, 0])
def test_one_that_leaves_while_it_is_ended_left_by_itself(busy_machine, code):
    pid = started(lambda: os._exit(code))
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)  # it is gone, and not waited for
    assert ended(pid) == (code, False)


def test_one_that_runs_on_is_killed_by_us(busy_machine):  # the control
    assert ended(started(lambda: time.sleep(60))) == (-9, True)


def test_one_that_was_gone_before_left_by_itself():
    pid = started(lambda: os._exit(7))
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    assert ended(pid) == (7, False)
