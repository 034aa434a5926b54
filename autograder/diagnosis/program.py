"""The recorded program: what a test computed with the submission's values, from the steps on its tape.

Only the arithmetic that the handout asks for is understood. A step of another kind gives a node that is unknown, and
so does every step that builds on it: of those a diagnosis says nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import msgspec

from ..remote.replay import Replay
from ..remote.step import SYMBOLS
from ..wire import format as wire

BINARY = ("add", "sub", "mul", "truediv", "pow")
UNARY = ("neg", "tanh", "exp", "relu")
LEAF, UNKNOWN = "leaf", "unknown"
MANY_PATHS = 1_000_000  # an engine that follows each of them cannot come to an end
_NUMBERS = (int, float)
_LARGEST = sys.float_info.max  # an integer beyond it has no place among a diagnosis' floats

Operand = int | float  # the index of a node is a Place, so that it is told from the number 2


class Place(int):
    """The index of a node in its program, where a plain number might stand too."""

    __slots__ = ()


class Node(msgspec.Struct, frozen=True):
    """One value of a test: how it was made, and the handle by which the worker knows it."""

    place: Place
    operation: str  # one of BINARY and UNARY, LEAF or UNKNOWN
    operands: tuple[Operand, ...]  # of a leaf: its number
    handle: int
    step: int
    in_place: bool = False  # written as `x += y`

    @property
    def parents(self) -> tuple[Place, ...]:
        """Return the operands that are nodes, each as often as it is used."""
        return tuple(operand for operand in self.operands if type(operand) is Place)

    @property
    def reflected(self) -> bool:
        """Say whether a plain number stands on the left."""
        return len(self.operands) == 2 and type(self.operands[0]) is not Place

    @property
    def subject(self) -> str:
        """Return the name of the operator as a student knows it: `*`, `tanh`, `__rsub__`."""
        if self.operation == LEAF:
            return "Value"
        return f"__r{self.operation}__" if self.reflected else symbol(self.operation)


def symbol(operation: str) -> str:
    """Return how an operation is written: `*` for mul."""
    return SYMBOLS.get(operation, operation)


class Sweep(msgspec.Struct, frozen=True):
    """One call of backward(): from which node, and on which step of the tape."""

    root: Place
    step: int


class TracedProgram(msgspec.Struct, frozen=True):
    """All nodes of a test in the order in which they were made, and the backward passes."""

    nodes: tuple[Node, ...]
    sweeps: tuple[Sweep, ...]
    touched: bool  # the test itself set an attribute, so that gradients need not be those of one pass
    module: wire.Handle  # of the submission
    maker: wire.Handle  # the class of the leaves
    class_name: str = ""  # by which the module knows it

    def before(self, root: Place) -> tuple[Place, ...]:
        """Return the nodes that `root` is computed from, itself included, in the order of their making."""
        found: set[Place] = set()
        waiting = [root]
        while waiting:
            place = waiting.pop()
            if place not in found:
                found.add(place)
                waiting += self.nodes[place].parents
        return tuple(sorted(found))


def program_of(tape: Replay) -> TracedProgram:
    """Return the program of the steps that were performed: those before the one that failed, if one did."""
    nodes: list[Node] = []
    sweeps: list[Sweep] = []
    known: dict[int, Place] = {}
    touched, module, maker = False, wire.Handle(0), wire.Handle(0)
    for number, step in enumerate(tape.steps[: tape.performed]):
        if number in tape.raised:  # and the test went on
            continue
        touched = touched or step.code == wire.SETATTR
        operation, operands = _read(step.code, step.arguments)
        if operation == "backward" and operands[0] in known:
            sweeps.append(Sweep(known[operands[0]], number))
        elif operation:
            place = Place(len(nodes))
            operands, operation = _placed(operands, operation, known)
            in_place = step.code >= wire.FIRST_OPERATOR and _name(step.code).startswith("i")
            nodes.append(Node(place, operation, operands, step.result, number, in_place))
            known[step.result] = place
            maker = step.arguments[0] if operation == LEAF else maker
        elif step.code == wire.GETATTR and step.arguments[0] < wire.FIRST_OBJECT:
            module = step.arguments[0]
    return TracedProgram(tuple(nodes), tuple(sweeps), touched, module, maker, _name_of(maker, tape))


def _name_of(maker: wire.Handle, tape: Replay) -> str:
    place = maker - wire.FIRST_OBJECT
    step = tape.steps[place] if 0 <= place < len(tape.steps) else None
    return str(step.arguments[1]) if step and step.code == wire.GETATTR else ""


def _read(code: int, arguments: tuple[Any, ...]) -> tuple[str, tuple[Any, ...]]:
    """Return the operation of a step and its operands; "" for a step that computes nothing."""
    if code >= wire.FIRST_OPERATOR:
        name = _name(code)
        plain = name[1:] if name[1:] in BINARY else name
        return (plain if plain in (*BINARY, "neg") else UNKNOWN), arguments
    if code == wire.METHOD:
        target, name, positional, named = arguments
        usual = name in (*UNARY, "backward") and name != "neg" and not positional and not named
        return (name if usual else UNKNOWN), (target,)
    if code == wire.CALL:
        _, positional, named = arguments
        alone = len(positional) == 1 and not named and type(positional[0]) in _NUMBERS
        return (LEAF if alone else UNKNOWN), positional
    return "", ()


def _name(code: int) -> str:
    return wire.OPERATORS[code - wire.FIRST_OPERATOR]


def _placed(operands: tuple[Any, ...], operation: str, known: dict[int, Place]) -> tuple[tuple[Operand, ...], str]:
    """Return operands with handles replaced by places, and UNKNOWN for what does not fit the operation."""
    placed: list[Operand] = []
    for operand in operands:
        if type(operand) is wire.Handle and operand in known:
            placed.append(known[operand])
        elif type(operand) is float or (type(operand) in _NUMBERS and abs(operand) <= _LARGEST):
            placed.append(operand)
        else:
            return (), UNKNOWN
    if operation == "pow" and (len(placed) != 2 or type(placed[1]) is Place or type(placed[0]) is not Place):
        return (), UNKNOWN
    return tuple(placed), operation


def uses(program: TracedProgram, places: tuple[Place, ...]) -> dict[Place, list[tuple[Place, int]]]:
    """Return for every node among `places` where it is used: the consumer and the position of the operand."""
    found: dict[Place, list[tuple[Place, int]]] = {place: [] for place in places}
    for place in places:
        for position, operand in _positions(program.nodes[place]):
            found[operand].append((place, position))
    return found


def _positions(node: Node) -> Iterator[tuple[int, Place]]:
    for position, operand in enumerate(node.operands):
        if type(operand) is Place:
            yield position, operand


def most_paths(program: TracedProgram) -> int:
    """Return how many ways lead from the node that has most of them down to the leaves."""
    paths: dict[Place, int] = {}
    for node in program.nodes:
        paths[node.place] = sum(paths[parent] for parent in node.parents) or 1
    return max(paths.values(), default=0)
