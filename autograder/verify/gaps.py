"""What is not as it must be: how a trial differs from what its engine should earn, lose and be diagnosed as."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from ..assignment import Assignment
from ..findings.plugin import FAILED
from ..model import Status
from .bank import Mistake, select
from .places import Places
from .trials import Kind, Trial

_SHOWN = 5  # tests of one gap: who has more of them starts with these


class Gap(msgspec.Struct, frozen=True):
    """One thing that is not as it must be."""

    says: str  # what follows the engine's name
    remedy: str
    tests: frozenset[str] = frozenset()  # ids of the tests that it is about


def gaps(trial: Trial) -> list[Gap]:
    """Return what is not as it must be in one trial."""
    return [*_judged(trial), *_failed_diagnoses(trial)]


def _failed_diagnoses(trial: Trial) -> list[Gap]:
    """Return the first diagnosis of a trial that raised, answered nonsense or did not end."""
    told = [flag.text for flag in trial.report.flags if flag.title == FAILED]
    return [Gap(f"cannot be diagnosed: {told[0]}", "Correct the module that `diagnosis` names.")] if told else []


def _judged(trial: Trial) -> list[Gap]:
    case, score = trial.case, trial.report.score
    if case.mistake is not None:
        return score_gaps(trial, case.mistake) + diagnosis_gaps(trial, case.mistake)
    found = []
    if case.kind is Kind.STARTER and score.earned:
        earned = frozenset(o.test.id for o in trial.report.outcomes if o.test.scored) - trial.lost
        found.append(Gap(f"earns {score}, not 0", "Ask these tests for more than what students are given.", earned))
    elif case.kind is Kind.CORRECT and score.earned != score.possible:
        says = f"earns {score}, not {score.possible:g}: {_listed(trial.lost)}"
        remedy = "Correct what these tests expect, or the engine; `autograder grade` shows what came out."
        found.append(Gap(says, remedy, trial.lost))
    if case.kind is Kind.CORRECT and trial.diagnoses:
        says = f"is correct and is diagnosed as {_listed(diagnosed_as(trial))}"
        found.append(Gap(says, "A diagnosis may be said only if no correct engine shows the same."))
    return found


def score_gaps(trial: Trial, mistake: Mistake) -> list[Gap]:
    """Return how the lost tests differ from those that the row names."""
    ids = [outcome.test.id for outcome in trial.report.outcomes if outcome.test.scored]
    keeps = select(mistake.keeps, ids)
    must = select(mistake.loses, ids) - keeps
    drawn = frozenset[str]()
    if not trial.case.exact:  # which of these shows the mistake changes with the seed; that one does, does not
        drawn = frozenset(outcome.test.id for outcome in trial.report.outcomes if outcome.test.seeded)
    may = select(mistake.may_lose, ids) | drawn
    found = [] if must else [Gap("names no test that it loses", "Write into `loses` which tests notice it.")]
    if must & drawn and not drawn & trial.lost:
        says, remedy = (
            f"should lose some of {_listed(must & drawn)}",
            "Let a test draw more inputs, or take another seed.",
        )
        found.append(Gap(says, remedy, must & drawn))
    passed, lost = must - may - trial.lost, trial.lost & keeps - may
    if passed:
        remedy = "Choose inputs that show this mistake, or take the tests out of `loses`."
        found.append(Gap(f"should lose {_listed(passed)}", remedy, passed))
    if lost:
        remedy = "These tests ask for more than they say, or the row's `keeps` is wrong."
        found.append(Gap(f"should keep {_listed(lost)}", remedy, lost))
    return found


def unlisted(trial: Trial) -> frozenset[str]:
    """Return the tests that a mistake loses and its row does not name: a new test, or a row that says too little."""
    mistake = trial.case.mistake
    if mistake is None:
        return frozenset()
    scored = [outcome.test for outcome in trial.report.outcomes if outcome.test.scored]
    named = select((*mistake.loses, *mistake.keeps, *mistake.may_lose), [test.id for test in scored])
    drawn = frozenset(test.id for test in scored if test.seeded and not trial.case.exact)
    return trial.lost - named - drawn


def diagnosis_gaps(trial: Trial, mistake: Mistake) -> list[Gap]:
    """Return how the diagnoses differ from the row's; one that names no operator says less, not something wrong."""
    expected = f"{mistake.diagnosis} {mistake.subject}".strip()
    named = diagnosed_as(trial)
    right = {each for each in named if _is(each, expected)}
    wrong = {
        each for each in named - right if each != mistake.diagnosis and not any(_is(each, may) for may in mistake.also)
    }
    remedy = "Correct the row's `diagnosis` and `subject`, or the diagnosis."
    found = [Gap(f"is diagnosed as {_listed(wrong)}, which it is not", remedy)] if wrong else []
    if mistake.diagnosis and not right:
        found.append(Gap(f"is not diagnosed as {expected}", remedy))
    return found


def _is(each: str, row: str) -> bool:
    """Return True if a diagnosis is what a row names, which may leave the operator open."""
    return each == row or each.partition(" ")[0] == row


def diagnosed_as(trial: Trial) -> frozenset[str]:
    """Return the diagnoses of the report: each a code and, if it is known, its subject."""
    return frozenset(f"{diagnosis.code} {diagnosis.subject}".strip() for diagnosis in trial.diagnoses)


def undetecting_tests(done: Sequence[Trial]) -> list[str]:
    """Return the scored tests that no mistake fails: nothing shows that they can.

    A mistake that earns nothing at all, such as a syntax error, says nothing about any single test.
    """
    known = {outcome.test.id for trial in done for outcome in trial.report.outcomes if outcome.test.scored}
    mistakes = [trial for trial in done if trial.case.kind is Kind.MISTAKE and trial.report.score.earned > 0]
    return sorted(known.difference(*map(detected_by, mistakes)))


def detected_by(trial: Trial) -> frozenset[str]:
    """Return the ids of the tests that failed, without those that were lost because they were not run."""
    unmoved = (Status.PASSED, Status.BLOCKED)
    return frozenset(outcome.test.id for outcome in trial.report.outcomes if outcome.status not in unmoved)


def problems(assignment: Assignment, done: Sequence[Trial], *, whole: bool) -> list[str]:
    """Return every gap with the file, the line and the remedy; `whole`: the whole bank was tried.

    Then a test that no mistake fails is a gap as well, if the assignment has a bank.
    """
    places = Places(assignment)
    found = []
    for trial in done:
        for gap in gaps(trial):
            tests = "".join(f"\n    {line}" for line in places.listed(gap.tests, _SHOWN))
            found.append(f"{trial.case.where}: {trial.case.name} {gap.says}{tests}\n    {gap.remedy}")
    if assignment.mistakes and whole:
        found += [
            f"{places.of(test)}: no known mistake fails {test}: remove the test or add a mistake"
            for test in undetecting_tests(done)
        ]
    return found


def _listed(words: Iterable[str]) -> str:
    return ", ".join(sorted(words))
