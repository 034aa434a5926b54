"""Which mistakes a class makes: the diagnoses of its submissions, counted."""

from __future__ import annotations

import re
from collections import Counter, defaultdict

import msgspec

from ...diagnosis.codes import MISTAKES, RANK, sentence
from ..records.class_report import ClassReport, Record

SUBJECTS = 4  # named for one mistake; the rest is counted


class Cause(msgspec.Struct, frozen=True, kw_only=True):
    """One kind of mistake, and how many submissions make it."""

    code: str
    sentence: str
    submissions: int
    subjects: tuple[tuple[str, int], ...]  # ("**", 21): the submissions that make it there, most first
    tests: float  # that it fails in a submission that makes it, on average

    @property
    def where(self) -> str:
        """Return where it is made, as "mostly in `**` (21), also in `*` (9)"; "" when one place, or none, is known."""
        if len(self.subjects) < 2:
            return ""  # the sentence names the one
        first, *others = [f"{_named(subject)} ({count})" for subject, count in self.subjects[:SUBJECTS]]
        more = len(self.subjects) - SUBJECTS
        rest = ", ".join(others) + (f" and {more} more" if more > 0 else "")
        mostly = self.subjects[0][1] >= 2 * self.subjects[1][1]
        return f"mostly in {first}, also in {rest}" if mostly else f"in {first}, {rest}"


def causes_of(report: ClassReport, *, shared: bool = False) -> tuple[Cause, ...]:
    """Return the mistakes of a class, the most frequent first.

    With `shared`, a place is named only when two submissions or more have it: nobody is known by it.
    """
    made_by: defaultdict[str, list[int]] = defaultdict(list)  # by code: tests failed, an item for each submission
    places: defaultdict[str, defaultdict[str, int]] = defaultdict(lambda: defaultdict(int))
    for record in report.graded():
        for code, subjects in _made(record).items():
            made_by[code].append(len(subjects))
            for subject in set(subjects) - {""}:
                places[code][subject] += 1
    causes = [_cause(code, tests, places[code], least=2 if shared else 1) for code, tests in made_by.items()]
    return tuple(sorted(causes, key=lambda cause: (-cause.submissions, RANK.get(cause.code, len(RANK)), cause.code)))


def unrun_in(report: ClassReport, *, shared: bool = False) -> tuple[tuple[str, int], ...]:
    """Return why nothing could run, where no mistake by name says it: the reason and how many, most first.

    With `shared`, what only one submission has is not told in its words.
    """
    reasons = Counter(
        record.import_problem or "no reason is known"
        for record in report.graded()
        if not record.imported and not record.import_diagnosis
    )
    told: Counter[str] = Counter()
    for reason, count in reasons.items():
        told[reason if count > 1 or not shared else "another reason"] += count
    return tuple(sorted(told.items(), key=lambda item: (-item[1], item[0])))


def _made(record: Record) -> dict[str, list[str]]:
    """Return the subjects of each diagnosis of one submission, one for each test that it explains."""
    made: defaultdict[str, list[str]] = defaultdict(list)
    if record.import_diagnosis:
        made[record.import_diagnosis] = ["" for _ in record.results]
    for result in record.results:
        if result.diagnosis:
            made[result.diagnosis].append(result.subject)
    return made


def _cause(code: str, tests: list[int], places: dict[str, int], *, least: int) -> Cause:
    subjects = [(subject, count) for subject, count in places.items() if count >= least]
    named = [subjects[0][0]] if len(places) == len(subjects) == 1 else []
    return Cause(
        code=code,
        sentence=sentence(code, named) if code in MISTAKES else f"{code}, which this version does not know.",
        submissions=len(tests),
        subjects=tuple(sorted(subjects, key=lambda item: (-item[1], item[0]))),
        tests=sum(tests) / len(tests),
    )


def _named(subject: str) -> str:
    return f"task {subject}" if re.fullmatch(r"\d+(\.\d+)*", subject) else f"`{subject}`"
