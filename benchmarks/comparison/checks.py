"""The list of checks that every grader is given, and the submissions that they grade.

A check is a few lines of Python about `Value` and the numbers that must come out. Each peer's assignment is generated
from this list, in the form that its own documentation teaches. The engine is the solution's; `wrong()` has half of
the gradients wrong.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
TOLERANCE = 1e-6


@dataclass(frozen=True)
class Check:
    """One check, worth a point: lines to run, and the expressions that must be close to numbers."""

    name: str
    lines: tuple[str, ...]
    numbers: tuple[tuple[str, float], ...]


# Each template at (a, b): the expression, its value and both derivatives.
_TEMPLATES = {
    "sum": ("a + b", lambda a, b: (a + b, 1.0, 1.0)),
    "difference": ("a - b", lambda a, b: (a - b, 1.0, -1.0)),
    "product": ("a * b", lambda a, b: (a * b, b, a)),
    "quotient": ("a / b", lambda a, b: (a / b, 1 / b, -a / b**2)),
    "reuse": ("a * a + b", lambda a, b: (a * a + b, 2 * a, 1.0)),
    "diamond": ("(a + b) * (a - b)", lambda a, b: (a * a - b * b, 2 * a, -2 * b)),
    "power": ("a ** 3 + 2 * b", lambda a, b: (a**3 + 2 * b, 3 * a * a, 2.0)),
}
_POINTS = [(3.0, 2.0), (-1.5, 4.0), (0.5, -0.25), (2.0, 8.0)]


def checks(count: int = 30) -> list[Check]:
    """Return `count` checks of known values and gradients, the last two of which are chains."""
    made = itertools.islice(_known(), count - 2)
    return [*made, chain(200), chain(100)]


def _known() -> Iterator[Check]:
    for round_ in itertools.count():
        for (a, b), (name, (text, derived)) in itertools.product(_POINTS, _TEMPLATES.items()):
            shifted = a + round_ / 8
            value, by_a, by_b = derived(shifted, b)
            lines = (f"a, b = Value({shifted!r}), Value({b!r})", f"y = {text}", "y.backward()")
            label = f"{name}_{round_}_{_POINTS.index((a, b))}"
            yield Check(label, lines, (("y.data", value), ("a.grad", by_a), ("b.grad", by_b)))


def chain(length: int) -> Check:
    """Return a check with `length` operations in a row: each adds the leaf again."""
    lines = ("a = Value(0.5)", "y = a", f"for _ in range({length}):", "    y = y + a", "y.backward()")
    return Check(f"chain_{length}", lines, (("y.data", 0.5 * (length + 1)), ("a.grad", length + 1.0)))


def engine() -> str:
    """Return the text of the right engine."""
    return (ROOT / "solution" / "engine.py").read_text("utf-8")


def wrong() -> str:
    """Return an engine whose `-` and `/` negate their results: about half of the checks fail."""
    return engine() + _WRONG


_WRONG = """

def _negated(operator):
    return lambda self, other: operator(self, other) * -1.0

Value.__sub__, Value.__truediv__ = _negated(Value.__sub__), _negated(Value.__truediv__)
Value.__pow__ = _negated(Value.__pow__)
"""

_LOOP = """

def _endless(self):
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass

Value.backward = _endless
"""
_PRINTS = """

_quiet = Value.backward

def _loud(self):
    print("x" * 1_700_000)
    _quiet(self)

Value.backward = _loud
"""
_FORGED = (
    'import json, os\n_TEST = {"name": "all", "score": 30, "max_score": 30, "status": "passed"}\n'
    '_ALL = {"score": 30, "tests": [_TEST]}\n'
)
_WRITE = (
    "\ndef _forge():\n    for place in ('results.json', os.environ.get('RESULTS', 'results.json')):\n"
    "        open(place, 'w').write(json.dumps(_ALL))\n"
)

BAD = {  # name: what it does, its text; those that cheat are wrong() and worth what that is worth
    "loop at import": lambda: engine() + "\nwhile True:\n    pass\n",
    "loop in backward, catching everything": lambda: engine() + _LOOP,
    "os._exit(0) at import": lambda: engine() + "\nimport os\nos._exit(0)\n",
    "prints 50 MB": lambda: engine() + _PRINTS,
    "takes 4 GB": lambda: engine() + "\nhoard = b'x' * (4 << 30)\n",
    "writes results.json at exit": lambda: wrong() + _FORGED + _WRITE + "import atexit\natexit.register(_forge)\n",
    "writes results.json, then os._exit(0)": lambda: wrong() + _FORGED + _WRITE + "_forge()\nos._exit(0)\n",
    "patches abs": lambda: wrong() + "\nimport builtins\nbuiltins.abs = lambda x: 0.0\n",
}
CHEATS = {"writes results.json at exit", "writes results.json, then os._exit(0)", "patches abs"}
