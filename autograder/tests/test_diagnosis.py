"""Small wrong engines, each told its mistake by the expression that shows it; correct ones are told nothing.

The pairs of expressions, one that shows a mistake and one that hides it, are those that told real engines apart.
"""

import sys
from pathlib import Path
from types import ModuleType

import pytest

from autograder.diagnosis.codes import MISTAKES
from autograder.diagnosis.diagnose import diagnose

from .near import Near
from .small import ENGINE, RULES, after, assigning, edited, recorded

CORRECT = sorted((Path(__file__).parent / "mistakes/correct").glob("*.py"))
ORDER = ENGINE[ENGINE.index("        topo = []") :]


def expression(text, **inputs):
    """Return a test that computes `text` with Values of the given names, and goes backwards from it."""

    def test(engine):
        values = {name: engine.Value(x) for name, x in inputs.items()}
        output = eval(text, dict(values))
        output.backward()
        return [value.grad for value in values.values()]

    test.__name__ = text
    return test


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


TWICE = {
    "+": "a + a",
    "*": "a * a",
    "**": "a**2 + a",
    "-": "(a - 1) * (a - 2)",
    "/": "a / 2 + a / 3",
    "tanh": "a.tanh() + a.tanh()",
    "exp": "a.exp() + a.exp()",
    "relu": "a.relu() + a.relu()",
}
ONCE = {
    "+": "a + b",
    "*": "a * b",
    "**": "a**2",
    "-": "a - b",
    "/": "a / b",
    "tanh": "(a * b + a).tanh()",
    "exp": "3 * (2 * a).exp()",
    "relu": "3 * (2 * a).relu()",
}


@pytest.mark.parametrize("operator", RULES)
def test_an_operator_that_overwrites_is_named_where_a_value_is_used_twice(operator):
    found = after(assigning(operator), expression(TWICE[operator], a=0.7))
    assert (found.code, found.subject) == ("overwrites-gradient", operator)
    assert found.sentence == f"`{operator}` overwrites the gradient with `=`; a value used twice needs `+=`."


@pytest.mark.parametrize("operator", RULES)
def test_an_operator_that_overwrites_is_not_named_by_what_hides_it(operator):
    assert after(assigning(operator), expression(ONCE[operator], a=0.7, b=1.9)) is None


def out_lost(rule):
    return (f"# {rule}\n        out._backward", f"# {rule}\n            out._backward")


def on_self(rule):
    return (f"# {rule}\n        out._backward", f"# {rule}\n        self._backward")


def no_return(rule):
    return (f"# {rule}\n        out._backward = _backward\n        return out", f"# {rule}\n        return None")


WRAPPED = "other = other if isinstance(other, Value) else Value(other)\n        "
FRESH = "out = Value(self.data + other.data, (self, other))"
SAME = "self.data += other.data\n        out = Value(self.data, (self, other))"
ROWS = [
    # code, what it is about, edit, what shows it, what hides it
    ("graph-cut", "exp", out_lost("exp"), expression("a.exp() * a", a=0.7), expression("a.tanh()", a=0.7)),
    (
        "graph-cut",
        "unary -",
        ("self * -1", "Value(-self.data)"),
        expression("-a + a * 2", a=0.7),
        expression("a - a * 3", a=0.7),
    ),
    (
        "graph-cut",
        "relu",
        ("else 0.0, (self,))", "else 0.0)"),
        expression("(a * 2).relu()", a=0.7),
        expression("a.relu()", a=0.7),
    ),
    (
        "graph-cut",
        "/",
        ("/ other.data, (self, other))", "/ other.data)"),
        expression("(a * 2) / b", a=0.7, b=2.5),
        expression("a * b", a=0.7, b=2.5),
    ),
    ("rule-misplaced", "exp", on_self("exp"), expression("(a * 2).exp()", a=0.7), expression("a.exp()", a=0.7)),
    (
        "forgets-out-grad",
        "exp",
        ("out.data * out.grad", "out.data"),
        expression("a.exp() * 3", a=0.7),
        expression("a.exp()", a=0.7),
    ),
    (
        "input-for-output",
        "exp",
        ("out.data * out.grad", "self.data * out.grad"),
        expression("a.exp()", a=0.7),
        expression("a.tanh()", a=0.7),
    ),
    (
        "input-for-output",
        "tanh",
        ("1 - t ** 2", "1 - self.data ** 2"),
        expression("a.tanh()", a=0.7),
        expression("a.exp()", a=0.7),
    ),
    ("wrong-sign", "-", ("+= -out.grad", "+= out.grad"), expression("a - b", a=0.7, b=1.9), expression("a - 2", a=0.7)),
    (
        "wrong-operand",
        "*",
        ("other.data * out.grad", "self.data * out.grad"),
        expression("a * 3", a=0.7),
        expression("a * a", a=0.7),
    ),
    (
        "operand-forgotten",
        "*",
        ("            other.grad += self.data * out.grad  # *\n", ""),
        expression("a * b", a=0.7, b=1.9),
        expression("a * 3", a=0.7),
    ),
    (
        "wrong-exponent",
        "**",
        ("n * self.data ** (n - 1)", "n * self.data ** n"),
        expression("a**3", a=0.7),
        expression("a**3", a=1.0),
    ),
    (
        "local-derivative",
        "**",
        ("n * self.data ** (n - 1)", "(n * self.data) ** (n - 1)"),
        expression("a**3", a=-2.0),
        expression("a**2", a=0.7),
    ),
    (
        "local-derivative",
        "**",
        ("n * self.data ** (n - 1)", "out.data * self.data ** (n - 1)"),
        expression("a**2", a=-3.0),
        expression("a**1", a=1.0),
    ),
    (
        "local-derivative",
        "relu",
        ("self.data > 0) * out", "out.data > 1) * out"),
        expression("a.relu()", a=0.5),
        expression("a.relu()", a=2.0),
    ),
    (
        "derivative-at-kink",
        "relu",
        ("self.data > 0) * out", "self.data >= 0) * out"),
        expression("a.relu() + a", a=0.0),
        expression("a.relu() + a", a=-1.0),
    ),
    (
        "divides-by-zero",
        "**",
        ("n * self.data ** (n - 1)", "n * out.data / self.data"),
        expression("a**2 + a", a=0.0),
        expression("a**2", a=3.0),
    ),
    (
        "forward-value",
        "relu",
        ("self.data if self.data > 0", "self.data if self.data < 0"),
        expression("a.relu()", a=1.0),
        expression("a.relu()", a=0.0),
    ),
    ("missing-return", "exp", no_return("exp"), expression("a.exp() + 1", a=0.7), expression("a.tanh()", a=0.7)),
    (
        "reflected-swapped",
        "__rsub__",
        ("Value(other) - self", "self - other"),
        expression("2 - a", a=3.0),
        expression("a - 2", a=3.0),
    ),
    (
        "reflected-swapped",
        "__rtruediv__",
        ("Value(other) / self", "self / other"),
        expression("2 / a", a=3.0),
        expression("a / 2", a=3.0),
    ),
    (
        "reflected-recursive",
        "__rsub__",
        ("Value(other) - self", "other - self"),
        expression("2 - a", a=3.0),
        expression("a - 2", a=3.0),
    ),
    (
        "reflected-missing",
        "__radd__",
        ("__radd__", "__rad__"),
        lambda engine: sum([engine.Value(1.0)] * 2),
        expression("a + 2", a=0.7),
    ),
    (
        "number-not-wrapped",
        "+",
        (WRAPPED + "out = Value(self.data +", "out = Value(self.data +"),
        expression("a + 2", a=0.7),
        expression("a + b", a=0.7, b=1.9),
    ),
    ("operator-missing", "tanh", ("def tanh", "def tan"), expression("a.tanh()", a=0.7), expression("a.exp()", a=0.7)),
    (
        "operator-missing",
        "/",
        ("__truediv__", "__div__"),
        expression("a / b", a=0.7, b=1.9),
        expression("a * b", a=0.7, b=1.9),
    ),
    ("module-not-imported", "math", ("import math", ""), expression("a.tanh()", a=0.7), expression("a.relu()", a=0.7)),
    ("changes-operand", "+", (FRESH, SAME), expression("a + a * 2", a=0.7), expression("a * 2", a=0.7)),
    (
        "data-not-kept",
        "Value",
        ("self.data = data", "self.data = int(data)"),
        expression("a * 2", a=0.7),
        expression("a * 2", a=3.0),
    ),
    (
        "output-not-seeded",
        "",
        ("        self.grad = 1.0\n", ""),
        expression("a * 2", a=0.7),
        lambda engine: engine.Value(0.7).data,
    ),
    (
        "seed-wrong",
        "",
        ("self.grad = 1.0", "self.grad = 2.0"),
        expression("a * 2", a=0.7),
        lambda engine: engine.Value(0.7).data,
    ),
]


@pytest.mark.parametrize(("code", "subject", "edit", "shows", "hides"), ROWS)
def test_a_mistake_is_named_by_the_expression_that_shows_it(code, subject, edit, shows, hides):
    found = after(edited(edit), shows)
    assert found is not None
    assert (found.code, found.subject) == (code, subject)


@pytest.mark.parametrize(("code", "subject", "edit", "shows", "hides"), ROWS)
def test_where_every_number_is_right_nothing_is_said(code, subject, edit, shows, hides):
    assert after(edited(edit), hides) is None


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
    ("only-output", ("reversed(topo)", "topo"), expression("(a * 2 + 1).tanh()", a=0.7)),
    ("equal-values-merge", ("    def backward", BY_VALUE + "    def backward"), equal_twins),
]


@pytest.mark.parametrize(("code", "edit", "shows"), PASSES)
def test_a_mistake_of_the_pass_is_named_and_no_operator_is_blamed(code, edit, shows):
    for _ in range(5):  # fresh objects: where the order follows from a set, one run proves little
        found = after(edited(edit), shows)
        assert found is None or (found.code, found.subject) == (code, "")
    assert found is not None


def test_an_augmented_assignment_that_changes_the_old_value_is_named():
    method = "    def __iadd__(self, other):\n        self.data += other\n        return self\n    def backward"
    found = after(edited(("    def backward", method)), in_place)
    assert (found.code, found.subject) == ("changes-operand", "+=")


def test_memory_that_doubles_at_every_reuse_is_named():
    wide = "if data > 2.0**20: raise MemoryError\n        self.data = data"
    assert after(edited(("self.data = data", wide)), doublings).code == "exponential-forward"


GRAPHS = [
    square_of_a_square,
    doubled_twice,
    two_branches,
    used_at_two_depths,
    equal_twins,
    in_place,
    expression("2 / a - 3 * b.tanh() + (a * b).exp() / (1 - a) ** 2 + sum([a, -b.relu()])", a=0.4, b=-0.8),
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
    digits = [word for word in mistake.sentence.split() if any(c.isdigit() for c in word)]
    assert set(digits) <= {"0,", "0.", "1,", "1."}
