# Copied by `autograder starter` from autograder/diagnosis/reasoning/rules.py: edit that file.
"""Which operator's rule raises: each is tried by itself, at the numbers of the test and at a few others."""

from __future__ import annotations

from .forward import fresh_steps
from .found import AN_EXCEPTION, Found
from .program import BINARY, UNARY, Node, Place, TracedProgram, leaves_of, symbol
from .reference import reference_of
from .witness import Witness, new_value

_IN_TURN = ("add", "mul", "pow", "exp", "relu", "neg", "sub", "truediv", "tanh")  # parts before what is made of them
_MADE_WITH = {"pow": ("truediv", "tanh"), "exp": ("tanh",)}  # operations that are often made of these
_NAMED = {  # a closed set, so that the kind of an exception tells nothing else
    "AssertionError": "an AssertionError",
    "AttributeError": "an AttributeError",
    "IndexError": "an IndexError",
    "KeyError": "a KeyError",
    "NameError": "a NameError",
    "OverflowError": "an OverflowError",
    "TypeError": "a TypeError",
    "ValueError": "a ValueError",
    "ZeroDivisionError": "a ZeroDivisionError",
}
_MOST = 8  # uses of one operation that are tried
_NEGATIVE, _ZERO, _POSITIVE = -1.7, 0.0, 1.7


def raising_rule(program: TracedProgram, witness: Witness) -> Found | None:
    """Return the most primitive operation whose rule raises by itself; None if none does."""
    kinds = [witness.raised(_alone(each, _POSITIVE)) for each in ("add", "mul")]
    if all(kinds):
        return _whatever_the_operator(kinds[0], witness)
    used = {node.operation for node in program.nodes}
    for operation in _IN_TURN:
        if operation in used or any(each in used for each in _MADE_WITH.get(operation, ())):
            kind, where = _at_points(operation, witness)
            if kind := kind or _in_the_test(operation, program, witness):
                return Found("rule-raises", symbol(operation), exception=said(kind) + where)
    return None


def _whatever_the_operator(kind: str, witness: Witness) -> Found:
    leaf = new_value(witness, _POSITIVE)
    starts_as_no_number = leaf and leaf.grad_kind and not leaf.holds_a_value and kind == "TypeError"
    return Found("start-not-zero") if starts_as_no_number else Found("backward-raises", exception=said(kind))


def said(kind: str) -> str:
    """Return an exception in words: its kind, if that is one of a closed set."""
    return _NAMED.get(kind, AN_EXCEPTION)


def _at_points(operation: str, witness: Witness) -> tuple[str, str]:
    """Return the kind of exception that a rule raises at one of three points, and for which operands."""
    if operation in BINARY and operation != "pow":
        return witness.raised(_alone(operation, _POSITIVE)), ""
    kinds = {x: witness.raised(_alone(operation, x)) for x in (_NEGATIVE, _ZERO, _POSITIVE)}
    negative, zero, positive = kinds.values()
    operand = "base" if operation == "pow" else "operand"
    at_zero = f", for the {operand} 0" if zero else ""
    where = "" if positive else f", for a negative {operand}" if negative else at_zero
    return positive or negative or zero, where


def _in_the_test(operation: str, program: TracedProgram, witness: Witness) -> str:
    """Return the kind of exception that the rule raises where the test uses the operation; "" if it raises none."""
    reference = reference_of(program, [node.place for node in program.nodes])
    nodes = [node for node in program.nodes if node.operation == operation and node.place in reference.values]
    return next((kind for node in nodes[-_MOST:] if (kind := witness.raised(fresh_steps(node, reference)))), "")


def _alone(operation: str, x: float) -> list[Node]:
    """Return the steps of one operation on fresh values."""
    if operation == "pow":
        return [*leaves_of(x), Node(Place(1), operation, (Place(0), 3))]
    if operation in UNARY:
        return [*leaves_of(x), Node(Place(1), operation, (Place(0),))]
    return [*leaves_of(x, 0.6), Node(Place(2), operation, (Place(0), Place(1)))]
