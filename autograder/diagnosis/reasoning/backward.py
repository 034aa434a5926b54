"""Why gradients are wrong: the theory that explains what every node holds, tried on the operator by itself.

A theory about an operator's rule must stand in the record and in an experiment; one about the order must stand in the
record while every operator proves right. If several stand that say different things, nothing is said.
"""

from __future__ import annotations

import contextlib

from .drawing import evidence_of
from .found import Found
from .probes import Laboratory
from .program import LEAF
from .reference import close
from .sample import IsolatedResult, Sample
from .scene import Scene
from .theories import any_order, local_patterns, theories

Finding = tuple[str, str]  # a code and a subject
_PARTS = {  # operators that are often written with others, the most primitive first: a mistake of those shows in them
    "__radd__": ("+",),
    "__rmul__": ("*",),
    "unary -": ("*",),
    "-": ("+", "*", "unary -"),
    "/": ("*", "**"),
    "__rsub__": ("+", "*", "unary -", "-"),
    "__rtruediv__": ("*", "**", "/"),
    "tanh": ("+", "*", "exp", "**", "unary -", "-", "/"),
}
_REFLECTED = ("__radd__", "__rmul__", "__rsub__", "__rtruediv__")
_PRIMITIVE_FIRST = ("+", "*", "tanh", "exp", "relu", "**", "unary -", "-", "/", *_REFLECTED)


def wrong_gradients(scene: Scene, laboratory: Laboratory) -> Found | None:
    """Return why the gradients of a scene are wrong; None if they are right or the evidence does not decide."""
    if not scene.holds_a_value and all(scene.is_right(place) for place in scene.places):
        return None
    found = _of_the_output(scene, laboratory) or _of_a_rule(scene, laboratory) or _of_the_pass(scene, laboratory)
    return Found(found[0], found[1], evidence_of(scene)) if found else None


def _of_the_output(scene: Scene, laboratory: Laboratory) -> Finding | None:
    """Return what is wrong with the gradient that the pass starts from."""
    if scene.root in scene.held and close(scene.held[scene.root], 1.0):
        return None
    alone = laboratory.leaf()
    if alone == 0.0:
        return None if any(scene.held.values()) else ("output-not-seeded", "")
    return ("seed-wrong", "") if alone is not None and not close(alone, 1.0) else None


def _of_a_rule(scene: Scene, laboratory: Laboratory) -> Finding | None:
    """Return the mistake of an operator that shows in an experiment: one that explains the record, if there is one."""
    for code in ("left-over", "equal-values-merge", "order-by-number"):
        if laboratory.shows(code):  # it would look like a mistake of any operator
            return code, ""
    subjects = _subjects(scene)
    found = [(code, subject) for subject in subjects if (code := _shown(subject, laboratory))]
    if not found:
        return None
    fitting = (theory for theory in theories(scene) if theory.fits(scene))
    standing = {(theory.code, theory.subject) for theory in fitting} if scene.wrong else set()
    if laboratory.cuts_everywhere:
        return "graph-cut", ""
    if code := laboratory.fault_of_any:
        return code, ""
    code, subject = _root_of(([each for each in found if each in standing] or found)[0], laboratory)
    nobody = (
        code in ("gradient-lost", "only-output")
        or (code == "overwrites-gradient" and laboratory.loses_everywhere)
        or (code == "forgets-out-grad" and all(laboratory.forgets_what_arrives(each) for each in ("+", "*")))
    )
    return code, "" if nobody else subject


def _subjects(scene: Scene) -> list[str]:
    """Return the operators of a scene, those that others are made of first."""
    nodes = [scene.program.nodes[place] for place in scene.places]
    found = dict.fromkeys(node.subject for node in nodes if node.operation != LEAF)
    return sorted(found, key=_PRIMITIVE_FIRST.index)


def _root_of(found: Finding, laboratory: Laboratory) -> Finding:
    """Return the mistake of the most primitive operator that this one may be made of, if one shows a mistake too."""
    for part in _PARTS.get(found[1], ()):
        if code := _shown(part, laboratory):
            return code, part
    return found


def _shown(subject: str, laboratory: Laboratory) -> str:
    """Return the code of what experiments show of an operator; "" for nothing."""
    tried = laboratory.alone(subject)
    if any(alone.is_wrong_already for alone in tried):
        return "forward-value"
    if any(alone.holds_a_value for alone in tried):
        return "value-in-grad"
    if not all(alone.is_right for alone in tried):
        code = _local(tried, laboratory)
        unclear = code in ("graph-cut", "local-derivative", "operand-forgotten")
        if unclear and laboratory.stops_everywhere:  # what is made of others stops within
            return "only-output"
        return "takes-gradient" if unclear and laboratory.takes_a_gradient(subject) else code
    return _fault_in_context(subject, laboratory)


def _fault_in_context(subject: str, laboratory: Laboratory) -> str:
    """Return the code of what an operator that is right by itself does wrong beside others."""
    loses = laboratory.loses_a_gradient(subject)
    if laboratory.stops_behind(subject) and not laboratory.stops_everywhere:
        return "rule-misplaced" if loses else "graph-cut"
    if laboratory.forgets_what_arrives(subject):
        return "forgets-out-grad"
    if laboratory.is_wrong_inside(subject):
        return "wrong-inside"
    if loses and not laboratory.keeps_the_last_use:
        return "overwrites-gradient"
    return "gradient-lost" if loses or laboratory.loses_in_one(subject) else ""


def _local(tried: list[IsolatedResult], laboratory: Laboratory) -> str:
    """Return the code of a wrong local derivative: the pattern that fits wherever the operator was tried."""
    wrong = [alone for alone in tried if not alone.is_right]
    if all(alone.sample.operation == "relu" and alone.sample.x[0] == 0.0 for alone in wrong):
        return "derivative-at-kink"
    if not any(any(alone.got) for alone in wrong) and _passes_something(wrong[0].sample, laboratory):
        return "operand-forgotten"
    codes = set.intersection(*[_patterns(alone) for alone in tried])
    return codes.pop() if len(codes) == 1 else "local-derivative"


def _passes_something(sample: Sample, laboratory: Laboratory) -> bool:
    """Return True if an operator that passes nothing on beside a plain number does so between two values."""
    if sample.values != (0,) or len(sample.x) != 2:
        return False
    between = laboratory.made_alone(Sample(sample.operation, sample.x, (0, 1)))
    return between is not None and any(between.got)


def _patterns(alone: IsolatedResult) -> set[str]:
    """Return the codes of the wrong local derivatives that explain one experiment."""
    sample = alone.sample
    codes = set()
    for code, local in local_patterns(sample.operation):
        with contextlib.suppress(ArithmeticError):
            if alone.matches([local(sample.x, sample.y, i) for i in sample.values]):
                codes.add(code)
    return codes if any(alone.got) else codes - {"operand-forgotten"} | {"graph-cut"}


def _of_the_pass(scene: Scene, laboratory: Laboratory) -> Finding | None:
    """Return what is wrong with the pass as a whole, every operator being right: what shows, or the one theory left."""
    for code in ("only-output", "equal-values-merge", "visited-again"):
        if laboratory.shows(code):
            return code, ""
    if code := laboratory.fault_of_any:
        return code, ""
    standing = (
        [theory.code for theory in theories(scene) if not theory.subject and theory.fits(scene)] if scene.wrong else []
    )
    if standing == ["overwrites-gradient", "gradient-lost"] or len(standing) == 1:
        return standing[0], ""
    # Neither too early nor too often alone, but both together: then something was visited more than once.
    return ("visited-again", "") if scene.wrong and not standing and any_order(scene).fits(scene) else None
