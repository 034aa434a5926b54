"""Diagnoses as the grader reports them: a code, its sentence, and what of the handout to read."""

from __future__ import annotations

import functools

from ..model import BlamedLine, Diagnosis, Evidence
from ..wording import Wording
from .reasoning.found import Found
from .reasoning.sentences import MISTAKES, RANK, sentence, template

__all__ = ["MISTAKES", "RANK", "diagnosed", "diagnosis_of", "sentence", "wording_of"]

_CAUSES = {"exponential-backward": "visited-again"}  # a pass that visits values again is exponential for that


def diagnosed(code: str, subject: str = "") -> Diagnosis:
    """Return the diagnosis `code` about `subject`, an operator such as "*"."""
    return diagnosis_of(Found(code, subject))


def diagnosis_of(found: Found) -> Diagnosis:
    """Return what was found, as a report holds it."""
    line = found.line
    return Diagnosis(
        code=found.code,
        sentence=sentence(found.code, [found.subject] if found.subject else [], found.exception),
        subject=found.subject,
        section=MISTAKES[found.code].section,
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
