# Copied by `autograder starter` from autograder/diagnosis/reasoning/between.py: edit that file.
"""What is wrong between graphs: each is right by itself, and not after another one, or beside what it does not need.

Nothing here looks into the engine's rules. A graph of the test is performed alone, on fresh values, and then its wrong
gradients can only come from what an earlier pass left behind, or from values that the output does not depend on.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from .drawing import MOST_EVIDENCE, number, of_gradient
from .found import Found
from .program import LEAF, UNKNOWN, Place, TracedProgram
from .reference import close, gradients_of, reference_of
from .witness import Witness

MOST_NODES = 400  # of all graphs of a test together
MOST_PASSES = 8

Gradients = dict[Place, float]


def wrong_between_graphs(program: TracedProgram, witness: Witness) -> Found | None:
    """Return why gradients are wrong that are right in each graph alone; None if the evidence does not show it."""
    groups = [program.before(output) for output in program.outputs]
    if not 0 < len(groups) <= MOST_PASSES or len(program.nodes) > MOST_NODES:
        return None
    if any(node.operation == UNKNOWN for node in program.nodes) or not _share_leaves_alone(program, groups):
        return None
    due: list[Gradients] = []
    for group in groups:
        right = _due(program, group)
        if right is None or not _gives(program, group, right, witness):
            return None
        due.append(right)
    return _after_another(program, due, witness) if len(groups) > 1 else _beside(program, groups[0], due[0], witness)


def _share_leaves_alone(program: TracedProgram, groups: Sequence[tuple[Place, ...]]) -> bool:
    """Return True if graphs have no computed value in common: what a second pass over one does is nobody's promise."""
    shared = {place for one, other in combinations(groups, 2) for place in {*one} & {*other}}
    return all(program.nodes[place].operation == LEAF for place in shared)


def _due(program: TracedProgram, group: tuple[Place, ...]) -> Gradients | None:
    """Return the right gradients of the leaves of one graph; None if some value has none."""
    reference = reference_of(program, group)
    if any(place not in reference.values for place in group):
        return None
    gradients = gradients_of(program, group, reference)
    return {place: gradients[place] for place in group if program.nodes[place].operation == LEAF}


def _gives(program: TracedProgram, nodes: tuple[Place, ...], right: Gradients, witness: Witness) -> bool:
    """Return True if a pass from the last of the steps `nodes`, on fresh values, gives the right gradients."""
    held = witness.replayed([program.nodes[place] for place in nodes])
    if held is None:
        return False
    got = dict(zip(nodes, held, strict=True))
    return all((grad := got[place].gradient) is not None and close(grad, right[place]) for place in right)


def _after_another(program: TracedProgram, due: Sequence[Gradients], witness: Witness) -> Found | None:
    """Return that something stays from one pass to the next, unless the inputs hold what one of two ways leaves."""
    added: Gradients = {}
    replaced: Gradients = {}
    for gradients in due:
        replaced |= gradients
        for place, gradient in gradients.items():
            added[place] = added.get(place, 0.0) + gradient
    got = _got(program, sorted(added), witness)
    if got is None or any(_agree(got, way) for way in (added, replaced)):
        return None
    wrong = [place for place in got if not any(close(got[place], way[place]) for way in (added, replaced))]
    shown = (
        of_gradient(program.nodes[each], f"{number(added[each])} or {number(replaced[each])}", number(got[each]))
        for each in wrong[:MOST_EVIDENCE]
    )
    return Found("left-over", "", tuple(shown))


def _beside(program: TracedProgram, group: tuple[Place, ...], right: Gradients, witness: Witness) -> Found | None:
    """Return that values beside the output take part in its pass, if they do on fresh values too."""
    root = group[-1]
    beside = [node.place for node in program.nodes if root not in program.before(node.place)]
    if len(beside) < len(group):
        return None
    for _ in range(3):  # what an earlier pass left may look like it once
        if _gives(program, (*beside, root), right, witness) or not _gives(program, group, right, witness):
            return None
    got = _got(program, sorted(right), witness)
    if got is None or _agree(got, right):
        return None
    wrong = [place for place in got if not close(got[place], right[place])]
    shown = (of_gradient(program.nodes[each], number(right[each]), number(got[each])) for each in wrong[:MOST_EVIDENCE])
    return Found("beside-the-output", "", tuple(shown))


def _got(program: TracedProgram, places: Sequence[Place], witness: Witness) -> Gradients | None:
    """Return the gradients that values of the test hold; None if one is unknown."""
    held = witness.numbers([program.nodes[place] for place in places])
    known = {place: each.gradient for place, each in zip(places, held, strict=True)}
    numbers = {place: each for place, each in known.items() if each is not None}
    return numbers if len(numbers) == len(known) else None


def _agree(got: Gradients, right: Gradients) -> bool:
    return all(close(got[place], right[place]) for place in right)
