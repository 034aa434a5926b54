"""A call into C on our own side, which no signal interrupts, ends with the run: nobody's zero, its test named."""

import ctypes
import os
import subprocess
import sys
import time

import pytest

from autograder.assignment import load_assignment
from autograder.grading import grade, last
from autograder.sandbox.watchdog import Journal

from ..support.course import make_course
from ..support.exports import RIGHT, write_folder

# The declared types hold: an integer of eight bytes. What the tests compute with it takes Python no step, and weeks.
COUNTS = "def double(x):\n    return 4 if x == 2 else 10**18\n"
SUITE = """
import ctypes
import pytest

@pytest.mark.points(2)
def test_double(doubling):
    assert doubling.double(2) == 4

@pytest.mark.points(1)
def test_more(doubling):
    {}
"""
SUMS = "assert sum(range(doubling.double(3))) == 15"
WAITS = """lock, libc = ctypes.create_string_buffer(64), ctypes.PyDLL(None)
    for _ in range(1 + (doubling.double(3) > 6)):
        libc.pthread_mutex_lock(lock)"""
LIMITS = "[tool.autograder.limits]\nrun_seconds = 2\n\n"
FIRST = '[[tool.autograder.suites]]\nname = "public"'
VERB = "import sys; from autograder.sandbox import watchdog; watchdog.SLACK_SECONDS = float(sys.argv.pop(1)); "
VERB += "from autograder.cli import main; main()"


@pytest.fixture
def course(tmp_path):
    course = make_course(tmp_path / "source")
    course.edit("pyproject.toml", FIRST, LIMITS + FIRST)
    return course


@pytest.fixture
def started(tmp_path, course):
    """Return a function that starts a verb with the attack; the directory of temporary files; and results.json."""
    submission = write_folder(tmp_path / "submission", {"doubling.py": COUNTS})
    temporary, results = tmp_path / "temporary", tmp_path / "results/results.json"
    temporary.mkdir()
    results.parent.mkdir()
    options = {
        "grade": [str(submission), "--root", str(course.root), "--results", str(results)],
        "gradescope": ["--root", str(tmp_path)],
    }
    running = []

    def start(verb, test, slack):
        (course.root / "tests_public/test_double.py").write_text(SUITE.format(test), "utf-8")
        assert course.run("manifest").returncode == 0
        command = [sys.executable, "-c", VERB, str(slack), verb, *options[verb]]
        environment = {**os.environ, "TMPDIR": str(temporary)}
        running.append(subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, encoding="utf-8"))
        return running[-1]

    yield start, temporary, results
    for process in running:
        process.kill()
        process.communicate()


@pytest.mark.slow
@pytest.mark.parametrize(("verb", "test"), [("grade", SUMS), ("gradescope", WAITS)])
def test_a_test_that_no_signal_interrupts_ends_with_the_run_and_judges_nobody(started, verb, test):
    start, temporary, results = started
    process = start(verb, test, slack=0.5)
    words = process.communicate(timeout=60)[1]
    assert process.returncode == 3, words
    assert "the 2 s of this run are over" in words
    assert "in public/test_double.py::test_more; what that test would find is not known" in words
    assert "  passed        public/test_double.py::test_double\n" in words
    assert not results.exists()
    assert list(temporary.iterdir()) == []


@pytest.mark.slow
def test_without_the_watchdog_it_goes_on(started):  # the control, bounded
    start, _, results = started
    process = start("grade", WAITS, slack=1000)
    deadline = time.monotonic() + 60
    while not results.exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(3.5)
    assert results.exists()


def test_afterwards_the_signal_has_its_handler_again(tmp_path, course):
    submission = write_folder(tmp_path / "submission", {"doubling.py": RIGHT})
    libc = ctypes.CDLL(None)
    libc.signal.argtypes, libc.signal.restype = (ctypes.c_int, ctypes.c_void_p), ctypes.c_void_p
    mine = ctypes.CFUNCTYPE(None, ctypes.c_int)(lambda _: None)
    address = ctypes.cast(mine, ctypes.c_void_p).value
    before = libc.signal(3, address)
    try:
        assert last(grade(load_assignment(course.root), submission)).score.earned == 4
        assert libc.signal(3, before) == address
    finally:
        libc.signal(3, before)


def test_a_journal_names_the_test_under_way_to_another_process():
    journal = Journal()
    pid = os.fork()
    if pid == 0:
        journal.begin("a")
        journal.end("passed")
        journal.begin("b")
        os._exit(0)
    os.waitpid(pid, 0)
    assert journal.under_way == "b"


def test_a_journal_that_was_cleared_names_nothing():
    journal = Journal()
    journal.begin("a")
    journal.clear()
    assert journal.under_way == ""
