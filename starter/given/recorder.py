"""Given: writes down what a test does with your values, for `pytest --diagnose`."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from types import ModuleType
from typing import Any

MOST = 300  # values of a test that are looked at
BINARY = {"add": "+", "sub": "-", "mul": "*", "truediv": "/", "pow": "**"}
PLAIN: dict[str, Callable[..., float]] = {
    **{name: getattr(operator, name) for name in (*BINARY, "neg")},
    "tanh": math.tanh,
    "exp": math.exp,
    "relu": partial(max, 0.0),
}


@dataclass
class Node:
    """One value of a test: the operation, what it was applied to, and the object it gave."""

    name: str  # "mul", "tanh", "leaf"
    operands: tuple[Any, ...]  # places of earlier nodes as (place,), plain numbers as they are
    result: Any

    @property
    def reflected(self) -> bool:  # given
        """Say whether a plain number stands on the left."""
        return len(self.operands) == 2 and not isinstance(self.operands[0], tuple)

    @property
    def shown(self) -> str:  # given
        """Return the name of the operator as you write it: `*`, or `__rsub__` with a number on the left."""
        return (
            f"`__r{self.name}__`"
            if self.reflected
            else f"`{BINARY.get(self.name, self.name)}`".replace("neg", "unary -")
        )

    def at(self, values: Sequence[float]) -> float:  # given
        """Return what plain numbers give."""
        if self.name == "leaf":
            return float(self.operands[0])
        return float(PLAIN[self.name](*(values[o[0]] if isinstance(o, tuple) else o for o in self.operands)))


class Recorder:
    """Writes down what a test does with the values of one module."""

    def __init__(self, module: ModuleType) -> None:  # given
        """Watch the class `Value` of `module`."""
        self.value = module.Value
        self.nodes: list[Node] = []
        self.places: dict[int, int] = {}  # of each object, by its identity
        self.outputs: list[int] = []  # where backward() was called
        self.failed: tuple[str, bool, BaseException] | None = None
        self.depth = 0  # operators that call one another count as one
        self.kept: dict[str, Any] = {}

    def __enter__(self) -> Recorder:  # given
        """Begin to watch."""
        reflected = [f"r{name}" for name in BINARY if name != "pow"]
        for name in [f"__{each}__" for each in (*BINARY, *reflected, "neg")] + ["tanh", "exp", "relu", "backward"]:
            if name in vars(self.value):
                self.kept[name] = vars(self.value)[name]
                setattr(self.value, name, self.watched(name.strip("_"), self.kept[name]))
        return self

    def __exit__(self, *_: object) -> None:  # given
        """Leave the class as it was."""
        for name, method in self.kept.items():
            setattr(self.value, name, method)

    def watched(self, name: str, method: Callable[..., Any]) -> Callable[..., Any]:  # given
        """Return the method, but written down whenever the test itself calls it."""

        def watching(this: Any, *others: Any) -> Any:  # given
            if self.depth or self.failed or len(self.nodes) > MOST:
                return method(this, *others)
            self.depth += 1
            try:
                result = method(this, *others)
            except BaseException as problem:
                self.failed = (name, any(not isinstance(o, self.value) for o in others), problem)
                raise
            finally:
                self.depth -= 1
            if result is not NotImplemented:
                self.note(name, this, others, result)
            return result

        return watching

    def note(self, name: str, this: Any, others: tuple[Any, ...], result: Any) -> None:  # given
        """Write one step down."""
        operands = [self.operand(each) for each in (this, *others)]
        if name == "backward":
            self.outputs.append(operands[0][0])
            return
        if name.startswith("r") and name != "relu":
            name, operands = name[1:], operands[::-1]
        self.add(name, tuple(operands), result)

    def operand(self, each: Any) -> Any:  # given
        """Return a number as it is, and a value as its place, which makes a leaf of what was not seen before."""
        if not isinstance(each, self.value):
            return each
        if id(each) not in self.places:
            self.add("leaf", (each.data,), each)
        return (self.places[id(each)],)

    def add(self, name: str, operands: tuple[Any, ...], result: Any) -> None:  # given
        """Append a node."""
        self.places[id(result)] = len(self.nodes)
        self.nodes.append(Node(name, operands, result))
