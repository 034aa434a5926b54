"""Why the code raised: from the exception's kind and words, and the step at which it came.

The words are Python's own when the submission did not choose them. They select a sentence and a name from a closed
list; none of them is repeated.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from .forward import fresh_steps
from .found import Found
from .program import BINARY, MANY_PATHS, UNARY, VALUE, Node, Place, TracedProgram, leaves_of, most_paths, symbol
from .reference import reference_of
from .rules import raising_rule, said
from .witness import Witness, new_value

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


@dataclass(frozen=True)
class Halt:
    """The step of a test that raised."""

    kind: str  # of the exception, by the builtin class that it is of
    message: str
    subject: str  # the operator or the method that the step calls, or "Value"; "" for anything else
    reflected: bool = False  # a plain number stands on the left
    has_number: bool = False  # a plain number is among the operands
    inner: str = ""  # the innermost function of the submission that was running


def why_raised(halt: Halt, program: TracedProgram, witness: Witness) -> Found | None:
    """Return why the submission raised at the step that follows those of `program`."""
    subject = halt.subject
    causes: dict[str, Callable[[], Found | None]] = {
        "NotImplementedError": lambda: _untouched(halt.message),
        "RecursionError": lambda: _recursion(subject, program, reflected=halt.reflected),
        "NameError": lambda: _no_module(halt.message),
        "AttributeError": lambda: _wrong_kind(halt, program, witness),
        "TypeError": lambda: _wrong_kind(halt, program, witness),
        "MemoryError": lambda: Found("exponential-forward") if most_paths(program) >= MANY_PATHS else None,
        "ZeroDivisionError": lambda: _division(program, witness) if subject == "backward" else None,
    }
    found = causes[halt.kind]() if halt.kind in causes else None
    if found is not None or halt.kind in ("RecursionError", "NotImplementedError"):
        return found
    if subject == "backward":
        return raising_rule(program, witness)
    within = subject == VALUE or (subject and halt.inner and "NoneType" not in halt.message)  # None: of another step
    return _raising(halt, witness) if within else None


def _untouched(message: str) -> Found | None:
    task = _TASK.match(message)
    return Found("not-attempted", task[1]) if task else None


def _no_module(message: str) -> Found | None:
    name = _NO_NAME.search(message)
    return Found("module-not-imported", name[1]) if name and name[1] in _MODULES else None


def _recursion(subject: str, program: TracedProgram, *, reflected: bool) -> Found | None:
    if reflected:
        return Found("reflected-recursive", subject)
    if subject == "backward" and len(program.nodes) > _DEEP:
        return Found("recursion-limit")
    return Found("calls-itself", subject) if subject else None


def _wrong_kind(halt: Halt, program: TracedProgram, witness: Witness) -> Found | None:
    """Return why something was not of the kind that the code expects."""
    message, subject, reflected = halt.message, halt.subject, halt.reflected
    if "NoneType" in message and subject == "backward":
        called = "object is not callable" in message
        return Found("rule-called-early") if called else None
    if found := _UNSUPPORTED.search(message):
        return _unsupported(found[1], found[2], found[3], reflected=reflected, witness=witness)
    if _NO_SIGN.search(message) and "NoneType" not in message:
        return Found("operator-missing", "unary -")
    if found := _NO_ATTRIBUTE.search(message):
        if found[1] not in _NUMBERS:
            return _attribute(found[1], found[2], subject)
        plain = reflected and halt.inner == f"__{subject[3:]}"  # __add__, if __radd__ only hands over to it
        return _unwrapped(halt, symbol(subject[3:-2]) if plain else subject, program, witness)
    return None


def _unsupported(operator: str, left: str, right: str, *, reflected: bool, witness: Witness) -> Found | None:
    name = _OPERATORS.get(operator)
    if name is None or "NoneType" in (left, right) or (left in _NUMBERS and right in _NUMBERS):
        return None
    if left in _NUMBERS:
        # Inside an operator that got two values, a number beside a Value may be a forgotten `.data`.
        return Found("reflected-missing", f"__r{name}__") if reflected else None
    if right not in _NUMBERS or name == "pow":
        return Found("operator-missing", symbol(name))
    is_there = _works_between_values(name, witness)
    return Found("number-not-wrapped" if is_there else "operator-missing", symbol(name))


def _works_between_values(operation: str, witness: Witness) -> bool:
    steps = [*leaves_of(1.7, 0.6), Node(Place(2), operation, (Place(0), Place(1)))]
    return witness.replayed(steps, backward=False) is not None


def _attribute(kind: str, name: str, subject: str) -> Found | None:
    if kind != "NoneType" and name in UNARY and subject == name:
        return Found("operator-missing", name)
    if kind != "NoneType" and name == subject == "backward":
        return Found("operator-missing", "backward")
    return None


def _unwrapped(halt: Halt, subject: str, program: TracedProgram, witness: Witness) -> Found | None:
    """Return which operator took a plain number for a Value."""
    if subject != "backward":
        return Found("number-not-wrapped", subject) if halt.has_number and subject else None
    mixed = [node for node in program.nodes if len(node.parents) == 1 and node.operation in BINARY[:4]]
    reference = reference_of(program, [node.place for node in program.nodes])
    mixed += [replace(node, operands=node.operands[::-1]) for node in mixed if node.reflected]  # on the usual side
    raising = [
        node.subject
        for node in {node.subject: node for node in mixed if node.place in reference.values}.values()
        if witness.replayed(fresh_steps(node, reference)) is None
    ]
    return Found("number-not-wrapped", min(raising)) if raising else None  # `*` comes before `__rmul__`


def _raising(halt: Halt, witness: Witness) -> Found:
    """Return that an operator raises, or that there is no number that it could work with."""
    leaf = new_value(witness, 1.7)
    if leaf and leaf.data is None and not leaf.data_kind:
        return Found("data-not-kept")
    plain = halt.subject[3:-2]  # __add__, for __radd__
    of_both = halt.reflected and not _works_between_values(plain, witness)
    return Found("operator-raises", symbol(plain) if of_both else halt.subject, exception=said(halt.kind))


def _division(program: TracedProgram, witness: Witness) -> Found | None:
    """Return which rule divides by a zero: that of a power, if it raises by itself and nothing is divided."""
    exponents = {node.operands[1] for node in program.nodes if node.operation == "pow"}
    divided = any(node.operation == "truediv" for node in program.nodes)
    alone = () if divided else sorted(exponents, key=str)[:_EXPONENTS]
    (zero,) = leaves_of(0.0)
    raised = any(witness.raised([zero, Node(Place(1), "pow", (Place(0), n))]) for n in alone)
    return Found("divides-by-zero", "**") if raised else None
