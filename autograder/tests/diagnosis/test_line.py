"""Under a sentence stands the line of the submission that makes the mistake, whatever the style of the engine."""

import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

from autograder.diagnosis.reasoning.program import Place
from autograder.diagnosis.reasoning.rows import run_of

from ..support.small import ENGINE, after, after_line_by_line, edited
from .test_diagnosis import BREADTH_FIRST, used_at_two_depths
from .test_diagnosis_operators import computing

STYLES = {file.stem: file.read_text("utf-8") for file in (Path(__file__).parents[1] / "mistakes/correct").glob("*.py")}
STYLES["solution"] = (Path(__file__).parents[3] / "solution/engine.py").read_text("utf-8")
STYLES["small"] = ENGINE
PRODUCT = "a * b + a | 1.7 0.6"
EDITS = [  # style, the right line's text, the wrong one's, what shows it
    ("small", "self.grad += other.data * out.grad", "self.grad = other.data * out.grad", "a * 4 + a * 3 | 1.7"),
    ("small", "self.grad += (1 - t ** 2) * out.grad", "self.grad += (1 - t) * out.grad", "a.tanh() * 3 | 0.7"),
    (
        "small",
        "self.grad += n * self.data ** (n - 1) * out.grad",
        "self.grad += n * self.data ** n * out.grad",
        "a**3 | 0.7",
    ),
    ("small", "self.grad += out.data * out.grad", "self.grad += out.data", "a.exp() * 3 | 0.7"),
    ("small", "other.grad += -out.grad", "other.grad += out.grad", "a - b | 1.7 0.6"),
    ("small", "t = math.tanh(self.data)", "t = math.sinh(self.data)", "a.tanh() * 3 | 0.7"),
    ("small", "self.grad = 1.0", "self.grad = 2.0", "a * 3 | 0.7"),
    (
        "small",
        "Value(self.data - other.data, (self, other))",
        "Value(other.data - self.data, (self, other))",
        "a - b | 2 5",
    ),
    ("small", "other.grad += self.data * out.grad", "other.grad = self.data * out.grad", "a * a | 5"),
    ("solution", "(a, b), (b.data, a.data))", "(a, b), (a.data, b.data))", PRODUCT),
    ("solution", "(1.0 - t * t,)", "(1.0 - t,)", "a.tanh() * 3 | 0.7"),
    ("solution", "slope = n * self.data ** (n - 1) if n", "slope = n * self.data**n if n", "a**3 * 2 | 0.7"),
    ("solution", "parent.grad += partial * grad", "parent.grad = partial * grad", "a * b + a + a | 0.7 1.3"),
    ("solution", "(a, b), (1.0, -1.0))", "(a, b), (1.0, 1.0))", "a - b * 2 | 0.7 1.3"),
    ("dispatch", "da, db = g * b.data, g * a.data", "da, db = g * a.data, g * b.data", PRODUCT),
    (
        "dispatch",
        "a.grad += g * (1 - self.data * self.data)",
        "a.grad = g * (1 - self.data * self.data)",
        "a * 2 + a.tanh() | 0.7",
    ),
    ("operations", "return g * b, g * a", "return g * a, g * b", PRODUCT),
    ("operations", "return (g * (1 - self.saved**2),)", "return (g * (1 - self.saved),)", "a.tanh() * 3 | 0.7"),
    ("pairs", "[(self, other.data), (other, self.data)]", "[(self, self.data), (other, other.data)]", PRODUCT),
    ("pairs", "[(self, 1 - y * y)]", "[(self, 1 - y)]", "a.tanh() * 3 | 0.7"),
    ("tape", "[a, b], [b.data, a.data]", "[a, b], [a.data, b.data]", PRODUCT),
    ("tape", "[a], [1 - t * t]", "[a], [1 - t]", "a.tanh() * 3 | 0.7"),
    (
        "slots",
        "self._a.grad += self._b.data * self.grad",
        "self._a.grad = self._b.data * self.grad",
        "a * 4 + a * 3 | 1.7",
    ),
    (
        "slots",
        "(1.0 - self.data) * (1.0 + self.data) * self.grad",
        "(1.0 - self.data) * self.grad",
        "a.tanh() * 3 | 0.7",
    ),
    ("properties", "lambda g: (g * other.data, g * self.data)", "lambda g: (g * self.data, g * other.data)", PRODUCT),
    ("properties", "lambda g: (g * (1 - t * t),)", "lambda g: (g * (1 - t),)", "a.tanh() * 3 | 0.7"),
    ("frozen", "((1 + y) * (1 - y),)", "((1 + y),)", "a.tanh() * 3 | 0.7"),
    ("record", "(1 - out * out,)", "(1 - out,)", "a.tanh() * 3 | 0.7"),
    ("rules", "return (grad * (1 - self.y**2),)", "return (grad * (1 - self.y),)", "a.tanh() * 3 | 0.7"),
    ("lazy", "lambda x: (1 - math.tanh(x) ** 2,)", "lambda x: (1 - math.tanh(x),)", "a.tanh() * 3 | 0.7"),
    ("indices", "[(self.index, 1 - t * t)]", "[(self.index, 1 - t)]", "a.tanh() * 3 | 0.7"),
    ("float_subclass", "((self, 1 - t * t),)", "((self, 1 - t),)", "a.tanh() * 3 | 0.7"),
]


@pytest.fixture(autouse=True)
def _engine_module(monkeypatch):
    monkeypatch.setitem(sys.modules, "engine", ModuleType("engine"))  # where a dataclass looks for its annotations


@pytest.mark.parametrize(("style", "right", "wrong", "shows"), EDITS)
def test_in_any_style_the_line_that_is_wrong_is_named(style, right, wrong, shows):
    source = edited((right, wrong), source=STYLES[style])
    line = after_line_by_line(source, computing(shows)).line
    assert line is not None
    assert wrong in source.split("\n")[line.line - 1]


def test_what_a_line_did_is_told_in_numbers():
    source = edited(("self.grad += other.data * out.grad", "self.grad = other.data * out.grad"))
    line = after_line_by_line(source, computing("a * 4 + a * 3 | 5")).line
    assert line.said in ("put 3 where 4 was; 4 + 3 = 7 was expected", "put 4 where 3 was; 3 + 4 = 7 was expected")


def test_a_value_that_passes_on_too_early_is_told_with_its_gradient_then_and_at_last():
    tail = ENGINE[ENGINE.index("        topo = []") :]
    source = edited((tail, BREADTH_FIRST), ("set(_children)", "tuple(_children)"))
    found = after_line_by_line(source, used_at_two_depths)
    assert found.code == "backward-order"
    assert re.fullmatch(r"passed on a gradient of \S+ before its last share came; it becomes \S+", found.line.said)


def test_where_a_dictionary_is_overwritten_no_correct_line_is_blamed():
    source = edited(("gradients[parent] += slope", "gradients[parent] = slope"), source=STYLES["leaves_only"])
    found = after_line_by_line(source, computing("a * 4 + a * 3 | 5"))
    assert found.code == "overwrites-gradient"
    assert found.line is None


def test_a_program_that_is_longer_than_a_trace_may_be_ends_without_a_line():
    endless = "self.grad = 1.0\n        for _ in range(10**5): pass"
    source = edited(("self.grad = 1.0", endless), ("self.grad += other.data * out.grad", "self.grad = other.data"))
    assert after_line_by_line(source, computing("a * 4 + a * 3 | 5")).line is None


@pytest.mark.parametrize(
    "answer",
    [
        None,
        [True, [[0, 1, 1, 1, 0.0]]],
        [True, [[0, -1, 1, 1, 0.0, 1.0]]],
        [True, [[0, 1 << 40, 1, 1, 0.0, 1.0]]],
        [True, [[7, 1, 1, 1, 0.0, 1.0]]],
        [True, [[0, 1, 1, 1, "3", 1.0]]],
        [True, [[0, True, 1, 1, 0.0, 1.0]]],
        [1, []],
    ],
)
def test_an_answer_that_is_not_a_log_is_not_read(answer):
    assert run_of(answer, [Place(0)], ["engine.py"]) is None


def test_a_submission_that_sets_a_trace_of_its_own_can_only_lose_its_line():
    source = edited(
        ("self.grad += other.data * out.grad", "self.grad = other.data * out.grad"),
        ("        topo = []", "        import sys\n        sys.settrace(None)\n        topo = []"),
    )
    found = after_line_by_line(source, computing("a * 4 + a * 3 | 5"))
    assert (found.code, found.subject, found.line) == ("overwrites-gradient", "*", None)


def test_no_line_is_named_unless_it_is_asked_for():
    source = edited(("self.grad += other.data * out.grad", "self.grad = other.data * out.grad"))
    assert after(source, computing("a * 4 + a * 3 | 5")).line is None
