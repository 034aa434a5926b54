"""An operation that never comes back costs the tests that need it, and no other: as one that raises does."""

import functools

import pytest
from msgspec.structs import replace

from autograder import grading
from autograder.assignment import load_assignment
from autograder.failure import BlockedBy
from autograder.model import Status
from autograder.remote import returns
from autograder.suites.manifest import write_manifests
from autograder.suites.runner import collected_suites

from ..support.attacks import RIGHT

CONFIGURATION = """
[tool.autograder]
name = "each-operation"
imports = ["math", "time"]

[[tool.autograder.suites]]
name = "public"
path = "tests_public"
points = 32

[[tool.autograder.suites]]
name = "hidden"
path = "tests_hidden"
points = 32
secret = true

[tool.autograder.modules.engine]
file = "engine.py"
numbers = ["data", "grad"]
deferred = ["operators", "tanh", "exp", "backward"]
returns = { double = "number" }

[tool.autograder.limits]
request_seconds = 0.1
test_seconds = 1
submission_seconds = 0.4
run_seconds = 60
"""

# Four tests of each operation, those of one operation after one another, as far as they need no other.
SUITE = """
import pytest
from pytest import approx

pytestmark = pytest.mark.hint("Look at this operation.")

def passed_back(x, y):
    y.backward()
    return x.grad

ASKED = {
    "+": lambda engine, x: (x + x).data == 4,
    "*": lambda engine, x: (x * x).data == 4,
    "__rmul__": lambda engine, x: (3 * x).data == 6,
    "tanh": lambda engine, x: x.tanh().data == approx(0.9640275800758169),
    "exp": lambda engine, x: x.exp().data == approx(7.38905609893065),
    "backward": lambda engine, x: passed_back(x, x) == 1,
    "double": lambda engine, x: engine.double(2.5) == 5,
    ".grad": lambda engine, x: x.grad == 0,
}

@pytest.mark.points(1)
@pytest.mark.parametrize("time", range(4))
@pytest.mark.parametrize("name", ASKED)
def test_operation(engine, name, time):
    assert ASKED[name](engine, engine.Value(2.0))
"""

ENGINE = (
    RIGHT.replace("import math", "import math\nimport time")
    + """
    def __rmul__(self, other):
        return Value(other * self.data, (self,), (other,))

def double(number):
    return 2 * number
"""
)
RAISES = "\ndef changed(self, *_):\n    raise RuntimeError\n"
LOOPS = "\ndef changed(self, *_):\n    while True:\n        pass\n"
SLEEPS = "\ndef changed(self, *_):\n    time.sleep(1000)\n"
METHODS = {"+": "__add__", "*": "__mul__", "__rmul__": "__rmul__", "tanh": "tanh", "exp": "exp", "backward": "backward"}


def with_changed(operation, behaviour):
    """Return the engine in which one operation behaves otherwise."""
    if operation == "double":
        return ENGINE + behaviour + "double = changed\n"
    if operation == ".grad":  # property first: an instance would hide a plain attribute
        return ENGINE + behaviour + "Value.grad = property(changed, lambda self, value: None)\n"
    return ENGINE + behaviour + f"Value.{METHODS.get(operation, '__init__')} = changed\n"


@pytest.fixture(scope="module")
def assignment(tmp_path_factory):
    root = tmp_path_factory.mktemp("course")
    (root / "pyproject.toml").write_text(CONFIGURATION, encoding="utf-8")
    for suite in ("tests_public", "tests_hidden"):
        (root / suite).mkdir()
        (root / suite / f"test_operations_of_{suite}.py").write_text(SUITE, encoding="utf-8")
    found = load_assignment(root)
    with collected_suites(found, manifests=False) as suites:
        write_manifests(found, suites.tests)
    return found


@pytest.fixture(scope="module")
def graded(assignment, tmp_path_factory):
    """Return a function that returns the last report of an engine's source, graded once for all tests that ask."""
    file = tmp_path_factory.mktemp("submission") / "engine.py"

    @functools.cache
    def report(source):
        file.write_text(source, encoding="utf-8")
        return grading.last(grading.grade(assignment, file))

    return report


def lost(report):
    return {outcome.test.id for outcome in report.outcomes if outcome.status is not Status.PASSED}


def starved(report):
    return [outcome for outcome in report.outcomes if outcome.blocked_by is BlockedBy.SUBMISSION_TIME]


OTHERS = [name for name in METHODS if name not in ("+", "backward")]
EACH = ["+", "backward", "double", ".grad", *(pytest.param(name, marks=pytest.mark.slow) for name in OTHERS)]


@pytest.mark.parametrize("operation", EACH)
def test_a_loop_in_an_operation_loses_what_an_exception_there_loses(graded, operation):
    looping, raising = (graded(with_changed(operation, behaviour)) for behaviour in (LOOPS, RAISES))
    assert len(lost(raising)) >= 8
    assert lost(looping) == lost(raising)


@pytest.mark.slow
def test_without_giving_up_the_tests_of_other_operations_are_not_run(assignment, tmp_path, monkeypatch):
    monkeypatch.setattr(returns, "TIMEOUTS_BEFORE_GIVING_UP", 1000)
    limits = replace(assignment.limits, submission_seconds=0.15)  # also where a loop is ended by the wall's clock
    (tmp_path / "engine.py").write_text(with_changed("+", LOOPS), encoding="utf-8")
    assert starved(grading.last(grading.grade(replace(assignment, limits=limits), tmp_path / "engine.py")))


@pytest.mark.slow
def test_an_operation_that_sleeps_is_given_up_too(graded):
    assert len(lost(graded(with_changed("tanh", SLEEPS)))) == 8


def test_a_constructor_that_loops_fails_every_test_and_ends_soon(graded):
    report = graded(with_changed("Value", LOOPS))
    assert len(lost(report)) == 64
    assert starved(report) == []


@pytest.mark.parametrize("operation", EACH)
def test_a_test_that_is_given_up_names_the_operation(graded, operation):
    report = graded(with_changed(operation, LOOPS))
    given_up = [o for o in report.outcomes if o.failure and o.failure.explanation.startswith("Not asked again")]
    assert {o.status for o in given_up} == {Status.TIMED_OUT}
    assert {o.failure.explanation for o in given_up} == {
        f"Not asked again: `{operation}` never came back in the tests before."
    }
    assert len(given_up) >= 6


def test_an_operation_that_came_back_once_is_asked_again(graded):
    loops_later = (
        "\ndef changed(self, times=[0], right=Value.tanh):\n    times[0] += 1\n"
        "    while times[0] in (2, 3):\n        pass\n    return right(self)\n"
    )  # a worker of its own counts for itself: the third is made after two timeouts
    report = graded(ENGINE + loops_later + "Value.tanh = changed\n")
    assert not any("Not asked again" in o.failure.explanation for o in report.outcomes if o.failure)
    assert any(o.status is Status.PASSED for o in report.outcomes if "tanh" in o.test.id)
