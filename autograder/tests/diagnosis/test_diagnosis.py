"""What is said of a backward pass as a whole, and that of correct engines nothing is said."""

import sys
from pathlib import Path
from types import ModuleType

import pytest

from autograder.diagnosis.codes import MISTAKES
from autograder.diagnosis.diagnose import diagnose
from autograder.errors import WorkerTimeout

from ..support.near import Near
from ..support.small import ENGINE, after, assigning, edited, recorded
from .test_diagnosis_operators import computing

CORRECT = sorted((Path(__file__).parents[1] / "mistakes/correct").glob("*.py"))
ORDER = ENGINE[ENGINE.index("        topo = []") :]


def used_at_two_depths(engine):
    a = engine.Value(1.5)
    b = a * 2
    c = b + 1
    d = c * c
    (d * b + b * c).backward()
    return a.grad


def square_of_a_square(engine):
    a = engine.Value(1.5)
    b = a * a
    (b * b + b).backward()
    return a.grad


def doubled_twice(engine):
    a = engine.Value(1.5)
    b = a + a
    (b + b).backward()
    return a.grad


def two_branches(engine):
    a = engine.Value(1.5)
    b = a + 1
    ((b * 2) * (b * 3)).backward()
    return a.grad


def equal_twins(engine):
    a, b = engine.Value(1.5), engine.Value(1.5)
    ((a * 2) * (b * 2)).backward()
    return a.grad, b.grad


def in_place(engine):
    a = x = engine.Value(1.5)
    x += 1
    (x * a).backward()
    return a.grad


def doublings(engine):
    x = engine.Value(1.0)
    for _ in range(25):
        x = x + x
    return x.data


BREADTH_FIRST = """        self.grad = 1.0
        waiting, seen = [self], {self}
        while waiting:
            v = waiting.pop(0)
            v._backward()
            for c in v._prev:
                if c not in seen:
                    seen.add(c)
                    waiting.append(c)
"""
RECURSIVE = """        self.grad = 1.0
        def go(v):
            v._backward()
            for c in v._prev:
                go(c)
        go(self)
"""
BY_VALUE = """    def __eq__(self, other):
        return self.data == other.data
    def __hash__(self):
        return hash(self.data)
"""
PASSES = [
    ("visited-again", ("                topo.append(v)", "            topo.append(v)"), square_of_a_square),
    ("visited-again", (ORDER, RECURSIVE), square_of_a_square),
    ("visited-again", ("v not in visited", "True"), square_of_a_square),
    ("backward-order", (ORDER, BREADTH_FIRST), used_at_two_depths),
    ("only-output", ("reversed(topo)", "topo"), computing("(a * 2 + 1).tanh() | 0.7")),
    ("equal-values-merge", ("    def backward", BY_VALUE + "    def backward"), equal_twins),
]


@pytest.mark.parametrize(("code", "edit", "shows"), PASSES)
def test_a_mistake_of_the_pass_is_named_and_no_operator_is_blamed(code, edit, shows):
    runs = [
        after(edited(edit), shows) for _ in range(12)
    ]  # where the order follows from a set, it may be right by luck
    assert {(found.code, found.subject) for found in runs if found} == {(code, "")}


def test_an_output_that_does_not_start_with_1_is_named():
    assert after(edited(("        self.grad = 1.0\n", "")), computing("a * 2 | 0.7")).code == "output-not-seeded"
    assert after(edited(("self.grad = 1.0", "self.grad = 2.0")), computing("a * 2 | 0.7")).code == "seed-wrong"


def test_an_augmented_assignment_that_changes_the_old_value_is_named():
    method = "    def __iadd__(self, other):\n        self.data += other\n        return self\n    def backward"
    found = after(edited(("    def backward", method)), in_place)
    assert (found.code, found.subject) == ("changes-operand", "+=")


def test_memory_that_doubles_at_every_reuse_is_named():
    wide = "if data > 2.0**20: raise MemoryError\n        self.data = data"
    assert after(edited(("self.data = data", wide)), doublings).code == "exponential-forward"


@pytest.mark.parametrize("huge", ["10**400", "-(10**400)", "10**5000"], ids=["above", "below", "does not cross"])
def test_an_operator_that_gives_an_integer_beyond_any_float_is_named(huge):
    found = after(edited(("Value(self.data + other.data", f"Value({huge}")), computing("a + 1 | 0.7"))
    assert found.subject == "+"


ODD_NUMBERS = (
    "1e308",
    "-1e200",
    "5e-324",
    "float('nan')",
    "float('inf')",
    "10**308",
    "10**400",
    "10**4500",
    "True",
    "None",
)
PLACES = ("self.data + other.data", "self.data * other.data", "self.grad = 1.0", "self.grad = 0.0", "self.data = data")


@pytest.mark.parametrize("number", ODD_NUMBERS)
@pytest.mark.parametrize("place", PLACES)
def test_whatever_numbers_an_engine_holds_its_diagnosis_comes_to_an_end(number, place):
    kept, equals, _ = place.rpartition("= ")
    source = edited((place, f"{kept}{equals}{number}"))
    for graph in (square_of_a_square, two_branches, computing("(a * 2 + 1).tanh() | 0.7")):
        found = after(source, graph)
        assert found is None or found.code in MISTAKES


def test_a_test_with_an_integer_beyond_any_float_of_its_own_is_told_nothing():
    def test(engine):
        return (engine.Value(10**400) * 2).data

    assert after(edited(("self.data * other.data", "self.data + other.data")), test) is None


GRAPHS = [
    square_of_a_square,
    doubled_twice,
    two_branches,
    used_at_two_depths,
    equal_twins,
    in_place,
    computing("2 / a - 3 * b.tanh() + (a * b).exp() / (1 - a) ** 2 + sum([a, -b.relu()]) | 0.4 -0.8"),
]


@pytest.mark.parametrize("file", CORRECT, ids=lambda file: file.stem)
@pytest.mark.parametrize("graph", GRAPHS, ids=lambda graph: graph.__name__)
def test_a_correct_engine_of_any_style_is_told_nothing(monkeypatch, file, graph):
    monkeypatch.setitem(sys.modules, "engine", ModuleType("engine"))  # where a dataclass looks for its annotations
    assert after(file.read_text("utf-8"), graph) is None


def test_of_an_operation_that_is_not_understood_nothing_is_said():
    def test(engine):
        a = engine.Value(2.0)
        b = a.other()
        (b + b).backward()
        return a.grad

    assert after(edited(("    def backward", "    other = exp\n    def backward"), source=assigning("+")), test) is None


def test_where_a_test_sets_gradients_itself_nothing_is_said_of_them():
    def test(engine):
        a = engine.Value(2.0)
        a.grad = 5.0
        (a + a).backward()
        return a.grad

    assert after(assigning("+"), test) is None


def test_after_a_large_test_the_worker_is_asked_nothing():
    near = Near(assigning("+"))

    def test(engine):
        a = engine.Value(1.0)
        total = a
        for _ in range(2500):
            total = total + a
        return total.data

    tape = recorded(near, test)
    asked = len(near.requests)
    assert diagnose(tape) is None
    assert len(near.requests) == asked


@pytest.mark.parametrize("mistake", MISTAKES.values(), ids=lambda mistake: mistake.code)
def test_a_sentence_holds_no_number_that_could_be_an_input(mistake):
    digits = [word.strip(",.:") for word in mistake.sentence.split() if any(c.isdigit() for c in word)]
    assert set(digits) <= {"0", "1"}


def test_nothing_is_said_if_the_worker_ends_while_it_is_questioned():
    near = Near(assigning("+"))
    replay = recorded(near, doubled_twice)
    near.crash = WorkerTimeout("too slow")
    assert diagnose(replay) is None
