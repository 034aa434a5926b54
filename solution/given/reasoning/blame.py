# Copied by `autograder starter` from autograder/diagnosis/reasoning/blame.py: edit that file.
"""Which line of the submission is to blame for a mistake: from the log of the failing program, run once more.

A line is named only if the log shows it do what the diagnosis says; if no line does, none is named.
"""

from __future__ import annotations

from collections.abc import Sequence

from .apart import apart, used_twice
from .drawing import apart as told_apart
from .drawing import number
from .forward import fresh_steps
from .found import Blame, Found
from .line_log import DATA, LineLog, LineStep
from .program import LEAF, Node, Place, TracedProgram
from .reference import Reference, close, reference_of
from .sample import Sample, elsewhere, sample_of, usual_sample
from .slips import Kind, Pass, Slip, pass_of
from .witness import Witness

MOST_NODES = 40  # of a program that is traced
_REPLACING = ("overwrites-gradient", "gradient-lost")
_OF_THE_PASS = ("visited-again", "backward-order", "order-by-number", "exponential-backward")
_OF_A_RULE = (
    *("wrong-sign", "wrong-operand", "wrong-exponent", "input-for-output", "local-derivative", "derivative-at-kink"),
    *("wrong-inside", "forgets-out-grad", "takes-gradient", "value-in-grad"),
)
_NOTHING_COMES = ("graph-cut", "operand-forgotten")
_OF_A_VALUE = ("forward-value", "reflected-swapped", "missing-return", "returns-number")
_KINDS = {
    **dict.fromkeys(_REPLACING, (Kind.REPLACED,)),
    **dict.fromkeys(_OF_THE_PASS, (Kind.AGAIN, Kind.EARLY)),
    "seed-wrong": (Kind.SEED,),
}
KNOWN = (*_REPLACING, *_OF_THE_PASS, *_OF_A_RULE, *_NOTHING_COMES, *_OF_A_VALUE, "seed-wrong", "changes-operand")


def line_of(
    found: Found, program: TracedProgram, places: Sequence[Place], reference: Reference, witness: Witness
) -> Blame | None:
    """Return the line that made the mistake `found` in the program of `places`; None if no line shows it.

    `witness` must have performed nothing yet: an engine may keep what it did before.
    """
    if found.code not in KNOWN or len(places) > MOST_NODES:
        return None
    run = witness.traced([program.nodes[place] for place in places])
    if run is None or not run.log.steps:
        return None
    if found.code in _OF_A_VALUE or found.code == "changes-operand":
        return _of_a_value(found, program, reference, run.log, witness)
    if not run.log.complete or any(place not in reference.values for place in places):
        return None
    return _of_gradients(found, program, places, reference, run.log, witness)


def _of_gradients(
    found: Found,
    program: TracedProgram,
    places: Sequence[Place],
    reference: Reference,
    log: LineLog,
    witness: Witness,
) -> Blame | None:
    done = pass_of(program, places, reference, log)
    if found.code in _OF_A_RULE:
        return _of_a_rule(found, done, program, reference, witness)
    if found.code in _NOTHING_COMES:
        return _nothing(found, done, log)
    kinds = _KINDS[found.code]
    slip = _first(done, kinds, found.subject)
    if slip is None and kinds == (Kind.REPLACED,):
        slip = _replaced(found.subject or "+", program, reference, witness)
    return _blamed(slip.step, _said(slip)) if slip else None


def _first(done: Pass, kinds: tuple[Kind, ...], subject: str) -> Slip | None:
    return next((slip for slip in done.slips if slip.kind in kinds and _is_about(slip, subject)), None)


def _replaced(subject: str, program: TracedProgram, reference: Reference, witness: Witness) -> Slip | None:
    """Return where an operator replaces a share if two that differ come: of two that are equal nothing is seen."""
    sample = _sample(subject, program, reference)
    if sample is None:
        return None
    for at in range(len(sample.values)):
        other = used_twice(elsewhere(sample), at)
        places = [node.place for node in other.nodes]
        run = witness.traced(other.nodes)
        right = reference_of(other, places)
        if run is None or not run.log.complete or len(right.values) < len(places):
            return None
        if slip := _first(pass_of(other, places, right, run.log), (Kind.REPLACED,), subject):
            return slip
    return None


def _is_about(slip: Slip, subject: str) -> bool:
    """Return True if a slip may be one of the operator, or of any if none is named."""
    return not subject or not slip.uses or any(use.consumer.subject == subject for use in slip.uses)


def _said(slip: Slip) -> str:
    """Return what a wrong step did, and what was expected of it."""
    before, after = slip.step.before or 0.0, slip.step.after or 0.0
    if slip.kind is Kind.SEED:
        return f"put {number(after)} in the gradient of the output; 1 was expected"
    if slip.kind is Kind.REPLACED:
        both = f"{number(before)} {_signed(after)} = {number(before + after)}"
        return f"put {number(after)} where {number(before)} was; {both} was expected"
    if slip.kind is Kind.NOT_A_NUMBER:
        return "left in `.grad` what is not a number"
    if slip.kind is Kind.AGAIN:
        return f"added {number(slip.amount)} for a value that had passed its gradient on before"
    if slip.kind is Kind.EARLY:
        (use,) = slip.uses
        passed = slip.amount / use.partial
        return f"passed on a gradient of {number(passed)} before its last share came; it becomes {number(use.arriving)}"
    return _amount(slip)


def _amount(slip: Slip) -> str:
    shares = {use.share for use in slip.uses}
    added = f"added {number(slip.amount)}"
    return (
        f"{added}; {number(shares.pop())} was expected" if len(shares) == 1 else f"{added}, which is not a right share"
    )


def _signed(value: float) -> str:
    return f"- {number(-value)}" if value < 0 else f"+ {number(value)}"


def _blamed(step: LineStep, said: str) -> Blame | None:
    return Blame(step.file, step.line, said) if step.line else None


def _of_a_value(
    found: Found, program: TracedProgram, reference: Reference, log: LineLog, witness: Witness
) -> Blame | None:
    """Return the line at which the first wrong value was made, or a value was changed after it was made."""
    for step in log.steps:
        node = program.nodes[step.place]
        right = reference.values.get(node.place)
        if step.attribute != DATA or right is None or (step.after is not None and close(step.after, right)):
            continue
        if found.code == "changes-operand":
            changed = step.before is not None and step.after is not None
            said = f"changed {number(step.before or 0.0)} to {number(step.after or 0.0)}"
            return _blamed(step, said) if changed else None
        if node.operation == LEAF or step.before is not None or (found.subject not in ("", node.subject)):
            return None
        gave, expected = ("nothing", number(right)) if step.after is None else told_apart(step.after, right)
        return _blamed(_source(node, step, reference, witness), f"gave {gave}; {expected} was expected")
    return None


def _source(node: Node, made: LineStep, reference: Reference, witness: Witness) -> LineStep:
    """Return where the wrong number of a value is first seen: there it was computed, before the value was made."""
    if made.after is None or any(close(made.after, x) for x in (*reference.inputs(node), 0.0, 1.0, -1.0)):
        return made
    run = witness.traced(fresh_steps(node, reference), [made.after])
    outside = (step for step in run.sightings if step.line and not step.before) if run else iter(())
    return next(outside, made)  # what an operation is made of is right by itself


def _nothing(found: Found, done: Pass, log: LineLog) -> Blame | None:
    """Return the line that made the result which passes nothing on to an operand."""
    for _, use in done.missing if found.subject else ():
        if use.consumer.subject == found.subject:
            made = log.of(use.consumer.place, DATA)
            said = f"its result passes nothing on to an operand; {number(use.share)} was expected"
            return _blamed(made[0], said) if made else None
    return None


def _of_a_rule(
    found: Found, done: Pass, program: TracedProgram, reference: Reference, witness: Witness
) -> Blame | None:
    """Return the line where a wrong share comes from: where it is added, if shares of no other operator are.

    Where all shares are added at one line, the number that is wrong is looked for in a program of the operator alone.
    """
    kinds = (Kind.NOT_A_NUMBER,) if found.code == "value-in-grad" else (Kind.AMOUNT, Kind.REPLACED)
    slip = _first(done, kinds, found.subject)
    if slip is not None and (slip.kind is Kind.NOT_A_NUMBER or not found.subject):
        return _blamed(slip.step, _said(slip))
    sample = _sample(found.subject, program, reference)
    alone = apart(sample, witness) if sample else None
    if alone is None:
        return None
    step = slip.step if slip else alone.added
    if alone.source is None and step is not None and step.line not in alone.shared:
        return _blamed(
            step, _amount(slip) if slip else "added {}; {} was expected".format(*told_apart(alone.share, alone.due))
        )
    source = alone.source or (alone.made if step or alone.in_common else None)
    said = "gives a derivative of {}; {} was expected".format(*told_apart(alone.got, alone.right))
    return _blamed(source, said) if source else None


def _sample(subject: str, program: TracedProgram, reference: Reference) -> Sample | None:
    """Return how the program uses an operator; a usual use if it does not."""
    for node in program.nodes:
        if subject and node.subject == subject and node.place in reference.partials:
            return sample_of(node, reference)
    return usual_sample(subject)
