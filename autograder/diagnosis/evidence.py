"""Asks the worker, after a test failed, what its objects hold: the evidence of a diagnosis.

The worker is asked for numbers that it stores, and runs at most small programs of the grader's own. It is told nothing
of what was expected. All questions of one diagnosis together have one short deadline, and an answer that is no number
is an answer too.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any

import msgspec

from ..remote.replay import Replay
from ..wire import format as wire
from .program import BINARY, LEAF, Node, Place, TracedProgram

SECONDS = 0.5  # for all questions of one diagnosis
SINGLY = 60  # questions about objects that do not plainly store their numbers
_NO_VALUE = re.compile(r"'(NoneType|float|int|bool|complex|NotImplementedType)' object has no attribute")


class Held(msgspec.Struct, frozen=True):
    """What the worker holds for one node: numbers, None where it holds none, and what is there in place of a Value."""

    data: float | None
    grad: float | None
    instead: str = ""  # "NoneType", "float", …; "" for an object


class Witness:
    """The worker of a failed test, to be questioned."""

    def __init__(self, tape: Replay, program: TracedProgram) -> None:
        """Question the worker of `tape`, on which `program` was performed."""
        self._tape, self._program = tape, program
        self._asked = 0

    def numbers(self, handles: Sequence[int]) -> list[Held]:
        """Return what each object holds in `.data` and `.grad`."""
        keys = tuple(wire.Handle(handle) for handle in handles)
        return self._held_of(keys, self._ask([self._reading(keys)]))

    def replayed(self, nodes: Sequence[Node], *, backward: bool = True) -> list[Held] | None:
        """Return what fresh objects hold after the same steps, and a backward pass of the last; None if one raises."""
        handles: dict[Place, wire.Handle] = {}
        operations: list[tuple[int, tuple[Any, ...]]] = []
        for node in nodes:
            operations.append(self._operation(node, handles))
            handles[node.place] = wire.Handle(self._tape.unused + len(operations) - 1)
        if backward:
            operations.append((wire.METHOD, (handles[nodes[-1].place], "backward", (), {})))
        keys = tuple(handles.values())
        reply = self._ask([*operations, self._reading(keys)])
        return None if isinstance(reply, wire.RaisedError) else self._held_of(keys, reply)

    def _reading(self, keys: tuple[wire.Handle, ...]) -> tuple[int, tuple[Any, ...]]:
        """Return the operation that reads what many objects plainly store, in one round trip."""
        return wire.READ, (self._program.module, "__name__", keys, ("data", "grad"))

    def _held_of(self, keys: tuple[wire.Handle, ...], reply: Any) -> list[Held]:
        stored = reply[1] if type(reply) is tuple and len(reply) == 2 else None
        if type(stored) is not list or len(stored) != 2 * len(keys):
            stored = [None] * (2 * len(keys))
        return [self._held(key, *stored[2 * i : 2 * i + 2]) for i, key in enumerate(keys)]

    def _operation(self, node: Node, handles: dict[Place, wire.Handle]) -> tuple[int, tuple[Any, ...]]:
        operands = tuple(handles[each] if type(each) is Place else each for each in node.operands)
        if node.operation == LEAF:
            return wire.CALL, (self._program.maker, operands, {})
        if node.operation in (*BINARY, "neg"):
            return wire.OPERATOR_CODES[f"i{node.operation}" if node.in_place else node.operation], operands
        return wire.METHOD, (operands[0], node.operation, (), {})

    def _held(self, key: wire.Handle, data: Any, grad: Any) -> Held:
        instead = ""
        if type(data) not in (int, float):
            data = self._attribute(key, "data")
            found = _NO_VALUE.match(data.message) if isinstance(data, wire.RaisedError) else None
            instead = found[1] if found else ""
        if type(grad) not in (int, float) and not instead:
            grad = self._attribute(key, "grad")
        return Held(_number(data), _number(grad), instead)

    def _attribute(self, key: wire.Handle, name: str) -> Any:
        self._asked += 1
        return self._ask([(wire.GETATTR, (key, name))]) if self._asked <= SINGLY else None

    def _ask(self, operations: list[tuple[int, tuple[Any, ...]]]) -> Any:
        return self._tape.ask(operations, max(SECONDS - self._tape.questioned, 0.02))


def _number(value: Any) -> float | None:
    if type(value) is wire.Opaque and (value.kind, value.type_name) == (wire.TOO_LARGE, "int"):
        return math.inf  # its sign stayed there
    if type(value) not in (int, float, bool):
        return None
    try:
        return float(value)
    except OverflowError:  # an integer beyond any float
        return math.inf if value > 0 else -math.inf
