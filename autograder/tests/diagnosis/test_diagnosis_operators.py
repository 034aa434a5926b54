"""A mistake in one operator, named by the expression that shows it and not by the one that hides it.

The pairs are those that told real engines apart. After `|` come the numbers of a and b.
"""

import pytest

from ..support.small import ENGINE, RULES, after, assigning, edited

TWICE = {
    "+": "a + a | 0.7",
    "*": "a * a | 0.7",
    "**": "a**2 + a | 0.7",
    "-": "(a - 1) * (a - 2) | 0.7",
    "/": "a / 2 + a / 3 | 0.7",
    "tanh": "a.tanh() + a.tanh() | 0.7",
    "exp": "a.exp() + a.exp() | 0.7",
    "relu": "a.relu() + a.relu() | 0.7",
}
ONCE = {
    "+": "a + b | 0.7 1.9",
    "*": "a * b | 0.7 1.9",
    "**": "a**2 | 0.7",
    "-": "a - b | 0.7 1.9",
    "/": "a / b | 0.7 1.9",
    "tanh": "(a * b + a).tanh() | 0.7 1.9",
    "exp": "3 * (2 * a).exp() | 0.7",
    "relu": "3 * (2 * a).relu() | 0.7",
}


def computing(text):
    """Return a test that computes an expression of a and b, at the numbers after `|`, and goes backwards from it."""
    formula, _, numbers = text.partition(" | ")

    def test(engine):
        values = dict(zip("ab", map(engine.Value, map(float, numbers.split())), strict=False))
        eval(formula, dict(values)).backward()
        return [value.grad for value in values.values()]

    return test


@pytest.mark.parametrize("operator", RULES)
def test_an_operator_that_overwrites_is_named_where_a_value_is_used_twice(operator):
    found = after(assigning(operator), computing(TWICE[operator]))
    assert (found.code, found.subject) == ("overwrites-gradient", operator)
    assert found.sentence == f"`{operator}` overwrites the gradient with `=`; a value used twice needs `+=`."


@pytest.mark.parametrize("operator", RULES)
def test_an_operator_that_overwrites_is_not_named_by_what_hides_it(operator):
    assert after(assigning(operator), computing(ONCE[operator])) is None


def rule(name, attached):
    """Return the edit that attaches one operator's rule in another way."""
    return f"# {name}\n        out._backward = _backward\n        return out", f"# {name}\n{attached}"


WRAPPED = "other = other if isinstance(other, Value) else Value(other)\n        "
INSIDE = "            out._backward = _backward\n        return out"
ON_SELF = "        self._backward = _backward\n        return out"
SUM = "out = Value(self.data + other.data, (self, other))"
# fmt: off
ROWS = [
    # code, subject, edit
    #     what shows it, what hides it
    ("graph-cut", "exp", rule("exp", INSIDE),
         "a.exp() * a | 0.7", "a.tanh() | 0.7"),
    ("graph-cut", "unary -", ("self * -1", "Value(-self.data)"),
         "-a + a * 2 | 0.7", "a - a * 3 | 0.7"),
    ("graph-cut", "relu", ("else 0.0, (self,))", "else 0.0)"),
         "(a * 2).relu() | 0.7", "a.relu() | 0.7"),
    ("graph-cut", "/", ("/ other.data, (self, other))", "/ other.data)"),
         "(a * 2) / b | 0.7 2.5", "a * b | 0.7 2.5"),
    ("graph-cut", "+", (SUM, "out = Value(self.data + other.data, (self,))"),
         "a + b * 2 | 0.7 2.5", "a * b | 0.7 2.5"),
    ("rule-misplaced", "exp", rule("exp", ON_SELF),
         "(a * 2).exp() | 0.7", "a.exp() | 0.7"),
    ("forgets-out-grad", "exp", ("out.data * out.grad", "out.data"),
         "a.exp() * 3 | 0.7", "a.exp() | 0.7"),
    ("input-for-output", "exp", ("out.data * out.grad", "self.data * out.grad"),
         "a.exp() | 0.7", "a.tanh() | 0.7"),
    ("input-for-output", "tanh", ("1 - t ** 2", "1 - self.data ** 2"),
         "a.tanh() | 0.7", "a.exp() | 0.7"),
    ("wrong-sign", "-", ("+= -out.grad", "+= out.grad"),
         "a - b | 0.7 1.9", "a - 2 | 0.7"),
    ("wrong-operand", "*", ("other.data * out.grad", "self.data * out.grad"),
         "a * 3 | 0.7", "a * a | 0.7"),
    ("operand-forgotten", "*", ("            other.grad += self.data * out.grad  # *\n", ""),
         "a * b | 0.7 1.9", "a * 3 | 0.7"),
    ("wrong-exponent", "**", ("n * self.data ** (n - 1)", "n * self.data ** n"),
         "a**3 | 0.7", "a**3 | 1"),
    ("local-derivative", "**", ("n * self.data ** (n - 1)", "(n * self.data) ** (n - 1)"),
         "a**3 | -2", "a**2 | 0.7"),
    ("local-derivative", "**", ("n * self.data ** (n - 1)", "out.data * self.data ** (n - 1)"),
         "a**2 | -3", "a**1 | 1"),
    ("local-derivative", "relu", ("self.data > 0) * out", "out.data > 1) * out"),
         "a.relu() | 0.5", "a.relu() | 2"),
    ("derivative-at-kink", "relu", ("self.data > 0) * out", "self.data >= 0) * out"),
         "a.relu() + a | 0", "a.relu() + a | -1"),
    ("divides-by-zero", "**", ("n * self.data ** (n - 1)", "n * out.data / self.data"),
         "a**2 + a | 0", "a**2 | 3"),
    ("forward-value", "relu", ("self.data if self.data > 0", "self.data if self.data < 0"),
         "a.relu() | 1", "a.relu() | 0"),
    ("missing-return", "exp", rule("exp", "        out._backward = _backward"),
         "a.exp() + 1 | 0.7", "a.tanh() | 0.7"),
    ("reflected-swapped", "__rsub__", ("Value(other) - self", "self - other"),
         "2 - a | 3", "a - 2 | 3"),
    ("reflected-swapped", "__rtruediv__", ("Value(other) / self", "self / other"),
         "2 / a | 3", "a / 2 | 3"),
    ("reflected-recursive", "__rsub__", ("Value(other) - self", "other - self"),
         "2 - a | 3", "a - 2 | 3"),
    ("reflected-missing", "__radd__", ("__radd__", "__rad__"),
         "sum([a, a]) | 0.7", "a + 2 | 0.7"),
    ("number-not-wrapped", "+", (WRAPPED + "out = Value(self.data +", "out = Value(self.data +"),
         "a + 2 | 0.7", "a + b | 0.7 1.9"),
    ("operator-missing", "tanh", ("def tanh", "def tan"),
         "a.tanh() | 0.7", "a.exp() | 0.7"),
    ("operator-missing", "/", ("__truediv__", "__div__"),
         "a / b | 0.7 1.9", "a * b | 0.7 1.9"),
    ("module-not-imported", "math", ("import math", ""),
         "a.tanh() | 0.7", "a.relu() | 0.7"),
    ("changes-operand", "+", (SUM, "self.data += other.data\n        out = Value(self.data, (self, other))"),
         "a + a * 2 | 0.7", "a * 2 | 0.7"),
    ("data-not-kept", "", ("self.data = data", "self.data = int(data)"),
         "a * 2 | 0.7", "a * 2 | 3"),
]
# fmt: on


@pytest.mark.parametrize(("code", "subject", "edit", "shows", "hides"), ROWS)
def test_a_mistake_is_named_by_the_expression_that_shows_it(code, subject, edit, shows, hides):
    found = after(edited(edit), computing(shows))
    assert found is not None
    assert (found.code, found.subject) == (code, subject)


@pytest.mark.parametrize(("code", "subject", "edit", "shows", "hides"), ROWS)
def test_where_every_number_is_right_nothing_is_said(code, subject, edit, shows, hides):
    assert after(edited(edit), computing(hides)) is None


def test_of_an_engine_that_overwrites_everywhere_no_operator_is_blamed():
    found = after(ENGINE.replace(".grad += ", ".grad = "), computing("a * a + a | 3"))
    assert (found.code, found.subject) == ("overwrites-gradient", "")
