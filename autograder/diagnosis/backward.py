"""Why gradients are wrong: the theory that explains what every node holds, tried on the operator by itself.

A theory about an operator's rule must stand in the record and, where it can be, in an experiment. If several stand
that say different things, nothing is said.
"""

from __future__ import annotations

from ..model import Diagnosis
from .codes import diagnosed
from .drawing import evidence_of
from .probes import Alone, Laboratory
from .program import LEAF
from .reference import close
from .scene import Scene
from .theories import Theory, any_order, local_patterns, theories

_SHOWN_ALONE = ("graph-cut", "operand-forgotten", "wrong-sign", "input-for-output", "wrong-operand", "wrong-exponent")
_PRIMITIVE_FIRST = ("+", "*", "tanh", "exp", "relu", "__radd__", "__rmul__", "unary -", "-", "/", "**")


def wrong_gradients(scene: Scene, laboratory: Laboratory) -> Diagnosis | None:
    """Return why the gradients of a scene are wrong; None when they are right or the evidence does not decide."""
    found = _of_the_output(scene, laboratory) or _explained(scene, laboratory) or _tried(scene, laboratory)
    return diagnosed(found[0], found[1], evidence_of(scene)) if found else None


Found = tuple[str, str]  # a code and a subject


def _of_the_output(scene: Scene, laboratory: Laboratory) -> Found | None:
    """Return what is wrong with the gradient that the pass starts from."""
    started = scene.held.get(scene.root, 1.0)
    others = [place for place in scene.places if place != scene.root]
    if not any(scene.held.values()) and any(scene.right[place] for place in others):
        if laboratory.leaf() == 0.0:
            return "output-not-seeded", ""
        subject = scene.program.nodes[scene.root].subject
        alone = laboratory.alone(subject)
        return ("graph-cut", subject) if alone and any(alone.right) and not any(alone.got) else None
    scaled = all(close(scene.held[place], started * scene.right[place]) for place in others if place in scene.held)
    return ("seed-wrong", "") if not close(started, 1.0) and scaled else None


def _explained(scene: Scene, laboratory: Laboratory) -> Found | None:
    """Return the one explanation of the record that stands."""
    if not scene.wrong:
        return None
    standing = [theory for theory in theories(scene) if theory.fits(scene)]
    shown = [theory for theory in standing if theory.subject and _shows(theory, laboratory)]
    if shown:
        return _agreed(shown, scene)
    possible = [theory for theory in standing if _may_stand(theory, laboratory)]
    general = [theory for theory in possible if not theory.subject]
    if len(possible) == 1 or (possible and not general):
        return _agreed(possible, scene)
    if len(general) == 1 or {theory.code for theory in general} == {"overwrites-gradient", "gradient-lost"}:
        return (general[0].code, "") if len(general) == len(possible) else None
    return (
        ("backward-order", "")
        if not possible and any_order(scene).fits(scene) and _rules_hold(scene, laboratory)
        else None
    )


def _shows(theory: Theory, laboratory: Laboratory) -> bool:
    """Say whether an experiment shows what the theory says."""
    if theory.code == "overwrites-gradient":
        return laboratory.loses_when_used_twice(theory.subject)
    alone = laboratory.alone(theory.subject)
    if alone is None or alone.is_right:
        return theory.code == "derivative-at-kink" and _kink(theory.subject, laboratory)
    return theory.code in _codes_alone(alone)


def _kink(subject: str, laboratory: Laboratory) -> bool:
    sample = laboratory.alone(subject)
    return sample is not None and sample.x[0] == 0.0 and close(sample.got[0], 1.0)


def _may_stand(theory: Theory, laboratory: Laboratory) -> bool:
    """Say whether no experiment speaks against the theory. Most mistakes of a rule would show in one."""
    if not theory.subject:
        return True
    alone = laboratory.alone(theory.subject)
    return theory.code in ("forgets-out-grad", "rule-misplaced") and (alone is None or alone.is_right)


def _agreed(theories_: list[Theory], scene: Scene) -> Found | None:
    """Return what the theories have in common: one of them, or a code whose operators are several."""
    codes = {theory.code for theory in theories_}
    if len(codes) > 1:
        return None
    near = {use.consumer.subject for use in scene.shares[scene.wrong[0]]}
    close_by = [theory for theory in theories_ if theory.subject in near] or theories_
    return close_by[0].code, close_by[0].subject


def _rules_hold(scene: Scene, laboratory: Laboratory) -> bool:
    """Say whether every operator of the scene is right by itself."""
    return all(alone is None or alone.is_right for alone in (laboratory.alone(each) for each in _subjects(scene)))


def _tried(scene: Scene, laboratory: Laboratory) -> Found | None:
    """Return the first mistake that shows when each operator of the scene is tried by itself."""
    if all(scene.is_right(place) for place in scene.places):
        return None
    for subject in _subjects(scene):
        alone = laboratory.alone(subject)
        if alone is not None and not alone.is_right:
            codes = _codes_alone(alone)
            return (codes.pop(), subject) if len(codes) == 1 else ("local-derivative", subject)
    for subject in _subjects(scene):
        if laboratory.loses_when_used_twice(subject):
            return "overwrites-gradient", subject
    return None


def _subjects(scene: Scene) -> list[str]:
    nodes = [scene.program.nodes[place] for place in scene.places]
    found = dict.fromkeys(node.subject for node in nodes if node.operation != LEAF)
    return sorted(found, key=lambda each: _PRIMITIVE_FIRST.index(each) if each in _PRIMITIVE_FIRST else 99)


def _codes_alone(alone: Alone) -> set[str]:
    """Return the codes of the wrong local derivatives that an operator shows by itself."""
    codes = {"graph-cut"} if not any(alone.got) and any(alone.right) else set()
    for code, local in local_patterns(alone.node.operation):
        try:
            expected = [local(alone.x, alone.y, i) for i in alone.places]
        except ArithmeticError:
            continue
        if alone.matches(expected):
            codes.add(code)
    return codes - {"operand-forgotten"} if "graph-cut" in codes else codes
