"""Grades engines whose score is known: correct ones, the starter, and mistakes that must lose certain tests.

The lanes that grade a class grade these engines too, as a class of their own.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
from msgspec.structs import replace

from ..assignment import Assignment
from ..errors import AutograderError
from ..model import Diagnosis, GradeReport, Status
from ..regrade.lanes.messages import Answer
from ..regrade.lanes.pool import Lanes
from ..regrade.sources.delivery import Delivery, delivered
from ..submission.folder import folder_entries
from ..submission.intake import UploadedFile
from .bank import SOLUTION, STARTER, Bank, Mistake, bank_file

# An engine that loops, or visits a graph's nodes exponentially often, uses up every deadline. A correct one answers in
# some hundredths of a second: this shorter limit changes no verdict.
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
    where: str = ""  # the file that it is written in, and for a mistake the line
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
    """Return every engine to be tried: solution, starter, correct engines and mistakes."""
    exact, file = assignment.seed == assignment.mistakes_seed, bank_file(assignment)
    return (
        Case(SOLUTION, Kind.CORRECT, directory=assignment.solution_path, where=f"{assignment.solution}/{file}"),
        Case(STARTER, Kind.STARTER, directory=assignment.starter_path, where=f"{assignment.starter}/{file}"),
        *(
            Case(name, Kind.CORRECT, text=text, where=f"{assignment.mistakes}/correct/{name}.py")
            for name, text in bank.correct.items()
            if name != SOLUTION
        ),
        *(
            Case(row.name, Kind.MISTAKE, text=bank.text(row), mistake=row, where=row.where, exact=exact)
            for row in bank.mistakes
        ),
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
    """Return the delivery of a student who wrote the engine of the case."""
    if case.directory is not None:
        return delivered(identity, folder_entries(case.directory))
    return Delivery(id=identity, names=(file,), files=(UploadedFile(file, case.text.encode("utf-8")),))


def _report(case: Case, answer: Answer) -> GradeReport:
    if answer.problem:
        raise AutograderError(f"{case.name} could not be graded: {answer.problem}")
    return msgspec.msgpack.decode(answer.report, type=GradeReport)
