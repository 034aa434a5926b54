# Copied by `autograder starter` from autograder/diagnosis/reasoning/forward.py: edit that file.
"""Why values are wrong: the first node whose value is wrong while those of its operands are right."""

from __future__ import annotations

import struct
from dataclasses import replace

from .drawing import apart, formula, name_of
from .found import Evidence, Found
from .program import LEAF, Node, Place, TracedProgram, leaves_of
from .reference import Reference, close
from .values import value_of
from .witness import Held, Witness, new_value

_MOST_ROUNDED = 0.006  # by two decimals
_DIGITS = 1.7654321
_LARGEST_SINGLE = 3e38  # what is larger is no float32
_LOST = {"NoneType": "missing-return", "float": "returns-number", "int": "returns-number"}


def wrong_values(
    program: TracedProgram, places: tuple[Place, ...], reference: Reference, held: dict[Place, Held], witness: Witness
) -> Found | None:
    """Return why the first wrong value is wrong; None if all are right or the evidence does not decide."""
    for place in places:
        node, found = program.nodes[place], held[place]
        if found.instead in _LOST and node.operation != LEAF:
            return Found(_LOST[found.instead], _origin(node, reference, witness, found.instead))
        if place not in reference.values:
            return None
        if found.data is None:  # what is unknown is not wrong, but what rests on it cannot be judged
            wrong_type = found.data_kind and not found.instead
            return Found("not-a-number", ".data") if wrong_type else None
        if _rounded(node, found.data, reference.values[place]):
            return Found("rounded-numbers")
        if not close(found.data, reference.values[place]):
            return _wrong(node, program, places, reference, found.data, witness)
    return None


def _rounded(node: Node, got: float, right: float) -> bool:
    """Return True if a number lost digits: an input that is nearly what was given, a result that is a float32."""
    if got == right or not close(got, right):
        return False
    return node.operation == LEAF or (
        abs(right) < _LARGEST_SINGLE and got == struct.unpack("f", struct.pack("f", right))[0]
    )


def _wrong(
    node: Node, program: TracedProgram, places: tuple[Place, ...], reference: Reference, got: float, witness: Witness
) -> Found | None:
    right = reference.values[node.place]
    fresh = _again(node, reference, witness)
    if fresh is None:
        return None
    as_held, as_expected = apart(got, right)
    shown = Evidence(f"value of {name_of(node.place)} = {formula(node)}", as_expected, as_held)
    if close(fresh, right):  # it was right when it was made
        return _changed(node, program, places, reference, witness, shown)
    leaf = new_value(witness, right)
    if node.operation == LEAF or (leaf and leaf.data is not None and not close(leaf.data, right)):
        rounded = _is_nearly(got, right) and _keeps_most(witness)
        return Found("rounded-numbers" if rounded else "data-not-kept", "", (shown,))
    if node.reflected and _is_swapped(node, reference, fresh):
        return Found("reflected-swapped", node.subject, (shown,))
    plain = _usual(node, reference)
    held = witness.replayed(plain, backward=False) if node.reflected else None
    also = held is not None and held[-1].data is not None and not close(held[-1].data, right)
    return Found("forward-value", plain[-1].subject if also else node.subject, (shown,))


def _keeps_most(witness: Witness) -> bool:
    """Return True if a new value keeps the first digits of a number."""
    leaf = new_value(witness, _DIGITS)
    return leaf is not None and leaf.data is not None and _is_nearly(leaf.data, _DIGITS)


def _is_nearly(got: float, right: float) -> bool:
    return abs(got - right) <= _MOST_ROUNDED * max(1.0, abs(right))


def _origin(node: Node, reference: Reference, witness: Witness, instead: str) -> str:
    """Return the operator from which something that is no Value comes: the plain one, where that gives it too."""
    if any(place not in reference.values for place in node.parents):
        return node.subject
    steps = _usual(node, reference)
    held = witness.replayed(steps, backward=False)
    return steps[-1].subject if held is not None and held[-1].instead == instead else node.subject


def _usual(node: Node, reference: Reference) -> list[Node]:
    """Return the steps of an operation with a Value for its plain number; of a negation, of the product by -1."""
    x = (*reference.inputs(node), -1.0) if node.operation == "neg" else reference.inputs(node)
    operation = "mul" if node.operation == "neg" else node.operation
    if operation == "pow" or len(x) == 1:
        return fresh_steps(node, reference)
    return [*leaves_of(*x), Node(Place(9), operation, (Place(0), Place(1)))]


def _again(node: Node, reference: Reference, witness: Witness) -> float | None:
    """Return the value of the same operation on fresh values that hold the right numbers."""
    held = witness.replayed(fresh_steps(node, reference), backward=False)
    return held[-1].data if held else None


def fresh_steps(node: Node, reference: Reference) -> list[Node]:
    """Return the steps that make one operation again, on leaves of its own."""
    if node.operation == LEAF:
        return [node]
    leaves = [Node(each, LEAF, (reference.values[each],)) for each in dict.fromkeys(node.parents)]
    return [*leaves, node]


def _is_swapped(node: Node, reference: Reference, got: float) -> bool:
    try:
        return close(got, value_of(node.operation, reference.inputs(node)[::-1]))
    except ArithmeticError:
        return False


def _changed(
    node: Node,
    program: TracedProgram,
    places: tuple[Place, ...],
    reference: Reference,
    witness: Witness,
    shown: Evidence,
) -> Found | None:
    """Return which operator changes its operand, if one of those that use the node does."""
    users = [program.nodes[each] for each in places if node.place in program.nodes[each].parents]
    users = [each for each in users if each.place in reference.values]
    users = [*(replace(each, in_place=False) for each in users), *(each for each in users if each.in_place)]
    for user in {(each.subject, each.in_place): each for each in users}.values():
        held = witness.replayed(fresh_steps(user, reference), backward=False)
        leaves = list(dict.fromkeys(user.parents))
        if held and any(
            each.data is None or not close(each.data, reference.values[place])
            for each, place in zip(held, leaves, strict=False)
        ):
            return Found("changes-operand", f"{user.subject}=" if user.in_place else user.subject, (shown,))
    return None
