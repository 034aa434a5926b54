"""What a process used is read from outside: CPU time of all its threads, and a tenth of the wall's when it sleeps."""

import subprocess
import sys
import time

import pytest

from autograder.sandbox.cpu_clock import WALL_PER_SECOND, Meter, clock_of

BURN = """
import sys, threading, time

def burn():
    while time.process_time() < 0.3:
        pass

threads = [threading.Thread(target=burn) for _ in range(3)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
print(time.process_time(), flush=True)
sys.stdin.read()
"""
linux = pytest.mark.skipif(sys.platform != "linux", reason="no clock of another process")


@pytest.fixture
def burnt():
    """Return a process that has burnt some time, and how much by its own account."""
    with subprocess.Popen([sys.executable, "-c", BURN], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout
        yield process, float(process.stdout.readline())
        process.kill()


@linux
def test_the_clock_of_a_process_counts_all_its_threads(burnt):
    process, own = burnt
    read = clock_of(process.pid)
    assert read
    assert read() >= own >= 0.3


@linux
def test_a_process_that_ended_keeps_what_it_had_used(burnt):
    process, _ = burnt
    meter = Meter(process.pid)
    meter.start()
    process.kill()
    process.wait()
    assert meter.read() < 0.3


@linux
def test_waiting_for_one_that_sleeps_counts_a_tenth(burnt):
    process, _ = burnt
    meter = Meter(process.pid)
    meter.start()
    began = time.monotonic()
    time.sleep(0.2)
    used, waited = meter.read(), time.monotonic() - began
    assert 0.2 / WALL_PER_SECOND <= used < waited


def test_without_a_clock_the_wall_counts(monkeypatch):
    monkeypatch.setattr("sys.platform", "darwin")
    meter = Meter(1)
    meter.start()
    time.sleep(0.05)
    assert meter.read() >= 0.05


def test_what_counts_adds_up_over_waits():
    meter = Meter(None)
    for _ in range(2):
        meter.start()
        time.sleep(0.02)
        meter.read()
        meter.read()
    assert meter.used >= 0.04
