"""What a submission may spend, what it reads when it has spent it, and what it can make the grader spend."""

import shutil
from typing import Any

import pytest

from autograder.assignment import load_assignment
from autograder.remote.session import RemoteSession

from .support.attacks import ASSIGNMENT, RIGHT
from .support.lane import Lane
from .support.reports import declared

pytestmark = pytest.mark.slow

WHOLE = [10.0] * 6  # the max_score of every test


@pytest.fixture
def limited(tmp_path):
    """Return a function that grades a source, in a new grader whose limits are changed."""
    lanes: list[Lane] = []

    def grade(source, change=lambda configuration: configuration, **limits):
        folder = tmp_path / f"assignment{len(lanes)}"
        shutil.copytree(ASSIGNMENT, folder)
        lines = change((folder / "pyproject.toml").read_text("utf-8")).splitlines()
        kept = [line for line in lines if line.partition(" = ")[0] not in limits]
        added = [f"{name} = {value}" for name, value in limits.items()]
        (folder / "pyproject.toml").write_text("\n".join(kept + added), encoding="utf-8")  # the limits stand last
        submission = tmp_path / f"submission{len(lanes)}"
        submission.mkdir()
        (submission / "engine.py").write_text(source, encoding="utf-8")
        lanes.append(Lane(folder))
        return lanes[-1].grade(submission)

    yield grade
    for lane in lanes:
        lane.close()


def outputs(graded):
    return [entry.get("output", "") for entry in graded.results["tests"]]


LOOPS_EVERYWHERE = (
    RIGHT
    + """
def looping(self, *_):
    while True:
        pass

Value.__init__ = Value.__add__ = Value.__mul__ = Value.tanh = Value.exp = Value.backward = looping
"""
)

LEAVES_AFTER_A_SLOW_IMPORT = (
    RIGHT
    + """
import os, time
while time.process_time() < 0.25:
    pass
Value.__init__ = lambda self, *_: os._exit(1)
"""
)

SLOW = (
    RIGHT
    + """
import time

def slow(self, data, parents=(), partials=(), make=Value.__init__):
    time.sleep(0.05)
    make(self, data, parents, partials)

Value.__init__ = slow
"""
)

ANSWERS_JUST_IN_TIME = (
    RIGHT
    + """
import time

def late(self):
    until = time.process_time() + 0.2
    while time.process_time() < until:
        pass
    return 1.0

Value.grad = property(late, lambda self, value: None)
"""
)


def test_an_engine_that_loops_everywhere_gets_a_whole_result_within_its_budget(limited):
    graded = limited(LOOPS_EVERYWHERE, submission_seconds=0.6)
    assert "blocked" in graded.statuses.values()
    assert [entry["max_score"] for entry in graded.results["tests"] if "max_score" in entry] == WHOLE
    assert graded.problems == []


def test_what_was_not_run_says_so_and_what_used_up_the_time(limited):
    graded = limited(LOOPS_EVERYWHERE, submission_seconds=0.6)
    assert outputs(graded)[-1] == "Not run: the time for this submission was used up."  # a hidden test names no other
    sentence = "Not run: the time for this submission was used up, most of it by `public/test_public.py::test_sum`."
    assert sentence in outputs(graded)
    assert list(graded.statuses.values())[-1] == "blocked"


def test_an_engine_that_is_merely_slow_gets_its_points(limited):
    assert limited(SLOW).failed == set()


def test_slow_imports_and_crashes_use_up_the_budget_too(limited):
    graded = limited(LEAVES_AFTER_A_SLOW_IMPORT, submission_seconds=1)
    assert "Not run: the time for this submission was used up" in outputs(graded)[-1]


def test_a_test_ends_at_its_own_limit_though_each_answer_is_in_time(limited):
    graded = limited(ANSWERS_JUST_IN_TIME, test_seconds=0.1)
    assert graded.statuses["public/test_public.py::test_sum"] == "timed_out"


def test_at_the_end_of_the_run_the_rest_is_not_run(limited):
    graded = limited(SLOW, run_seconds=0.2)
    assert graded.complete
    assert graded.problems == []
    assert outputs(graded)[-1].startswith("Not run: the time for this run was used up.")


def test_tests_without_points_get_a_fifth_of_the_time_and_leave_the_rest():
    nobody: Any = None
    session = RemoteSession(nobody, nobody, load_assignment(ASSIGNMENT))
    session.begin(declared("one", scored=False))
    session.budget.spend(0.6)  # of three seconds
    assert session.budget.seconds_left(scored=False) == pytest.approx(0.0)
    assert session.budget.seconds_left(scored=True) == pytest.approx(2.4)


def hidden_first(configuration):
    """Return the configuration with its two suites in the other order."""
    head, public, hidden, *rest = configuration.split("[[tool.autograder.suites]]\n")
    hidden, _, tail = hidden.partition("\n[tool")
    return "[[tool.autograder.suites]]\n".join([head, hidden + "\n", public]) + "\n[tool" + tail + "".join(rest)


def test_what_is_open_runs_before_what_is_secret_wherever_it_stands(limited):
    graded = limited(LOOPS_EVERYWHERE, hidden_first, submission_seconds=0.6)
    assert next(iter(graded.statuses)).startswith("hidden/")
    assert graded.statuses["public/test_public.py::test_sum"] == "timed_out"
    assert graded.statuses["hidden/test_hidden.py::test_product"] == "blocked"


SAYS_TOO_MUCH = (
    RIGHT
    + """
import os

class Long(Exception):
    pass

Long.__name__ = "L" * 100_000

def shouting(self, *_):
    for _ in range(40):
        os.write(1, b"\\x00\\xff\\u2028<b>" * 8192)
    raise Long("\\U0001f600" * 1_000_000)

Value.__add__ = Value.__mul__ = Value.tanh = Value.exp = shouting
"""
)

SENDS_TOO_MUCH = (
    RIGHT
    + """
import os, struct

def flood(self):
    for _ in range(1000):
        os.write(1, b"x" * 65536)
    body = bytes([0]) + struct.pack("<BI", 7, 9000) + b"\\x06\\x00\\x00\\x00\\x00" * 9000
    for sequence in range(2, 9):
        os.write(4, struct.pack("<II", len(body) + 4, sequence) + body)
    os.write(4, struct.pack("<II", 0xFFFFFFFF, 2) + bytes(1 << 20))

Value.tanh = Value.exp = Value.backward = flood
"""
)


@pytest.mark.parametrize("source", [SAYS_TOO_MUCH, SENDS_TOO_MUCH], ids=["says", "sends"])
def test_a_submission_cannot_make_the_result_or_the_grader_grow(limited, source):
    graded = limited(source, output_kb=16)
    assert len(graded.shown) < 1_000_000
    assert graded.problems == []
    assert 20 < graded.peak_mb < 80  # Python with pytest has some thirty
