"""How often a diagnosis is right: what a student reads first of each mistake of the bank, and the line it blames."""

from __future__ import annotations

import difflib
import enum
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

import msgspec

from ..findings.summary import summary
from ..model import Diagnosis
from .bank import Mistake
from .trials import Kind, Trial

_WIDTH = 16  # of a kind's name


class Verdict(enum.Enum):
    """How the first sentence fits the mistake that was made."""

    RIGHT = "right"
    NONE = "none"  # nothing is said
    WRONG = "wrong"


class Judged(msgspec.Struct, frozen=True):
    """What is said first of one mistake."""

    kind: str  # the file of the bank that the row stands in
    verdict: Verdict
    line: bool | None  # True if the line that is blamed is one that the mistake changed; None if none is blamed
    seconds: float  # CPU time of all diagnoses


def judged(done: Sequence[Trial], correct: Mapping[str, str]) -> list[Judged]:
    """Return what is said first of each mistake; `correct` are the engines that the mistakes are edits of."""
    found = []
    for trial in done:
        mistake = trial.case.mistake
        if trial.case.kind is Kind.MISTAKE and mistake is not None:
            first = _first(trial)
            line = first.line if first else None
            named = None if line is None else line.line in changed_lines(correct[mistake.base], trial.case.text)
            kind = PurePosixPath(mistake.where.rpartition(":")[0]).stem
            found.append(Judged(kind, _verdict(first, mistake), named, trial.report.diagnosis_seconds))
    return found


def _first(trial: Trial) -> Diagnosis | None:
    """Return what a student reads first: of the public tests if they show it, else of all."""
    return next(iter(trial.report.diagnoses or summary(trial.report.outcomes)), trial.report.import_diagnosis)


def _verdict(first: Diagnosis | None, mistake: Mistake) -> Verdict:
    if first is None:
        return Verdict.NONE if mistake.diagnosis else Verdict.RIGHT
    subjects = [part.strip() for part in first.subject.split(",")]
    fits = first.code == mistake.diagnosis and (not first.subject or mistake.subject in ("", *subjects))
    may = {first.code, *(f"{first.code} {subject}" for subject in subjects)}
    return Verdict.RIGHT if fits or may & set(mistake.also) else Verdict.WRONG


def changed_lines(before: str, after: str) -> set[int]:
    """Return the lines of `after` that differ from `before`; beside lines that are gone, those around the gap."""
    lines: set[int] = set()
    matcher = difflib.SequenceMatcher(None, before.split("\n"), after.split("\n"), autojunk=False)
    for tag, _, _, start, end in matcher.get_opcodes():
        if tag != "equal":
            lines.update(range(start + 1, end + 1) if end > start else (start, start + 1))
    return lines


def table(found: Sequence[Judged]) -> list[str]:
    """Return the rates as lines: one for each kind of mistake, and one for all."""
    if not found:
        return []
    head = f"{'First sentence':{_WIDTH}}  right   none  wrong   of    line right"
    kinds = sorted({each.kind for each in found})
    rows = [_row(kind, [each for each in found if each.kind == kind]) for kind in kinds]
    seconds = [each.seconds for each in found]
    spent = (
        f"Diagnoses took {sum(seconds) / len(seconds):.2f} s of CPU time for a mistake, at most {max(seconds):.2f} s"
    )
    return ["", head, *rows, _row("all", found), spent]


def _row(name: str, found: Sequence[Judged]) -> str:
    counts = [sum(each.verdict is verdict for each in found) for verdict in Verdict]
    shares = " ".join(f"{count / len(found):6.0%}" for count in counts)
    blamed = [each.line for each in found if each.line is not None]
    lines = f"{sum(blamed)} of {len(blamed)} blamed" if blamed else "none blamed"
    return f"{name:{_WIDTH}} {shares} {len(found):4}    {lines}"
