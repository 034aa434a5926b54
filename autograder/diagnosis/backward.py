"""Why gradients are wrong: the theory that explains what every node holds, tried on the operator by itself.

A theory about an operator's rule must stand in the record and in an experiment; one about the order must stand in the
record while every operator proves right. If several stand that say different things, nothing is said.
"""

from __future__ import annotations

from ..model import Diagnosis
from .codes import diagnosed
from .drawing import evidence_of
from .probes import Alone, Laboratory
from .program import LEAF
from .reference import close
from .scene import Scene
from .theories import any_order, local_patterns, theories

Found = tuple[str, str]  # a code and a subject
_MADE_OF = {  # operators that are often written with others: a mistake of those shows in them too
    "__radd__": "+",
    "__rmul__": "*",
    "__rsub__": "-",
    "__rtruediv__": "/",
    "unary -": "*",
}
_PRIMITIVE_FIRST = ("+", "*", "tanh", "exp", "relu", "**", "unary -", "-", "/", *_MADE_OF)


def wrong_gradients(scene: Scene, laboratory: Laboratory) -> Diagnosis | None:
    """Return why the gradients of a scene are wrong; None when they are right or the evidence does not decide."""
    if all(scene.is_right(place) for place in scene.places):
        return None
    found = _of_the_output(scene, laboratory) or _of_a_rule(scene, laboratory) or _of_the_pass(scene, laboratory)
    return diagnosed(found[0], found[1], evidence_of(scene)) if found else None


def _of_the_output(scene: Scene, laboratory: Laboratory) -> Found | None:
    """Return what is wrong with the gradient that the pass starts from."""
    started = scene.held.get(scene.root, 1.0)
    others = [place for place in scene.places if place != scene.root]
    if not any(scene.held.values()):
        return ("output-not-seeded", "") if laboratory.leaf() == 0.0 else None
    scaled = all(close(scene.held[place], started * scene.right[place]) for place in others if place in scene.held)
    return ("seed-wrong", "") if not close(started, 1.0) and scaled else None


def _of_a_rule(scene: Scene, laboratory: Laboratory) -> Found | None:
    """Return the mistake of an operator that shows in an experiment: one that explains the record, if there is one."""
    subjects = _subjects(scene)
    found = [(code, subject) for subject in subjects if (code := _shown(subject, laboratory))]
    standing = (
        {(theory.code, theory.subject) for theory in theories(scene) if theory.fits(scene)} if scene.wrong else set()
    )
    if not found:
        # Only inside others does it show that a rule leaves out what arrives.
        forgetful = [each for each in standing if each[0] == "forgets-out-grad"]
        return _root_of(forgetful[0], laboratory) if len(forgetful) == 1 else None
    best = [each for each in found if each in standing] or found
    return _root_of(best[0], laboratory)


def _subjects(scene: Scene) -> list[str]:
    """Return the operators of a scene, those that others are made of first."""
    nodes = [scene.program.nodes[place] for place in scene.places]
    found = dict.fromkeys(node.subject for node in nodes if node.operation != LEAF)
    return sorted(found, key=_PRIMITIVE_FIRST.index)


def _root_of(found: Found, laboratory: Laboratory) -> Found:
    """Return the same mistake of the operator that this one is made of, if that shows it too."""
    code, subject = found
    base = _MADE_OF.get(subject, "")
    return (code, base) if base and _shown(base, laboratory) == code else found


def _shown(subject: str, laboratory: Laboratory) -> str:
    """Return the code of what experiments show of an operator; "" for nothing."""
    wrong = [alone for alone in laboratory.alone(subject) if not alone.is_right]
    if wrong:
        return _local(wrong, len(laboratory.alone(subject)))
    if laboratory.stops_behind(subject) and not laboratory.stops_everywhere:
        return "rule-misplaced" if laboratory.loses_a_gradient(subject) else "graph-cut"
    return "overwrites-gradient" if laboratory.loses_a_gradient(subject) else ""


def _local(wrong: list[Alone], tried: int) -> str:
    """Return the code of a wrong local derivative: a pattern that shows wherever it was tried."""
    codes = set.intersection(*[_patterns(alone) for alone in wrong])
    if len(wrong) < tried:
        return "derivative-at-kink" if codes == {"derivative-at-kink"} else "local-derivative"
    codes.discard("derivative-at-kink")
    return codes.pop() if len(codes) == 1 else "local-derivative"


def _patterns(alone: Alone) -> set[str]:
    """Return the codes of the wrong local derivatives that explain one experiment."""
    sample = alone.sample
    if not any(alone.got):
        return {"graph-cut"}
    codes = set()
    for code, local in local_patterns(sample.operation):
        try:
            expected = [local(sample.x, sample.y, i) for i in sample.values]
        except ArithmeticError:
            continue
        if alone.matches(expected):
            codes.add(code)
    return codes


def _of_the_pass(scene: Scene, laboratory: Laboratory) -> Found | None:
    """Return what is wrong with the pass as a whole, every operator being right: the one theory that stands."""
    if laboratory.stops_everywhere:
        return "only-output", ""
    if not scene.wrong:
        return None
    standing = [theory.code for theory in theories(scene) if not theory.subject and theory.fits(scene)]
    if standing in (["overwrites-gradient"], ["overwrites-gradient", "gradient-lost"]):
        return "overwrites-gradient", ""
    if len(standing) == 1:
        return standing[0], ""
    # Neither too early nor too often alone, but both together: then something was visited more than once.
    return ("visited-again", "") if not standing and any_order(scene).fits(scene) else None
