"""Tries the suites on engines whose worth is known: what must earn everything, what nothing, what loses which tests.

The lanes that grade a class grade these engines too, as a class of their own.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import msgspec
from msgspec.structs import replace

from ..assignment import Assignment
from ..errors import AssignmentError, AutograderError
from ..model import Diagnosis, GradeReport, Status
from ..regrade.lanes.messages import Answer
from ..regrade.lanes.pool import Lanes
from ..regrade.sources.delivery import Delivery, delivered
from ..submission.folder import folder_entries
from ..submission.intake import UploadedFile
from .bank import SOLUTION, STARTER, Bank, Mistake, bank_file, select

# An engine that loops, or goes through the graph exponentially often, uses up every deadline that it meets. A correct
# one needs some hundredths of a second where these give whole ones: the verdicts are those of the longer limits.
REQUEST_SECONDS = 2.0


class Kind(enum.Enum):
    """What an engine must earn."""

    CORRECT = "correct"  # everything
    STARTER = "starter"  # nothing
    MISTAKE = "mistake"  # everything but the tests that it loses


class Case(msgspec.Struct, frozen=True):
    """One engine to try: a directory of the assignment, or a text in place of the scored module."""

    name: str
    kind: Kind
    directory: Path | None = None
    text: str = ""
    mistake: Mistake | None = None
    exact: bool = True  # the seed is that of the bank: seeded tests too are lost exactly as its row says


class Trial(msgspec.Struct, frozen=True):
    """A case and the report of grading it."""

    case: Case
    report: GradeReport

    @property
    def lost(self) -> frozenset[str]:
        """Return the ids of the scored tests that earned nothing."""
        return frozenset(o.test.id for o in self.report.outcomes if o.test.scored and o.status is not Status.PASSED)

    @property
    def diagnoses(self) -> tuple[Diagnosis, ...]:
        """Return every diagnosis of the report, the import's first."""
        found = [self.report.import_diagnosis, *(outcome.diagnosis for outcome in self.report.outcomes)]
        return tuple(diagnosis for diagnosis in found if diagnosis is not None)


def cases_of(assignment: Assignment, bank: Bank) -> tuple[Case, ...]:
    """Return all that is to be tried: solution, starter, correct engines and mistakes."""
    exact = assignment.seed == assignment.mistakes_seed
    return (
        Case(SOLUTION, Kind.CORRECT, directory=assignment.solution_path),
        Case(STARTER, Kind.STARTER, directory=assignment.starter_path),
        *(Case(name, Kind.CORRECT, text=text) for name, text in bank.correct.items() if name != SOLUTION),
        *(Case(row.name, Kind.MISTAKE, text=bank.text(row), mistake=row, exact=exact) for row in bank.mistakes),
    )


def trials(assignment: Assignment, cases: Sequence[Case], *, jobs: int = 1, hash_seed: int = 0) -> Iterator[Trial]:
    """Grade every case on `jobs` lanes, with shortened limits, and yield the trials in the order of the cases.

    Raises AutograderError that names the first case that could not be graded.
    """
    limits = replace(assignment.limits, request_seconds=min(REQUEST_SECONDS, assignment.limits.request_seconds))
    shortened, file = replace(assignment, limits=limits), bank_file(assignment)
    with Lanes(shortened, jobs=min(jobs, len(cases)), trial_seed=hash_seed) as lanes:
        answers = lanes.answers(_delivery(str(place), case, file) for place, case in enumerate(cases))
        done: dict[str, Answer] = {}
        for place, case in enumerate(cases):
            while str(place) not in done:
                answer = next(answers)
                done[answer.id] = answer
            yield Trial(case, _report(case, done.pop(str(place))))


def _delivery(identity: str, case: Case, file: str) -> Delivery:
    """Return what a student would have handed in who wrote the engine of the case."""
    if case.directory is not None:
        return delivered(identity, folder_entries(case.directory))
    return Delivery(id=identity, names=(file,), files=(UploadedFile(file, case.text.encode("utf-8")),))


def _report(case: Case, answer: Answer) -> GradeReport:
    if answer.problem:
        raise AutograderError(f"{case.name} could not be graded: {answer.problem}")
    return msgspec.msgpack.decode(answer.report, type=GradeReport)


def gaps(trial: Trial) -> list[str]:
    """Return what is not as it must be, a sentence each."""
    case, score = trial.case, trial.report.score
    if case.mistake is not None:
        try:
            return score_gaps(trial, case.mistake) + diagnosis_gaps(trial, case.mistake)
        except AssignmentError as problem:
            raise AssignmentError(f"mistake `{case.name}`: {problem}; correct its row") from None
    wanted = 0.0 if case.kind is Kind.STARTER else score.possible
    found = [] if score.earned == wanted else [f"earns {score}, not {wanted:g}: {_listed(trial.lost)}"]
    if case.kind is Kind.CORRECT and trial.diagnoses:
        found.append(f"is correct and is told {_listed(diagnosed_as(trial))}")
    return found


def score_gaps(trial: Trial, mistake: Mistake) -> list[str]:
    """Return how the lost tests differ from those that the row names."""
    ids = [outcome.test.id for outcome in trial.report.outcomes if outcome.test.scored]
    keeps = select(mistake.keeps, ids)
    must = select(mistake.loses, ids) - keeps
    drawn = frozenset[str]()
    if not trial.case.exact:  # which of these shows the mistake changes with the seed; that one does, does not
        drawn = frozenset(outcome.test.id for outcome in trial.report.outcomes if outcome.test.seeded)
    may = select(mistake.may_lose, ids) | drawn
    found = [] if must else ["names no test that it loses"]
    if must & drawn and not drawn & trial.lost:
        found.append(f"should lose some of {_listed(must & drawn)}")
    if must - may - trial.lost:
        found.append(f"should lose {_listed(must - may - trial.lost)}")
    if trial.lost & keeps - may:
        found.append(f"should keep {_listed(trial.lost & keeps - may)}")
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


def diagnosis_gaps(trial: Trial, mistake: Mistake) -> list[str]:
    """Return how the diagnoses differ from the row's; one that names no operator says less, not something wrong."""
    expected = f"{mistake.diagnosis} {mistake.subject}".strip()
    named = diagnosed_as(trial)
    right = {each for each in named if _is(each, expected)}
    wrong = {
        each for each in named - right if each != mistake.diagnosis and not any(_is(each, may) for may in mistake.also)
    }
    found = [f"is told {_listed(wrong)}, which it is not"] if wrong else []
    if mistake.diagnosis and not right:
        found.append(f"is not told {expected}")
    return found


def _is(each: str, row: str) -> bool:
    """Return True if a diagnosis is what a row names, which may leave the operator open."""
    return each == row or each.partition(" ")[0] == row


def diagnosed_as(trial: Trial) -> frozenset[str]:
    """Return what the report names: a code and, where it is known, what it is about."""
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


def _listed(words: Iterable[str]) -> str:
    return ", ".join(sorted(words))
