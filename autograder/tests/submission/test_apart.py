"""Reading happens in a process of its own: whatever it meets, the grader goes on at the deadline."""

import os
import signal
import time
import unicodedata

import pytest

from autograder.errors import SubmissionError, UnreadError
from autograder.submission.apart import read_apart

MARKS = "e" + "\u0315\u0300" * 200_000  # composing it takes half a minute, all of it within one call


def test_what_was_read_comes_back_whatever_its_size():
    assert read_apart(lambda: b"x" * (9 << 20)) == b"x" * (9 << 20)


def test_a_refusal_stays_a_refusal_in_its_own_words():
    def refuse():
        raise SubmissionError("\udcff is a link; hand in the file itself")

    with pytest.raises(SubmissionError, match=r"\\udcff is a link; hand in the file itself"):
        read_apart(refuse)


def sleep():
    time.sleep(60)
    return b""


@pytest.mark.parametrize(
    "work",
    [lambda: unicodedata.normalize("NFC", MARKS).encode(), sleep],
    ids=["within one call into C", "asleep"],
)
def test_work_that_does_not_end_is_killed_at_the_deadline(work):
    with pytest.raises(UnreadError, match=r"reading it took longer than 0\.5 s"):
        read_apart(work, 0.5)


@pytest.mark.slow
def test_a_signal_alone_would_not_interrupt_one_call_into_c():  # the control: why it must be another process
    def interrupted():
        signal.signal(signal.SIGALRM, lambda *_: os._exit(7))
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        unicodedata.normalize("NFC", MARKS)
        return b""

    with pytest.raises(UnreadError, match="took longer"):
        read_apart(interrupted, 1.0)


def test_a_file_that_waits_for_its_writer_is_given_up(tmp_path):
    os.mkfifo(tmp_path / "engine.py")
    with pytest.raises(UnreadError, match="took longer"):
        read_apart((tmp_path / "engine.py").read_bytes, 0.3)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_reader_that_is_ended_costs_only_what_it_read(number):
    def end_itself():
        os.kill(os.getpid(), number)
        return sleep()

    with pytest.raises(UnreadError, match=f"ended with signal {int(number)}"):
        read_apart(end_itself)


def test_memory_that_runs_out_costs_only_what_was_read():
    with pytest.raises(UnreadError, match="MemoryError"):
        read_apart(lambda: bytes(1 << 60))


def test_an_unexpected_exception_is_no_verdict_on_the_submission():
    with pytest.raises(UnreadError, match="could not be read: ZeroDivisionError"):
        read_apart(lambda: bytes(1 // 0))


def test_no_process_is_left_behind(tmp_path):
    def hang():
        (tmp_path / "pid").write_text(str(os.getpid()))
        return sleep()

    with pytest.raises(UnreadError):
        read_apart(hang, 0.5)
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)
