"""The program of a test, from the steps on its tape, with what the worker needs to perform it again."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

from ..remote.replay import Replay
from ..remote.step import Step
from ..wire import format as wire
from .reasoning.program import BINARY, LEAF, UNARY, UNKNOWN, VALUE, Node, Operand, Place, TracedProgram, symbol

_NUMBERS = (int, float)
_NONE = wire.Handle(0)
_LARGEST = sys.float_info.max  # an integer beyond it has no place among a diagnosis' floats


@dataclass(frozen=True)
class RecordedProgram(TracedProgram):
    """The program of a tape."""

    module: wire.Handle = _NONE  # of the submission
    maker: wire.Handle = _NONE  # the class of the leaves
    class_name: str = ""  # by which the module knows it


def program_of(tape: Replay) -> RecordedProgram:
    """Return the program of the steps that were performed: those before the one that failed, if one did."""
    nodes: list[Node] = []
    outputs: list[Place] = []
    known: dict[int, Place] = {}
    touched, module, maker = False, wire.Handle(0), wire.Handle(0)
    for number, step in enumerate(tape.steps[: tape.performed]):
        if number in tape.raised:  # and the test went on
            continue
        touched = touched or step.code == wire.SETATTR
        operation, operands = _read(step.code, step.arguments)
        if operation == "backward" and operands[0] in known:
            outputs.append(known[operands[0]])
        elif operation:
            place = Place(len(nodes))
            operands, operation = _placed(operands, operation, known)
            in_place = step.code >= wire.FIRST_OPERATOR and _name(step.code).startswith("i")
            nodes.append(Node(place, operation, operands, step.result, in_place))
            known[step.result] = place
            maker = step.arguments[0] if operation == LEAF else maker
        elif step.code == wire.GETATTR and step.arguments[0] < wire.FIRST_OBJECT:
            module = step.arguments[0]
    return RecordedProgram(tuple(nodes), tuple(outputs), touched, module, maker, _name_of(maker, tape))


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


def subject_of(step: Step, tape: Replay) -> tuple[str, bool]:
    """Return which operator, method or class of a graph's values a step calls, and whether a number is on the left."""
    if step.code >= wire.FIRST_OPERATOR:
        name = _name(step.code)
        name = name[1:] if name[1:] in BINARY else name
        reflected = len(step.arguments) == 2 and type(step.arguments[0]) is not wire.Handle
        return (f"__r{name}__" if reflected else symbol(name)), reflected
    if step.code == wire.METHOD and step.arguments[1] in (*UNARY, "backward"):
        return str(step.arguments[1]), False
    makes_a_value = step.code == wire.CALL and _name_of(step.arguments[0], tape) == VALUE
    return (VALUE if makes_a_value else ""), False
