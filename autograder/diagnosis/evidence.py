"""Asks the worker, after a test failed, what its objects hold: the evidence of a diagnosis.

The worker is asked what two attributes of its objects hold, and runs at most small programs of the grader's own. It is
told nothing of what was expected. All questions of one diagnosis together have one short deadline.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..remote.replay import Replay
from ..wire import format as wire
from .reasoning.line_log import TracedRun
from .reasoning.program import BINARY, LEAF, Node, Place
from .reasoning.rows import run_of
from .reasoning.witness import Held, held_of
from .recorded import RecordedProgram

SECONDS = 0.5  # for all questions of one diagnosis


class WorkerWitness:
    """The worker of a failed test, to be questioned."""

    def __init__(self, tape: Replay, program: RecordedProgram) -> None:
        """Question the worker of `tape`, on which `program` was performed."""
        self._tape, self._program = tape, program

    def numbers(self, nodes: Sequence[Node]) -> list[Held]:
        """Return what the values of the test hold in `.data` and `.grad`."""
        keys = tuple(wire.Handle(node.handle) for node in nodes)
        return _held_of(keys, self._ask([_examination(keys)]))

    def replayed(self, nodes: Sequence[Node], *, backward: bool = True) -> list[Held] | None:
        """Return what fresh objects hold after the same steps, and a backward pass of the last; None if one raises."""
        reply, keys = self._performed(nodes, backward=backward)
        return None if isinstance(reply, wire.RaisedError) else _held_of(keys, reply)

    def raised(self, nodes: Sequence[Node]) -> str:
        """Return the kind of exception that a backward pass of the same steps raises, when the steps do not; or ""."""
        reply, _ = self._performed(nodes, backward=True)
        made = self.replayed(nodes, backward=False) if isinstance(reply, wire.RaisedError) else None
        return reply.kind if made and not made[-1].instead else ""  # what is not a `Value` has no rule

    def traced(self, nodes: Sequence[Node], sought: Sequence[float] = ()) -> TracedRun | None:
        """Return what each line did while the steps and a backward pass of the last were performed; None if unknown.

        Of each number of `sought`, the lines that had just run when it was first seen come along.
        """
        program = self._program
        maker, *handles, root = self._tape.reserved(len(nodes) + 2)
        known: dict[Place, wire.Handle] = {}
        steps: list[Any] = [(wire.GETATTR, int(maker), (program.module, program.class_name))]
        for node, handle in zip(nodes, handles, strict=True):
            code, arguments = self._operation(node, known, maker)
            steps.append((code, int(handle), arguments))
            known[node.place] = handle
        steps.append((wire.METHOD, int(root), (handles[-1], "backward", (), {})))
        reply = self._ask([(wire.TRACE, (tuple(steps), tuple(sought)))])
        return run_of(reply, [node.place for node in nodes], self._tape.files)

    def _performed(self, nodes: Sequence[Node], *, backward: bool) -> tuple[Any, tuple[wire.Handle, ...]]:
        handles: dict[Place, wire.Handle] = {}
        operations: list[tuple[int, tuple[Any, ...]]] = []
        maker = self._program.maker
        if self._program.class_name:  # looked up again: a worker that has performed nothing does not hold it
            maker = self._tape.unused
            operations.append((wire.GETATTR, (self._program.module, self._program.class_name)))
        for node in nodes:
            operations.append(self._operation(node, handles, maker))
            handles[node.place] = wire.Handle(self._tape.unused + len(operations) - 1)
        if backward:
            operations.append((wire.METHOD, (handles[nodes[-1].place], "backward", (), {})))
        keys = tuple(handles.values())
        return self._ask([*operations, _examination(keys)]), keys

    @staticmethod
    def _operation(node: Node, handles: dict[Place, wire.Handle], maker: wire.Handle) -> tuple[int, tuple[Any, ...]]:
        operands = tuple(handles[each] if type(each) is Place else each for each in node.operands)
        if node.operation == LEAF:
            return wire.CALL, (maker, operands, {})
        if node.operation in (*BINARY, "neg"):
            return wire.OPERATOR_CODES[f"i{node.operation}" if node.in_place else node.operation], operands
        return wire.METHOD, (operands[0], node.operation, (), {})

    def _ask(self, operations: list[tuple[int, tuple[Any, ...]]]) -> Any:
        return self._tape.ask(operations, max(SECONDS - self._tape.questioned, 0.02))


def _examination(keys: tuple[wire.Handle, ...]) -> tuple[int, tuple[Any, ...]]:
    """Return the operation that reads both numbers of many objects, properties among them, in one round trip.

    The handles cross as plain numbers: an object that is not there is one of which nothing is known.
    """
    return wire.EXAMINE, (tuple(int(key) for key in keys), ("data", "grad"))


def _held_of(keys: tuple[wire.Handle, ...], reply: Any) -> list[Held]:
    """Return what the worker says of each object; nothing is known of any if the answer is not of the right shape."""
    if type(reply) is not list or len(reply) != len(keys):
        reply = [None] * len(keys)
    return [held_of(*each) if type(each) is list and len(each) == 3 else Held(None, None) for each in reply]
