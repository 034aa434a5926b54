"""The diagnoses of a whole submission, put together: the few things to look at first."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from ..assignment import Assignment
from ..model import Diagnosis, TestOutcome, Visibility

MOST = 3


def summary(outcomes: Iterable[TestOutcome]) -> tuple[Diagnosis, ...]:
    """Return the diagnoses of all outcomes, one for each mistake and at most three, the most fundamental first.

    Operators that share a mistake share its sentence.
    """
    found = [outcome.diagnosis for outcome in outcomes if outcome.diagnosis is not None]
    if not found:
        return ()
    from .reasoning.reason import ranked  # as with all of this package: only a wrong submission pays for its import

    order = ranked((each.code, each.subject) for each in found)[:MOST]
    return tuple(_merged([each for each in found if each.code == code], subjects) for code, subjects in order)


def reconciled(outcomes: tuple[TestOutcome, ...]) -> tuple[TestOutcome, ...]:
    """Return the outcomes with an effect told by its cause: a pass that visits values again is exponential for that."""
    again = next((o.diagnosis for o in outcomes if o.diagnosis and o.diagnosis.code == "visited-again"), None)
    if again is None:
        return outcomes
    cause = replace(again, evidence=(), drawing="", line=None)
    effects = ("exponential-backward",)
    return tuple(replace(o, diagnosis=cause) if o.diagnosis and o.diagnosis.code in effects else o for o in outcomes)


def shown_summary(outcomes: Iterable[TestOutcome], assignment: Assignment) -> tuple[Diagnosis, ...]:
    """Return the summary that a student may read at once: of tests that are shown and are not secret."""
    secret = {suite.name for suite in assignment.suites if suite.secret}
    return summary(o for o in outcomes if o.test.visibility is Visibility.VISIBLE and o.test.suite not in secret)


def secret_summary(outcomes: Iterable[TestOutcome]) -> tuple[Diagnosis, ...]:
    """Return the summary of secret tests, by code alone.

    What a diagnosis is about is up to the submission's answers, which could spell an input of the test by it.
    """
    found = summary(outcomes)
    if not found:
        return ()
    from .codes import MISTAKES, diagnosed

    return tuple(replace(diagnosed(each.code), task="") for each in found if each.code in MISTAKES)


def _merged(same: list[Diagnosis], subjects: list[str]) -> Diagnosis:
    """Return one diagnosis for all that have one code."""
    from .codes import sentence

    line = next((each.line for each in same if each.line), None)
    if len(subjects) < 2:
        return replace(next((each for each in same if each.subject), same[0]), drawing="", line=line)
    said = sentence(same[0].code, subjects)
    return replace(same[0], subject=", ".join(subjects), sentence=said, drawing="", line=line)
