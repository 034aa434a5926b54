"""What is wrong between graphs that are right by themselves, and of engines that only look like it nothing is said."""

import sys
from types import ModuleType

import pytest

from ..support.small import ENGINE, after, edited
from .test_diagnosis import CORRECT

TOPO = "        topo = []\n        visited = set()\n"
SWEEP = "        for v in reversed(topo):\n"
DEFAULTS = edited(("    def backward(self):\n" + TOPO, "    def backward(self, topo=[], visited=set()):\n"))
MARKS = edited(
    ("        self.grad = 0.0\n", "        self.grad = 0.0\n        self.waits = 0\n"),
    (
        "        self._prev = set(_children)\n",
        "        self._prev = set(_children)\n        for v in self._prev:\n            v.waits += 1\n",
    ),
    (
        SWEEP,
        """        queue, topo = [self], []
        while queue:
            v = queue.pop()
            topo.insert(0, v)
            for child in v._prev:
                child.waits -= 1
                if not child.waits:
                    queue.append(child)
"""
        + SWEEP,
    ),
)
HALF_OF_THE_TIME = edited(
    ("class Value:\n", "class Value:\n    busy = False\n"),
    (
        "    def backward(self):\n",
        """    def backward(self):
        Value.busy = not Value.busy
        if not Value.busy:
            return
""",
    ),
)


def two_graphs(engine):
    a, b = engine.Value(1.5), engine.Value(-0.4)
    (a * b + a).backward()
    (a * a * b).backward()
    return a.grad, b.grad


def one_graph_beside_another(engine):
    a = engine.Value(1.5)
    doubled = a * 2
    beside = [doubled * 3, a + doubled]
    (doubled * doubled + a).backward()
    return a.grad, beside


def one_graph(engine):
    a, b = engine.Value(1.5), engine.Value(-3.0)
    (a * b * b + a * a * b).backward()
    return a.grad, b.grad


def code(source, test):
    found = after(source, test)
    return found.code if found else None


def test_an_order_that_outlives_its_backward_pass_is_left_over():
    assert code(DEFAULTS, two_graphs) == "left-over"


def test_a_mark_of_the_class_that_stops_every_other_pass_is_left_over():
    assert code(HALF_OF_THE_TIME, one_graph) == "left-over"


def test_an_engine_that_waits_for_values_beside_the_output_is_told_so():
    assert code(MARKS, one_graph_beside_another) == "beside-the-output"


@pytest.mark.parametrize("way", ["v.data", "-v.data"])
def test_an_order_by_number_is_named_and_no_operator_is_blamed(way):
    sorted_by_number = edited((SWEEP, f"        for v in sorted(topo, key=lambda v: {way}):\n"))
    assert code(sorted_by_number, one_graph) == "order-by-number"


@pytest.mark.parametrize("test", [two_graphs, one_graph_beside_another, one_graph])
@pytest.mark.parametrize("file", CORRECT, ids=lambda file: file.stem)
def test_of_correct_engines_nothing_is_said_whether_gradients_add_up_or_start_anew(monkeypatch, file, test):
    monkeypatch.setitem(sys.modules, "engine", ModuleType("engine"))  # where a dataclass looks for its annotations
    assert code(file.read_text("utf-8"), test) is None


def test_a_wrong_rule_is_not_taken_for_something_left_over():
    wrong = edited(("self.grad += other.data * out.grad", "self.grad += self.data * out.grad"))
    assert code(wrong, two_graphs) != "left-over"


def test_what_a_second_pass_over_the_same_values_does_is_not_judged():
    def twice(engine):
        a = engine.Value(1.5)
        b = a * a
        b.backward()
        (b + a).backward()
        return a.grad

    assert code(ENGINE, twice) is None
