"""Given: `pytest --diagnose` names the mistake behind a failing test, as far as the evidence goes.

While a test runs, every operation on a `Value` is written down. After a failure the same operations are done with plain
numbers: that gives the right values, and by central differences the right derivatives. Then each operator is tried by
itself. What is said rests on what your engine did; when that does not decide, nothing is said.
"""

from __future__ import annotations

import contextlib
import math
import operator
import re
from collections.abc import Callable, Generator, Sequence
from types import ModuleType
from typing import Any

import pytest

from .recorder import BINARY, PLAIN, Node, Recorder

STEP = 1e-5  # of a central difference
SAYS = {
    "missing-return": "{it} returns nothing: `return` the new value.",
    "returns-number": "{it} returns a plain number, not a `Value`: there the graph ends.",
    "reflected-missing": "{it} is not defined: Python calls it for a plain number on the left.",
    "reflected-recursive": "{it} calls itself without end: a plain number on the left leads back to the same method.",
    "reflected-swapped": "{it} swaps the operands: the plain number stands on the left.",
    "number-not-wrapped": "{it} expects a `Value`: turn a plain number into one first.",
    "changes-operand": "An operand was changed in place: make a new `Value` instead.",
    "forward-value": "{it} computes a wrong value.",
    "rule-misplaced": (
        "{it} attaches the rule to an operand: it belongs to the result, and the operand has one of its own."
    ),
    "output-not-seeded": "The gradient of the output is never set to 1, so nothing flows.",
    "graph-cut": (
        "No gradient gets past {it}: the result must remember its operands, and its rule must be attached to it."
    ),
    "wrong-sign": "{it} gives a gradient of the wrong sign.",
    "derivative-at-kink": "At its kink, at 0, the derivative of {it} must be 0.",
    "local-derivative": "{it} has a wrong local derivative.",
    "forgets-out-grad": "{it} forgets to multiply by the gradient of the result: the chain rule.",
    "overwrites-gradient": "{it} overwrites the gradient with `=`; a value used twice needs `+=`.",
    "equal-values-merge": "Two values that hold equal numbers are taken for one: tell them apart by identity.",
    "only-output": (
        "Only the output passes its gradient on: the rules of the other values do not run, or run before it."
    ),
    "visited-again": "A value passes its gradient on more than once: visit every value once.",
    "backward-order": (
        "A value passes its gradient on before all its consumers have added their shares: mind the order."
    ),
}


def diagnosis(record: Recorder, error: BaseException) -> tuple[str, str] | None:  # given
    """Return the code of the mistake and the operator it is about; None when the evidence does not decide."""
    lost = {type(None): "missing-return", int: "returns-number", float: "returns-number"}
    for node in record.nodes:
        if type(node.result) in lost:
            return lost[type(node.result)], node.shown
    if record.failed is not None:
        return why_raised(*record.failed)
    missing = re.match(r"unsupported operand type\(s\) for ([-+*/]): '(?:int|float)' and 'Value'", str(error))
    if missing and isinstance(error, TypeError):
        return "reflected-missing", f"`__r{next(name for name in BINARY if BINARY[name] == missing[1])}__`"
    with contextlib.suppress(ArithmeticError, AttributeError, TypeError):
        return wrong_value(record) or (wrong_gradient(record) if record.outputs else None)
    return None


def why_raised(name: str, number: bool, problem: BaseException) -> tuple[str, str] | None:  # given
    """Return why an operation raised."""
    reflected = name[0] == "r" and name[1:] in BINARY
    shown = f"`__{name}__`" if reflected else f"`{BINARY.get(name, name)}`"
    if isinstance(problem, RecursionError) and reflected:
        return "reflected-recursive", shown
    if number and isinstance(problem, AttributeError) and re.match(r"'(int|float)' object", str(problem)):
        return "number-not-wrapped", shown
    return None


def values_of(nodes: Sequence[Node]) -> list[float]:  # given
    """Return what the nodes' operations give with plain numbers."""
    values: list[float] = []
    for node in nodes:
        values.append(node.at(values))
    return values


def wrong_value(record: Recorder) -> tuple[str, str] | None:  # given
    """Return which operator computed the first wrong value."""
    values = values_of(record.nodes)
    for node, right in zip(record.nodes, values, strict=True):
        if close(node.result.data, right):
            continue
        numbers = [values[o[0]] if isinstance(o, tuple) else o for o in node.operands]
        if node.name == "leaf" or close(tried(record, node.name, node.operands, numbers)[0], right):
            return "changes-operand", ""
        swapped = node.reflected and close(node.result.data, PLAIN[node.name](*numbers[::-1]))
        return ("reflected-swapped" if swapped else "forward-value"), node.shown
    return None


def slopes_of(function: Callable[..., float], numbers: Sequence[float]) -> list[float]:  # given
    """Return the central difference of a function of plain numbers by each of them."""
    slopes = []
    for i, x in enumerate(numbers):
        up, down = ([*numbers[:i], x + side * STEP, *numbers[i + 1 :]] for side in (1, -1))
        slopes.append((function(*up) - function(*down)) / (2 * STEP))
    return slopes


def tried(
    record: Recorder,
    name: str,
    operands: tuple[Any, ...],
    numbers: Sequence[float],
    then: Callable[[Any], Any] | None = None,
) -> tuple[float, list[float]]:  # given
    """Return the value of one operation on fresh values, and the gradients that a backward pass leaves them.

    `then` goes on from the result before the pass.
    """
    fresh = [record.value(x) if isinstance(o, tuple) else o for o, x in zip(operands, numbers, strict=True)]
    result = apply(name, fresh)
    data = float(result.data)
    (then(result) if then else result).backward()
    return data, [float(each.grad or 0.0) for each in fresh if isinstance(each, record.value)]


def apply(name: str, operands: Sequence[Any]) -> Any:  # given
    """Return an operation on your values."""
    return getattr(operator, name)(*operands) if hasattr(operator, name) else getattr(operands[0], name)()


def wrong_gradient(record: Recorder) -> tuple[str, str] | None:  # given
    """Return why the gradients of the last backward pass are wrong."""
    if leaf_gradient(record) == 0.0:
        return "output-not-seeded", ""
    if stops_behind(record, "add", 2.3, 1.3) and stops_behind(record, "mul", 2.3, 1.3):
        return "only-output", ""
    if merges_equals(record):
        return "equal-values-merge", ""
    return wrong_rules(record) or order(record)


def wrong_rules(record: Recorder) -> tuple[str, str] | None:  # given
    """Return the first operator whose rule is wrong: of sums and products, which experiments need, then of the test."""
    trials = [(Node(name, ((0,), (1,)), None), [1.7, 0.6]) for name in ("add", "mul")]
    first = {node.shown: node for node in reversed(record.nodes) if node.name != "leaf"}
    for node in reversed(first.values()):
        numbers = numbers_of(record, node)
        trials += [(Node(node.name, ((0,), (1,)), None), numbers)] if node.reflected else []  # the number as a Value
        trials.append((node, numbers))
    for node, numbers in trials:
        if code := wrong_rule(record, node, numbers):
            return code, node.shown
    return None


def numbers_of(record: Recorder, node: Node) -> list[Any]:  # given
    """Return the numbers that an operation is applied to."""
    values = values_of(record.nodes)
    return [values[o[0]] if isinstance(o, tuple) else o for o in node.operands]


def leaf_gradient(record: Recorder) -> float:  # given
    """Return the gradient of a single value after its own backward pass."""
    alone = record.value(1.5)
    alone.backward()
    return float(alone.grad or 0.0)


def merges_equals(record: Recorder) -> bool:  # given
    """Say whether of two sums only one passes its gradient on when they are equal, but both when they are not."""
    found = []
    for numbers in ((1.7, 0.6, 1.7, 0.6), (1.7, 0.6, 1.6, 0.5)) * 3:  # thrice: where a set decides, it may be luck
        a, b, c, d = (record.value(x) for x in numbers)
        ((a + b) + (c + d)).backward()
        found.append({(a.grad, b.grad), (c.grad, d.grad)})
    return found == [{(1, 1), (0, 0)}, {(1, 1)}] * 3


def stops_behind(record: Recorder, name: str, x: float = 2.3, *others: float) -> bool:  # given
    """Say whether a gradient gets past an operator, but then no further than to its operand."""
    a, b = (record.value(x / 2), record.value(2.0)) if name == "add" else (record.value(x - 1), record.value(1.0))
    inner = a * b if name == "add" else a + b
    apply(name, [inner, *others]).backward()
    return not a.grad and not b.grad and bool(inner.grad)


def wrong_rule(record: Recorder, node: Node, numbers: Sequence[float]) -> str:  # given
    """Return what is wrong with the rule of one operator, tried by itself and then beside others; "" for nothing."""
    which = [i for i, o in enumerate(node.operands) if isinstance(o, tuple)]
    if node.name == "relu" and abs(numbers[0]) <= STEP:
        return "derivative-at-kink" if close(tried(record, node.name, node.operands, numbers)[1][0], 1.0) else ""
    elsewhere = [abs(x) * 1.3 + 1.4 if i in which else x for i, x in enumerate(numbers)]
    codes = {wrong_slope(record, node, numbers), wrong_slope(record, node, elsewhere)}
    if codes != {""}:
        return codes.pop() if len(codes) == 1 else "local-derivative"
    right = [slopes(node, elsewhere)[i] for i in range(len(which))]
    lost = any(loses(record, node, elsewhere, i, slope) for i, slope in zip(which, right, strict=True))
    if 0 in which and stops_behind(record, node.name, elsewhere[0], *elsewhere[1:]):
        return "rule-misplaced" if lost else "graph-cut"
    _, got = tried(record, node.name, node.operands, elsewhere, thrice)
    if all(map(near, got, right)):
        return "forgets-out-grad"
    return "overwrites-gradient" if lost else ""


def thrice(y: Any) -> Any:  # given
    """Return 3 y."""
    return y * 3


def wrong_slope(record: Recorder, node: Node, numbers: Sequence[float]) -> str:  # given
    """Return what is wrong with the gradients that an operator gives by itself at one point; "" for nothing."""
    right = slopes(node, numbers)
    _, got = tried(record, node.name, node.operands, numbers)
    if all(map(near, got, right)):
        return ""
    if not any(got):
        return "graph-cut"
    opposite = all(near(a, b) or near(-a, b) for a, b in zip(got, right, strict=True))
    return "wrong-sign" if opposite else "local-derivative"


def slopes(node: Node, numbers: Sequence[float]) -> list[float]:  # given
    """Return the central difference of an operation by each of its values."""
    if node.name == "pow":
        return [power_slope(numbers)]
    every = slopes_of(PLAIN[node.name], numbers)
    return [slope for slope, operand in zip(every, node.operands, strict=True) if isinstance(operand, tuple)]


def power_slope(numbers: Sequence[float]) -> float:  # given
    """Return the central difference of a power by its base: the exponent is a plain number."""

    def power(x: float) -> float:  # given
        return float(x ** numbers[1])

    return slopes_of(power, numbers[:1])[0]


def loses(record: Recorder, node: Node, numbers: Sequence[float], at: int, slope: float) -> bool:  # given
    """Say whether f(x) + f(x) leaves x one gradient of two."""
    x = record.value(numbers[at])
    pair = []
    for _ in range(2):
        fresh = [record.value(n) if isinstance(o, tuple) else o for o, n in zip(node.operands, numbers, strict=True)]
        fresh[at] = x
        pair.append(apply(node.name, fresh))
    (pair[0] + pair[1]).backward()
    return near(x.grad or 0.0, slope) and not near(x.grad or 0.0, 2 * slope)


def order(record: Recorder) -> tuple[str, str] | None:  # given
    """Return what is wrong with the order, every operator being right: by a value that is used twice, twice over."""
    a = record.value(1.5)
    b = a + a
    c = b + b
    (c * c + c).backward()
    right = slopes_of(square_and_itself, [1.5])[0]
    if near(a.grad or 0.0, right):
        return None
    return ("visited-again" if (a.grad or 0.0) > right else "backward-order"), ""


def square_and_itself(x: float) -> float:  # given
    """Return what `order` tries, with plain numbers."""
    return (4 * x) ** 2 + 4 * x


def close(a: float, b: float) -> bool:  # given
    """Say whether two values are the same but for rounding."""
    return math.isclose(a, b, rel_tol=1e-6, abs_tol=1e-9)


def near(a: float, b: float) -> bool:  # given
    """Say whether two derivatives agree as well as a central difference can tell."""
    return math.isclose(a, b, rel_tol=1e-4, abs_tol=1e-6)


class Diagnosis:
    """The plugin behind `--diagnose`."""

    def __init__(self) -> None:  # given
        """Start with nothing recorded."""
        self.record: Recorder | None = None

    @pytest.hookimpl(wrapper=True)
    def pytest_pyfunc_call(self, pyfuncitem: pytest.Function) -> Generator[None, Any, Any]:  # given
        """Watch the engine while a test runs."""
        module = pyfuncitem.funcargs.get("engine")
        self.record = Recorder(module) if isinstance(module, ModuleType) and hasattr(module, "Value") else None
        with self.record or contextlib.nullcontext():
            return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:  # given
        """Say below a failure what is wrong."""
        report = yield
        if report.failed and call.excinfo is not None and self.record is not None:
            found = None
            with contextlib.suppress(Exception):  # an engine that cannot be tried is one of which nothing is said
                found = diagnosis(self.record, call.excinfo.value)
            if found:
                report.sections.append(("Diagnosis", SAYS[found[0]].format(it=found[1])))
        if report.when == "call":
            self.record = None
        return report
