"""What is unknown is not taken for wrong, and what is not a number is not taken for 0."""

import pytest

from ..support.small import ENGINE, after, assigning, edited
from .test_diagnosis import square_of_a_square
from .test_diagnosis_operators import computing

HIDDEN = """
    @property
    def data(self):
        return self._data
    @data.setter
    def data(self, number):
        self._data = number
    @property
    def grad(self):
        return self._grad
    @grad.setter
    def grad(self, number):
        self._grad = number
    def backward"""
QUEUE = """        self.grad = 1.0
        queue = [self]
        while queue:
            v = queue.pop(0)
            v._backward()
            queue.extend(v._prev)
"""
TAIL = ENGINE[ENGINE.index("        topo = []") :]
COMPOSED = ENGINE[ENGINE.index("    def __truediv__") : ENGINE.index("    def __radd__")]
QUOTIENT = """    def __truediv__(self, other):
        return self * (other if isinstance(other, Value) else Value(other)) ** -1
"""
RAISING = """
    @property
    def data(self):
        raise KeyError(1)
    @data.setter
    def data(self, number):
        pass
    def backward"""


def behind_properties(source):
    return edited(("\n    def backward", HIDDEN), source=source)


def told(source, test):
    found = after(source, test)
    return (found.code, found.subject) if found else None


@pytest.mark.parametrize(
    ("operator", "shows"),
    [("*", "a * a | 0.7"), ("exp", "a.exp() + a.exp() | 0.7"), ("relu", "a.relu() + a.relu() | 0.7")],
)
def test_behind_properties_an_operator_that_overwrites_is_named(operator, shows):
    assert told(behind_properties(assigning(operator)), computing(shows)) == ("overwrites-gradient", operator)


def test_behind_properties_a_queue_without_an_order_is_named_and_no_value_is_called_wrong():
    assert told(
        behind_properties(edited((TAIL, QUEUE), ("set(_children)", "tuple(_children)"))), square_of_a_square
    ) == ("visited-again", "")


def test_an_attribute_that_raises_when_it_is_read_is_evidence_of_nothing():
    assert told(edited(("\n    def backward", RAISING)), lambda engine: engine.Value(1.0)) is None


@pytest.mark.parametrize(
    ("operator", "rule", "wrong", "shows"),
    [
        ("**", "n * self.data ** (n - 1)", "n * self ** (n - 1)", "a**3 | 0.7"),
        ("exp", "out.data * out.grad", "Value(out.data) * out.grad", "a.exp() | 0.7"),
        ("tanh", "(1 - t ** 2)", "(1 - self.tanh() ** 2)", "a.tanh() | 0.7"),
    ],
)
def test_a_value_that_is_left_in_a_gradient_is_named(operator, rule, wrong, shows):
    assert told(edited((rule, wrong)), computing(shows)) == ("value-in-grad", operator)


@pytest.mark.parametrize(
    ("operator", "rule", "wrong", "shows"),
    [
        ("*", "other.data * out.grad", "other.grad * out.grad", "a * b | 0.7 1.9"),
        ("exp", "out.data * out.grad", "self.grad * out.grad", "a.exp() | 0.7"),
        ("tanh", "(1 - t ** 2) * out.grad", "self.grad * out.grad", "a.tanh() | 0.7"),
    ],
)
def test_a_gradient_that_is_taken_for_a_number_is_told_from_a_cut_graph(operator, rule, wrong, shows):
    assert told(edited((rule, wrong)), computing(shows)) == ("takes-gradient", operator)


@pytest.mark.parametrize(
    ("operator", "rule", "wrong", "shows"),
    [
        ("tanh", "(1 - t ** 2) * out.grad", "1 - t ** 2 * out.grad", "a.tanh() * 3 | 0.7"),
        ("exp", "out.data * out.grad", "out.data + out.grad - 1", "a.exp() * 3 | 0.7"),
    ],
)
def test_a_rule_that_is_right_alone_and_wrong_inside_is_named(operator, rule, wrong, shows):
    assert told(edited((rule, wrong)), computing(shows)) == ("wrong-inside", operator)


@pytest.mark.parametrize("shows", ["a / b + a / b**2 | 0.7 1.9", "1 / a + 2 / a | 0.7"])
def test_an_operator_is_not_blamed_for_the_one_it_is_made_of(shows):
    source = edited((COMPOSED, QUOTIENT), source=assigning("**"))
    assert told(source, computing(shows)) in {("overwrites-gradient", "**"), None}


def test_a_rule_that_raises_for_a_negative_base_is_named_with_the_exception():
    rule = "n * self.data ** (n - 1) * out.grad"
    found = after(edited((rule, f"{rule} + 0 * math.log(self.data)")), computing("a**3 | -2"))
    assert found.sentence == "The rule of `**` raises a ValueError, for a negative base."


def test_where_only_the_output_passes_on_an_operator_made_of_others_is_not_blamed():
    source = edited((COMPOSED, QUOTIENT), ("reversed(topo)", "topo"))
    assert told(source, computing("a / b | 0.7 1.9")) == ("only-output", "")
