"""The diagnoses of a whole submission, put together: the few things to look at first."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from ..assignment import Assignment
from ..model import Diagnosis, TestOutcome, Visibility

MOST = 3
_LAST = 1 << 30  # the rank of a diagnosis that has none


def summary(outcomes: Iterable[TestOutcome]) -> tuple[Diagnosis, ...]:
    """Return the diagnoses of all outcomes, one for each mistake and at most three, the most fundamental first.

    Operators that share a mistake share its sentence.
    """
    found: dict[str, list[Diagnosis]] = {}
    for outcome in outcomes:
        if outcome.diagnosis is not None:
            found.setdefault(outcome.diagnosis.code, []).append(outcome.diagnosis)
    return tuple(_merged(found[code]) for code in sorted(found, key=lambda code: _rank(found[code][0]))[:MOST])


def reconciled(outcomes: tuple[TestOutcome, ...]) -> tuple[TestOutcome, ...]:
    """Return the outcomes with each effect replaced by its cause, if a test proves the cause."""
    proved = {o.diagnosis.code: o.diagnosis for o in reversed(outcomes) if o.diagnosis}

    def cause(found: Diagnosis | None) -> Diagnosis | None:
        known = proved.get(found.wording.effect_of) if found and found.wording else None
        return replace(known, evidence=(), drawing="", line=None) if known else None

    causes = [cause(outcome.diagnosis) for outcome in outcomes]
    return tuple(replace(o, diagnosis=known) if known else o for o, known in zip(outcomes, causes, strict=True))


def shown_summary(outcomes: Iterable[TestOutcome], assignment: Assignment) -> tuple[Diagnosis, ...]:
    """Return the summary that a student may read at once: of tests that are shown and are not secret."""
    secret = {suite.name for suite in assignment.suites if suite.secret}
    return summary(o for o in outcomes if o.test.visibility is Visibility.VISIBLE and o.test.suite not in secret)


def secret_summary(outcomes: Iterable[TestOutcome]) -> tuple[Diagnosis, ...]:
    """Return the summary of secret tests, by code alone.

    What a diagnosis is about is up to the submission's answers, which could spell an input of the test by it.
    """
    return tuple(
        Diagnosis(code=each.code, sentence=each.wording.general, section=each.section, wording=each.wording)
        for each in summary(outcomes)
        if each.wording is not None
    )


def _rank(found: Diagnosis) -> int:
    return found.wording.rank if found.wording else _LAST


def _merged(same: list[Diagnosis]) -> Diagnosis:
    """Return one diagnosis for all that have one code."""
    subjects = list(dict.fromkeys(each.subject for each in same if each.subject))
    line = next((each.line for each in same if each.line), None)
    wording = same[0].wording
    if len(subjects) < 2 or wording is None:
        return replace(next((each for each in same if each.subject), same[0]), drawing="", line=line)
    return replace(same[0], subject=", ".join(subjects), sentence=wording.of(subjects), drawing="", line=line)
