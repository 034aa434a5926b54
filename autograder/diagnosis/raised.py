"""Why the code raised: from the exception's kind and words, and the step at which it came.

The words are Python's own when the submission did not choose them. They select a sentence and a name from a closed
list; none of them is repeated.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec.structs import replace

from ..errors import RemoteError
from ..model import Diagnosis
from ..remote.replay import Replay
from ..remote.step import Step
from ..wire import format as wire
from .codes import diagnosed
from .evidence import Witness
from .forward import fresh_steps
from .program import BINARY, LEAF, MANY_PATHS, UNARY, Node, Place, TracedProgram, most_paths, symbol
from .reference import reference_of
from .rules import raising_rule

_OPERATORS = {
    "+": "add",
    "-": "sub",
    "*": "mul",
    "/": "truediv",
    "** or pow()": "pow",
    "+=": "add",
    "-=": "sub",
    "*=": "mul",
}
_UNSUPPORTED = re.compile(r"unsupported operand type\(s\) for (\S+|\*\* or pow\(\)): '(\w+)' and '(\w+)'")
_NO_SIGN = re.compile(r"bad operand type for unary -: '(\w+)'")
_NO_ATTRIBUTE = re.compile(r"'(\w+)' object has no attribute '(\w+)'")
_NO_NAME = re.compile(r"name '(\w+)' is not defined")
_TASK = re.compile(r"task (\d{1,2}\.\d{1,2})\b")
_DEEP = 400  # nodes in a row, beyond which a recursive backward pass may exceed Python's limit through no mistake
_EXPONENTS = 3  # of a program, that are asked about
_NUMBERS = ("int", "float", "bool")
_MODULES = ("math", "random")


def why_raised(error: RemoteError, tape: Replay, program: TracedProgram, witness: Witness) -> Diagnosis | None:
    """Return why the submission raised `error` at the step of `tape` that follows those performed."""
    step = tape.steps[tape.performed]
    subject, reflected = subject_of(step)
    causes: dict[str, Callable[[], Diagnosis | None]] = {
        "NotImplementedError": lambda: _untouched(error.message),
        "RecursionError": lambda: _recursion(subject, reflected, program),
        "NameError": lambda: _no_module(error.message),
        "AttributeError": lambda: _wrong_kind(error, step, program, witness),
        "TypeError": lambda: _wrong_kind(error, step, program, witness),
        "MemoryError": lambda: diagnosed("exponential-forward") if most_paths(program) >= MANY_PATHS else None,
        "ZeroDivisionError": lambda: _division(program, witness) if subject == "backward" else None,
    }
    found = causes[error.kind]() if error.kind in causes else None
    of_a_rule = found is None and subject == "backward" and error.kind not in ("RecursionError", "NotImplementedError")
    return raising_rule(program, witness) if of_a_rule else found


def _untouched(message: str) -> Diagnosis | None:
    task = _TASK.match(message)
    return diagnosed("not-attempted", task[1]) if task else None


def _no_module(message: str) -> Diagnosis | None:
    name = _NO_NAME.search(message)
    return diagnosed("module-not-imported", name[1]) if name and name[1] in _MODULES else None


def subject_of(step: Step) -> tuple[str, bool]:
    """Return which operator or method a step calls, and whether with a plain number on the left."""
    if step.code >= wire.FIRST_OPERATOR:
        name = wire.OPERATORS[step.code - wire.FIRST_OPERATOR]
        name = name[1:] if name[1:] in BINARY else name
        reflected = len(step.arguments) == 2 and type(step.arguments[0]) is not wire.Handle
        return (f"__r{name}__" if reflected else symbol(name)), reflected
    if step.code == wire.METHOD and step.arguments[1] in (*UNARY, "backward"):
        return str(step.arguments[1]), False
    return ("Value" if step.code == wire.CALL else ""), False


def _recursion(subject: str, reflected: bool, program: TracedProgram) -> Diagnosis | None:
    if reflected:
        return diagnosed("reflected-recursive", subject)
    if subject == "backward" and len(program.nodes) > _DEEP:
        return diagnosed("recursion-limit")
    return diagnosed("calls-itself", subject) if subject else None


def _wrong_kind(error: RemoteError, step: Step, program: TracedProgram, witness: Witness) -> Diagnosis | None:
    """Return why something was not of the kind that the code expects."""
    message, (subject, reflected) = error.message, subject_of(step)
    if "NoneType" in message and subject == "backward":
        called = "object is not callable" in message
        return diagnosed("rule-called-early") if called else None
    if found := _UNSUPPORTED.search(message):
        return _unsupported(found[1], found[2], found[3], reflected=reflected, witness=witness)
    if _NO_SIGN.search(message) and "NoneType" not in message:
        return diagnosed("operator-missing", "unary -")
    if found := _NO_ATTRIBUTE.search(message):
        if found[1] not in _NUMBERS:
            return _attribute(found[1], found[2], subject)
        inner = error.frames[-1][2] if error.frames else ""  # __add__, when __radd__ only hands over to it
        plain = reflected and inner == f"__{subject[3:]}"
        return _unwrapped(step, symbol(subject[3:-2]) if plain else subject, program, witness)
    return None


def _unsupported(operator: str, left: str, right: str, *, reflected: bool, witness: Witness) -> Diagnosis | None:
    name = _OPERATORS.get(operator)
    if name is None or "NoneType" in (left, right) or (left in _NUMBERS and right in _NUMBERS):
        return None
    if left in _NUMBERS:
        # Inside an operator that got two values, a number beside a Value may be a forgotten `.data`.
        return diagnosed("reflected-missing", f"__r{name}__") if reflected else None
    if right not in _NUMBERS or name == "pow":
        return diagnosed("operator-missing", symbol(name))
    leaves = [Node(Place(i), LEAF, (x,), 0, 0) for i, x in enumerate((1.7, 0.6))]
    between_values = [*leaves, Node(Place(2), name, (Place(0), Place(1)), 0, 0)]
    is_there = witness.replayed(between_values, backward=False) is not None
    return diagnosed("number-not-wrapped" if is_there else "operator-missing", symbol(name))


def _attribute(kind: str, name: str, subject: str) -> Diagnosis | None:
    if kind != "NoneType" and name in UNARY and subject == name:
        return diagnosed("operator-missing", name)
    if kind != "NoneType" and name == subject == "backward":
        return diagnosed("operator-missing", "backward")
    return None


def _unwrapped(step: Step, subject: str, program: TracedProgram, witness: Witness) -> Diagnosis | None:
    """Return which operator took a plain number for a Value."""
    if subject != "backward":
        number = any(type(each) in (int, float) for each in step.arguments)
        return diagnosed("number-not-wrapped", subject) if number and subject else None
    mixed = [node for node in program.nodes if len(node.parents) == 1 and node.operation in BINARY[:4]]
    reference = reference_of(program, [node.place for node in program.nodes])
    mixed += [replace(node, operands=node.operands[::-1]) for node in mixed if node.reflected]  # on the usual side
    raising = [
        node.subject
        for node in {node.subject: node for node in mixed if node.place in reference.values}.values()
        if witness.replayed(fresh_steps(node, reference)) is None
    ]
    return diagnosed("number-not-wrapped", min(raising)) if raising else None  # `*` comes before `__rmul__`


def _division(program: TracedProgram, witness: Witness) -> Diagnosis | None:
    """Return which rule divides by a zero: that of a power, if it raises by itself and nothing is divided."""
    exponents = {node.operands[1] for node in program.nodes if node.operation == "pow"}
    divided = any(node.operation == "truediv" for node in program.nodes)
    alone = () if divided else sorted(exponents, key=str)[:_EXPONENTS]
    zero = Node(Place(0), LEAF, (0.0,), 0, 0)
    raised = any(witness.raised([zero, Node(Place(1), "pow", (Place(0), n), 0, 0)]) for n in alone)
    return diagnosed("divides-by-zero", "**") if raised else None
