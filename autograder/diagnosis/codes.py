"""Diagnoses as the grader reports them: a code, its sentence, its task and its place in the handout."""

from __future__ import annotations

import functools

from ..model import BlamedLine, Diagnosis, Evidence
from ..wording import Wording
from .reasoning.found import Found
from .reasoning.sections import SECTIONS, TASKS
from .reasoning.sentences import MISTAKES, RANK, sentence, template

__all__ = ["MISTAKES", "RANK", "SECTIONS", "diagnosed", "diagnosis_of", "sentence", "wording_of"]

_CAUSES = {"exponential-backward": "visited-again"}  # a pass that visits values again is exponential for that


def diagnosed(code: str, subject: str = "") -> Diagnosis:
    """Return the diagnosis `code` about `subject`, an operator such as "*"."""
    return diagnosis_of(Found(code, subject))


def diagnosis_of(found: Found) -> Diagnosis:
    """Return what was found, as a report holds it."""
    mistake = MISTAKES[found.code]
    line = found.line
    return Diagnosis(
        code=found.code,
        sentence=sentence(found.code, [found.subject] if found.subject else [], found.exception),
        subject=found.subject,
        task=mistake.task or (found.subject if found.code == "not-attempted" else TASKS.get(found.subject, "")),
        section=SECTIONS[mistake.section],
        evidence=tuple(Evidence(node=each.node, expected=each.expected, got=each.got) for each in found.evidence),
        drawing=found.drawing,
        wording=wording_of(found.code),
        line=BlamedLine(file=line.file, line=line.line, said=line.said) if line else None,
    )


@functools.cache
def wording_of(code: str) -> Wording:
    """Return how a mistake is said about any of the operators that make it."""
    return Wording(
        rank=RANK[code],
        general=sentence(code, []),
        one=template(code, several=False),
        several=template(code, several=True),
        effect_of=_CAUSES.get(code, ""),
    )
