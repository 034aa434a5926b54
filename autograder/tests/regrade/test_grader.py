"""A grader answers, or it is said how it ended instead."""

import os
import signal
import time

import pytest

from autograder.regrade.lanes.fork import Fork, ForkEnded
from autograder.regrade.lanes.frames import Inbox


@pytest.fixture
def lane():
    """The inbox of a lane in which nothing arrives."""
    reader, writer = os.pipe()
    yield Inbox(reader)
    os.close(writer)
    os.close(reader)


def asked(work, lane, seconds=5.0):
    """Return what a grader that does `work` answers to one message."""
    one = Fork(work, name="the grader", doing="grading it")
    try:
        return one.ask(b"message", seconds, lane)
    finally:
        one.end()


def dies(_):
    os.kill(os.getpid(), signal.SIGKILL)


def sleeps(_):
    time.sleep(30)


def test_a_grader_answers_with_its_work(lane):
    assert asked(lambda message: message[::-1], lane) == b"egassem"


def test_one_that_ends_is_said_to_have_ended(lane):
    with pytest.raises(ForkEnded, match="ended with signal 9") as problem:
        asked(dies, lane)
    assert not problem.value.late


def test_one_that_takes_too_long_is_ended_and_its_limit_named(lane):
    with pytest.raises(ForkEnded, match=r"^grading it took longer than 0\.2 s$") as problem:
        asked(sleeps, lane, seconds=0.2)
    assert problem.value.late
