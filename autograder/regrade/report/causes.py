"""Which mistakes a class makes: the diagnoses of its submissions, counted."""

from __future__ import annotations

import re
import sys
from collections import Counter, defaultdict

import msgspec
from msgspec.structs import replace

from ...wording import Wording
from ..records.class_report import ClassEntry, ClassReport, Record, TestResult
from .lines import anonymous_line

SUBJECTS = 4  # named for one mistake; the rest is counted
EXAMPLES = 2  # lines shown for one mistake


class Cause(msgspec.Struct, frozen=True, kw_only=True):
    """One kind of mistake, and who makes it."""

    code: str
    sentence: str
    members: tuple[ClassEntry, ...]  # that make it, in the order of the class
    subjects: tuple[tuple[str, int], ...]  # ("**", 21): the submissions that make it there, most first
    tests: float  # that it fails in a submission that makes it, on average
    lines: tuple[str, ...] = ()  # examples, anonymous, the most frequent first

    @property
    def submissions(self) -> int:
        """Return how many submissions make it."""
        return len(self.members)

    @property
    def where(self) -> str:
        """Return where it is made, as "mostly in `**` (21), also in `*` (9)"; "" if one place at most is known."""
        if len(self.subjects) < 2:
            return ""  # the sentence names the one
        first, *others = [f"{_named(subject)} ({count})" for subject, count in self.subjects[:SUBJECTS]]
        more = len(self.subjects) - SUBJECTS
        rest = ", ".join(others) + (f" and {more} more" if more > 0 else "")
        mostly = self.subjects[0][1] >= 2 * self.subjects[1][1]
        return f"mostly in {first}, also in {rest}" if mostly else f"in {first}, {rest}"


class _Made(msgspec.Struct):
    """What is counted of one mistake, submission by submission."""

    members: list[ClassEntry] = []
    tests: int = 0
    places: Counter[str] = msgspec.field(default_factory=Counter)
    lines: Counter[str] = msgspec.field(default_factory=Counter)
    wording: Wording | None = None


def causes_of(report: ClassReport, *, shared: bool = False) -> tuple[Cause, ...]:
    """Return the mistakes of a class, the most frequent first.

    With `shared`, a place or a line is shown only when two submissions or more have it: nobody is known by it.
    """
    made: defaultdict[str, _Made] = defaultdict(_Made)
    for member, record in report.pairs():
        for code, results in _made(record).items():
            known = made[code]
            known.members.append(member)
            known.wording = known.wording or record.wordings.get(code)
            known.tests += len(results)
            known.places.update({result.subject for result in results} - {""})
            known.lines.update({anonymous_line(result.line) for result in results} - {""})
    ranks = {code: known.wording.rank if known.wording else sys.maxsize for code, known in made.items()}
    causes = [_cause(code, known, least=2 if shared else 1) for code, known in made.items()]
    return tuple(sorted(causes, key=lambda cause: (-cause.submissions, ranks[cause.code], cause.code)))


def unrun_in(report: ClassReport, *, shared: bool = False) -> tuple[tuple[str, int], ...]:
    """Return why nothing could run, where no mistake by name says it: the reason and how many, most first.

    With `shared`, what only one submission has is not shown in its words.
    """
    reasons = Counter(
        record.import_problem or "no reason is known"
        for record in report.graded()
        if not record.imported and not record.import_diagnosis
    )
    shown: Counter[str] = Counter()
    for reason, count in reasons.items():
        shown[reason if count > 1 or not shared else "another reason"] += count
    return tuple(sorted(shown.items(), key=lambda item: (-item[1], item[0])))


def _made(record: Record) -> dict[str, list[TestResult]]:
    """Return the results that each diagnosis of one submission explains."""
    made: defaultdict[str, list[TestResult]] = defaultdict(list)
    if record.problem:
        return made
    if record.import_diagnosis:
        made[record.import_diagnosis] = [replace(result, subject="", line="") for result in record.results]
    for result in record.results:
        if result.diagnosis:
            made[result.diagnosis].append(result)
    return made


def _cause(code: str, made: _Made, *, least: int) -> Cause:
    subjects = [(subject, count) for subject, count in made.places.items() if count >= least]
    named = [subjects[0][0]] if len(made.places) == len(subjects) == 1 else []
    lines = sorted((-count, line) for line, count in made.lines.items() if count >= least)
    return Cause(
        code=code,
        sentence=made.wording.of(named) if made.wording else f"{code}, which this version does not know.",
        members=tuple(made.members),
        subjects=tuple(sorted(subjects, key=lambda item: (-item[1], item[0]))),
        tests=made.tests / len(made.members),
        lines=tuple(line for _, line in lines[:EXAMPLES]),
    )


def _named(subject: str) -> str:
    return f"task {subject}" if re.fullmatch(r"\d+(\.\d+)*", subject) else f"`{subject}`"
