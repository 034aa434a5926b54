"""Given: performs small programs with your engine, for `pytest --diagnose`, and says what its values hold."""

from __future__ import annotations

import contextlib
import io
import math
import operator
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from .line_trace import LineTrace
from .reasoning.line_log import TracedRun
from .reasoning.program import BINARY, LEAF, Node, Place
from .reasoning.rows import run_of
from .reasoning.witness import Held, held_of


class OwnWitness:
    """Your engine, in this process."""

    def __init__(self, module: ModuleType, objects: Sequence[Any]) -> None:  # given
        """Ask `module`; `objects` are what the steps of the test gave."""
        self.module, self.objects = module, objects

    def numbers(self, nodes: Sequence[Node]) -> list[Held]:  # given
        """Return what the values of the test hold in `.data` and `.grad`."""
        return [held(self.objects[node.place]) for node in nodes]

    def replayed(self, nodes: Sequence[Node], *, backward: bool = True) -> list[Held] | None:  # given
        """Return what fresh objects hold after the same steps, and a backward pass of the last; None if one raises."""
        try:
            return [held(each) for each in self.performed(nodes, backward=backward)]
        except Exception:  # noqa: BLE001 - a wrong engine may raise anything
            return None

    def raised(self, nodes: Sequence[Node]) -> str:  # given
        """Return the kind of exception that a backward pass of the same steps raises, when the steps do not; or ""."""
        try:
            self.performed(nodes, backward=True)
        except Exception as problem:  # noqa: BLE001 - it is what is asked for
            raised = next(kind.__name__ for kind in type(problem).__mro__ if kind.__module__ == "builtins")
        else:
            return ""
        made = self.replayed(nodes, backward=False)
        return raised if made and not made[-1].instead else ""

    def traced(self, nodes: Sequence[Node], sought: Sequence[float] = ()) -> TracedRun | None:  # given
        """Return what each line did while the steps and a backward pass of the last were performed."""
        file = str(self.module.__file__)
        known: dict[Place, Any] = {}

        def perform(node: Node | None) -> Any:  # given
            return known[nodes[-1].place].backward() if node is None else self.perform(node, known)

        places = [node.place for node in nodes]
        complete, rows = LineTrace({file: Path(file).name}, sought).log(perform, [*nodes, None])
        counted = [[row[0], row[1], row[2] + (row[3] < 2), *row[3:]] for row in rows]  # a place for the class, first
        return run_of([complete, counted], places, [Path(file).name])

    def performed(self, nodes: Sequence[Node], *, backward: bool) -> list[Any]:  # given
        """Return fresh objects after the steps."""
        known: dict[Place, Any] = {}
        for node in nodes:
            self.perform(node, known)
        if backward:
            known[nodes[-1].place].backward()
        return list(known.values())

    def perform(self, node: Node, known: dict[Place, Any]) -> Any:  # given
        """Return what one step gives, and keep it among what is `known`."""
        operands = [known[each] if type(each) is Place else each for each in node.operands]
        if node.operation == LEAF:
            result = self.module.Value(*operands)
        elif node.operation in (*BINARY, "neg"):
            result = getattr(operator, f"i{node.operation}" if node.in_place else node.operation)(*operands)
        else:
            result = getattr(operands[0], node.operation)()
        known[node.place] = result
        return result


def fresh(module: ModuleType) -> ModuleType:  # given
    """Return your engine imported once more: an engine may keep what it did before."""
    file = Path(str(module.__file__))
    again = ModuleType(module.__name__)
    again.__file__ = module.__file__
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(file.read_bytes(), str(file), "exec"), vars(again))  # noqa: S102 - what an import is
    return again


def held(each: Any) -> Held:  # given
    """Return what an object holds."""
    return held_of(type(each).__name__, *[attribute(each, name) for name in ("data", "grad")])


def attribute(each: Any, name: str) -> float | str | None:  # given
    """Return a number, the name of the type of what is not one, or None if reading raises."""
    try:
        value = getattr(each, name)
        return float(value) if type(value) in (int, float, bool) else type(value).__name__
    except OverflowError:  # an integer beyond any float
        return math.inf if value > 0 else -math.inf
    except Exception:  # noqa: BLE001 - a property may raise anything
        return None
