"""Every mistake that the grader knows by name: its code, its sentence, its task and its place in the handout.

The codes are stable: reports of a class count them. A sentence is in the words of the readings and holds no input,
expression or number of a test; `{it}` stands for what it is about, such as `*`, and `{s}` for the verb's ending.
The order is that of a summary: what explains most comes first.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from .found import AN_EXCEPTION


@dataclass(frozen=True)
class DiagnosisCode:
    """One kind of mistake. `general` is the sentence if it is not known what it is about."""

    code: str
    section: str  # a key of the configuration's `sections`
    sentence: str
    general: str = ""


MISTAKES = {
    mistake.code: mistake
    for mistake in (
        # The file as a whole.
        DiagnosisCode(
            *("module-not-imported", "importing", "The code uses {it}, but does not import it."),
            general="The code uses a module, but does not import it.",
        ),
        # Values.
        DiagnosisCode("data-not-kept", "forward", "`Value` does not keep the number that it is given in `.data`."),
        DiagnosisCode(
            *("rounded-numbers", "precision"),
            "Numbers lose digits: keep them as Python's `float`, in no lower precision, and round nothing.",
        ),
        DiagnosisCode(
            *("not-a-number", "forward", "{it} must be a plain number."),
            general="`.data` and `.grad` must be plain numbers.",
        ),
        DiagnosisCode("operator-missing", "forward", "{it} {is} not defined."),
        DiagnosisCode("operator-raises", "forward", "{it} raise{s} {exception}."),
        DiagnosisCode("missing-return", "return", "{it} return{s} nothing: `return` the new value."),
        DiagnosisCode("returns-number", "graph", "{it} return{s} a plain number, not a `Value`: there the graph ends."),
        DiagnosisCode("number-not-wrapped", "numbers", "{it} expect{s} a `Value`: turn a plain number into one first."),
        DiagnosisCode(
            "reflected-missing", "numbers", "{it} {is} not defined: Python calls it for a plain number on the left."
        ),
        DiagnosisCode(
            *("reflected-recursive", "numbers"),
            "{it} call{s} {self} without end: a plain number on the left leads back to the same method.",
        ),
        DiagnosisCode("calls-itself", "forward", "{it} call{s} {self} without end."),
        DiagnosisCode(
            "reflected-swapped", "numbers", "{it} swap{s} the operands: the plain number stands on the left."
        ),
        DiagnosisCode("changes-operand", "change", "{it} change{s} an operand in place: make a new `Value` instead."),
        DiagnosisCode("forward-value", "forward", "{it} compute{s} a wrong value."),
        # The backward pass as a whole.
        DiagnosisCode(
            *("output-not-seeded", "seed"),
            "No gradient is left after `backward()`: that of the output must be 1 before the rules run, and none may "
            "be set back to 0 after them.",
        ),
        DiagnosisCode("seed-wrong", "seed", "The gradient of the output must start as 1."),
        DiagnosisCode(
            *("start-not-zero", "reuse"), "The gradient of a new value must be 0: what arrives is added to it."
        ),
        DiagnosisCode("rule-called-early", "graph", "A rule is called where it should be stored."),
        DiagnosisCode("backward-raises", "graph", "The backward pass raises {exception}, whatever the operator."),
        # Rules.
        DiagnosisCode(
            *("graph-cut", "graph"),
            "No gradient gets past {it}: the result must remember its operands, and its rule must be attached to it.",
            general="No gradient gets past an operator: its rule must run, and that of the output too.",
        ),
        DiagnosisCode(
            *("rule-misplaced", "graph"),
            "{it} attach{es} the rule to an operand: it belongs to the result, and the operand has one of its own.",
        ),
        DiagnosisCode(
            *("only-output", "graph"),
            "Only the output passes its gradient on: the rules of the other values do not run, or run before it.",
        ),
        DiagnosisCode("operand-forgotten", "graph", "{it} pass{es} no gradient to one of the operands."),
        DiagnosisCode(
            *("overwrites-gradient", "reuse"),
            "{it} overwrite{s} the gradient with `=`; a value used twice needs `+=`.",
            general="A gradient is overwritten with `=`; a value used twice needs `+=`.",
        ),
        DiagnosisCode(
            *("gradient-lost", "reuse"), "A value used twice loses one of its gradients: every use must add its share."
        ),
        DiagnosisCode(
            *("forgets-out-grad", "local"),
            "{it} forget{s} to multiply by the gradient of the result: the chain rule.",
            general="The rules forget to multiply by the gradient of the result: the chain rule.",
        ),
        DiagnosisCode(
            "input-for-output", "local", "{it} use{s} the operand in the derivative where the result belongs."
        ),
        DiagnosisCode("value-in-grad", "local", "{it} leave{s} a `Value` in `.grad`: use `.data` in {its} rule."),
        DiagnosisCode(
            *("takes-gradient", "local"),
            "{it} take{s} the wrong factor for the local derivative: `.data`, not `.grad`.",
        ),
        DiagnosisCode(
            *("wrong-inside", "local"),
            "{it} {is} right by {self} and wrong inside another operation: {its} whole derivative is multiplied by the "
            "gradient of the result.",
        ),
        DiagnosisCode(
            *("rule-raises", "local"),
            "The rule of {it} raises {exception}.",
            general="The rule of an operator raises an exception.",
        ),
        DiagnosisCode("wrong-sign", "local", "{it} give{s} a gradient of the wrong sign."),
        DiagnosisCode("wrong-operand", "local", "{it} take{s} the wrong operand for the local derivative."),
        DiagnosisCode(
            "wrong-exponent", "local", "{it} mistake{s} the exponent in the local derivative: it is lowered by one."
        ),
        DiagnosisCode("divides-by-zero", "local", "{it} divide{s} by the operand in the derivative: it may be 0."),
        DiagnosisCode(
            *("derivative-at-kink", "kink", "At its kink, at 0, the derivative of {it} must be 0."),
            general="At a kink, at 0, the derivative must be 0.",
        ),
        DiagnosisCode("local-derivative", "local", "{it} {has} a wrong local derivative."),
        DiagnosisCode(
            *("gradients-altered", "reuse"),
            "Gradients are changed after the rules made them, whatever the operator: scale, clip and round none.",
        ),
        # The order, and the cost.
        DiagnosisCode(
            *("order-by-number", "order"),
            "The order of the backward pass depends on the numbers: it must depend on which value was computed from "
            "which.",
        ),
        DiagnosisCode(
            *("left-over", "graphs"),
            "A graph is right by itself, and wrong after another one: something of the first backward pass stays "
            "behind, or only some inputs add the new gradient to the old one.",
        ),
        DiagnosisCode(
            *("beside-the-output", "graphs"),
            "Values that the output does not depend on take part in its backward pass: follow only what it was "
            "computed from.",
        ),
        DiagnosisCode(
            *("equal-values-merge", "identity"),
            "Two values that hold equal numbers are taken for one: tell them apart by identity.",
        ),
        DiagnosisCode(
            *("visited-again", "order"), "A value passes its gradient on more than once: visit every value once."
        ),
        DiagnosisCode(
            *("backward-order", "order"),
            "A value passes its gradient on before all its consumers have added their shares: mind the order.",
        ),
        DiagnosisCode(
            *("exponential-backward", "cost"),
            "The backward pass follows every path separately: its work doubles at every reuse.",
        ),
        DiagnosisCode(
            *("slow-backward", "cost"), "The backward pass is too slow: look values up in a set, and visit each once."
        ),
        DiagnosisCode(
            *("exponential-forward", "cost"),
            "Something in a `Value`, such as a label made of its operands' labels, doubles in size whenever the value "
            "is used twice: keep it short.",
        ),
        DiagnosisCode("recursion-limit", "cost", "The backward pass is nested deeper than Python allows."),
        # What is left when the evidence decides nothing.
        DiagnosisCode("timed-out", "cost", "There was no answer in time: a loop without end, or far too slow."),
        DiagnosisCode(
            "crashed", "importing", "The process ended: the code leaves Python by itself, or needs too much memory."
        ),
        DiagnosisCode(
            "not-attempted", "forward", "Task {it} {is} not written yet.", general="A task is not written yet."
        ),
    )
}
RANK = {code: position for position, code in enumerate(MISTAKES)}
_ONE = {"s": "s", "es": "es", "is": "is", "has": "has", "self": "itself", "its": "its"}
_SEVERAL = {"s": "", "es": "", "is": "are", "has": "have", "self": "themselves", "its": "their"}


def sentence(code: str, subjects: Sequence[str], exception: str = AN_EXCEPTION) -> str:
    """Return the sentence of a mistake that several operators share."""
    mistake = MISTAKES[code]
    if "{it}" in mistake.sentence and not subjects:
        return mistake.general or mistake.sentence.format(it="An operator", exception=exception, **_ONE)
    names = [name if re.fullmatch(r"\d+\.\d+", name) else f"`{name}`" for name in subjects]
    it = " and ".join(part for part in (", ".join(names[:-1]), *names[-1:]) if part)
    return template(code, several=len(names) > 1, exception=exception).replace("{it}", it)


def template(code: str, *, several: bool, exception: str = AN_EXCEPTION) -> str:
    """Return the sentence of a mistake in which `{it}` stands for the operator, or the operators, that make it."""
    return MISTAKES[code].sentence.format(it="{it}", exception=exception, **(_SEVERAL if several else _ONE))
