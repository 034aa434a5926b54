"""The line trace says which line changed which number, in any style, and comes to an end."""

import sys
from types import ModuleType

import pytest

from autograder.worker.line_trace import LineTrace


def module_of(source):
    module = ModuleType("engine")
    exec(compile(source, "engine.py", "exec"), vars(module))
    return module


def traced(source):
    """Return whether the trace is whole, and the changes of two values by `module.backward(values)`."""
    module = module_of(source)
    values: list = []
    steps = [module.Value, module.Value, lambda: module.backward(values)]

    def perform(step):
        values.append(step())
        return values[-1]

    whole, rows = LineTrace({"engine.py": "engine.py"}).log(perform, steps)
    return whole, [
        (line, place, ATTRIBUTES[which], *numbers)
        for _, line, place, which, *numbers in rows
        if line and place < 2 and (which or numbers[0])
    ]


ATTRIBUTES = ("data", "grad")
PLAIN = """
class Value:
    data, grad = 2.0, 0.0
def backward(values):
    a, b = values[:2]
    a.grad = 1.0
    for _ in range(2):
        b.grad += 3.0 * a.grad
"""
CLOSURES = """
class Value:
    data, grad = 2.0, 0.0
def backward(values):
    a, b = values[:2]
    def rule():
        b.grad = 5.0
    rule(); a.grad = 1.0
"""
PROPERTIES = """
TAPE = [[2.0, 0.0], [2.0, 0.0]]
class Value:
    def __init__(self, at=[0, 1]):
        self.at = at.pop(0)
    data = property(lambda self: TAPE[self.at][0])
    grad = property(lambda self: TAPE[self.at][1])
def backward(values):
    TAPE[1][1] = 4.0
    TAPE[0][1] += 1.0
"""
GENERATOR = """
class Value:
    data, grad = 2.0, 0.0
def shares(b):
    for _ in range(2):
        b.grad += 1.0
        yield
        b.data *= 2.0
def backward(values):
    for _ in shares(values[1]):
        values[0].grad += 1.0
"""


LONG = "class Value: data = grad = 0.0\ndef backward(values):\n    for _ in range(100_000): values[0].grad {}"


@pytest.mark.parametrize(
    ("source", "changes"),
    [
        (PLAIN, [(6, 0, "grad", 0.0, 1.0), (8, 1, "grad", 0.0, 3.0), (8, 1, "grad", 3.0, 6.0)]),
        (CLOSURES, [(7, 1, "grad", 0.0, 5.0), (8, 0, "grad", 0.0, 1.0)]),
        (PROPERTIES, [(9, 1, "grad", 0.0, 4.0), (10, 0, "grad", 0.0, 1.0)]),
        (
            GENERATOR,
            [
                *[(6, 1, "grad", 0.0, 1.0), (11, 0, "grad", 0.0, 1.0), (8, 1, "data", 2.0, 4.0)],
                *[(6, 1, "grad", 1.0, 2.0), (11, 0, "grad", 1.0, 2.0), (8, 1, "data", 4.0, 8.0)],
            ],
        ),
    ],
    ids=["plain", "closures", "properties", "generator"],
)
def test_each_change_stands_with_the_line_that_made_it(source, changes):
    assert traced(source) == (True, changes)


def test_what_is_not_a_number_and_what_cannot_be_read_is_none():
    whole, changes = traced(
        """
class Value:
    data = 1.0
    def __getattr__(self, name):
        raise RuntimeError
def backward(values):
    values[0].grad = 1.0
    values[0].grad = values[1]
    values[1].grad = 10 ** 400
"""
    )
    assert changes == [(7, 0, "grad", None, 1.0), (8, 0, "grad", 1.0, None)]
    assert whole


def test_a_long_pass_is_followed_for_a_while_only_and_its_first_changes_are_kept():
    whole, changes = traced(LONG.format("= 1.0"))
    assert not whole
    assert changes == [(3, 0, "grad", 0.0, 1.0)]


def test_a_number_that_never_rests_fills_no_memory():
    whole, changes = traced(LONG.format("+= 1.0"))
    assert not whole
    assert len(changes) < 1000


def test_what_came_before_an_exception_of_the_pass_is_kept():
    whole, changes = traced("class Value: data = grad = 0.0\ndef backward(v):\n    v[0].grad = 1.0\n    1 / 0")
    assert not whole
    assert changes == [(3, 0, "grad", 0.0, 1.0)]


def test_a_debugger_that_was_there_is_there_again():
    def debugger(*_):
        return None

    before = sys.gettrace()
    sys.settrace(debugger)
    try:
        LineTrace({"engine.py": "engine.py"}).log(lambda step: step(), [int])
        assert sys.gettrace() is debugger
    finally:
        sys.settrace(before)
