"""What a test may spend on our own side with values that a submission chose, and a control without the limit."""

import contextlib
import mmap
import signal
import time

import pytest

from autograder.errors import OwnTimeout
from autograder.suites.deadline import OwnLimits

WEEK = 7 * 24 * 3600.0


@contextlib.contextmanager
def limited(cpu_seconds, wall_seconds, memory_mb):
    with OwnLimits(cpu_seconds, memory_mb) as limits, limits.of_test(wall_seconds):
        yield


def endless():
    while True:
        pass


def spend(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def swallows():
    try:
        endless()
    except OwnTimeout:
        endless()


def grown(text="a" * 4096, times=40):
    for _ in range(times):
        text = text + text
    return len(text)


def huge_power():
    return (1 << 4096) ** (1 << 40)


def huge_list():
    items = [0]
    for _ in range(40):
        items = items + items
    return items


@pytest.mark.parametrize("work", [endless, swallows])
def test_a_test_that_does_not_end_is_interrupted_by_its_cpu_time(work):
    with pytest.raises(OwnTimeout), limited(0.05, WEEK, 1024):
        work()


def test_a_test_that_waits_is_interrupted_by_the_wall_time_that_the_run_has_left():
    with pytest.raises(OwnTimeout), limited(WEEK, 0.05, 1024):
        signal.pause()


@pytest.mark.parametrize("work", [grown, huge_list, huge_power])
def test_values_that_grow_without_end_meet_a_limit(work):
    with pytest.raises((MemoryError, OwnTimeout)), limited(2.0, WEEK, 16):
        work()


def test_without_the_limit_the_same_text_grows_beyond_it():
    assert grown(times=15) > 64 << 20  # the control, bounded by its count: 128 MiB


def test_each_test_of_a_run_has_the_whole_cpu_time_and_none_is_interrupted_before_it_begins():
    with OwnLimits(0.1, 1024) as limits:
        for _ in range(3):
            with limits.of_test(WEEK):
                spend(0.04)
            spend(0.12)  # between two tests: what the run's own work takes is no test's
        with pytest.raises(OwnTimeout), limits.of_test(WEEK):
            endless()


def test_the_moment_at_which_the_run_ends_holds_for_a_later_test_too():
    with OwnLimits(WEEK, 1024) as limits:
        end = time.monotonic() + 0.1
        with limits.of_test(end - time.monotonic()):
            pass
        with pytest.raises(OwnTimeout), limits.of_test(end - time.monotonic()):
            signal.pause()


def test_the_memory_of_a_later_test_is_counted_from_what_is_mapped_then():
    with OwnLimits(WEEK, 256) as limits:
        kept: list[object] = []
        for _ in range(4):
            with limits.of_test(WEEK):
                kept.append(mmap.mmap(-1, 128 << 20))  # counted, though no page of it is touched
        with pytest.raises(MemoryError), limits.of_test(WEEK):
            kept.append(bytearray(512 << 20))


def test_afterwards_nothing_interrupts_any_more():
    with limited(0.05, 0.05, 64):
        pass
    assert signal.getitimer(signal.ITIMER_PROF)[0] == signal.getitimer(signal.ITIMER_REAL)[0] == 0.0
    assert grown(times=15) > 64 << 20


def test_a_test_that_is_over_leaves_the_handlers_of_the_program():
    before = signal.getsignal(signal.SIGPROF), signal.getsignal(signal.SIGALRM)
    with limited(WEEK, WEEK, 64):
        pass
    assert (signal.getsignal(signal.SIGPROF), signal.getsignal(signal.SIGALRM)) == before
