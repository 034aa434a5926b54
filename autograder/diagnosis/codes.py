"""Diagnoses as the grader reports them: a code, its sentence, its task and its place in the handout."""

from __future__ import annotations

from ..model import BlamedLine, Diagnosis, Evidence
from .reasoning.found import Found
from .reasoning.sections import SECTIONS, TASKS
from .reasoning.sentences import MISTAKES, RANK, sentence

__all__ = ["MISTAKES", "RANK", "SAYS_ALL", "SECTIONS", "diagnosed", "diagnosis_of", "sentence"]

SAYS_ALL = ("notebook-line", "markdown-fence", "input-at-import", "leaves-at-import")  # Python's words add nothing


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
        line=BlamedLine(file=line.file, line=line.line, said=line.said) if line else None,
    )
