"""From the report of one submission to the record that is kept of it."""

from __future__ import annotations

import hashlib
import io
import tokenize
from collections.abc import Iterator

from ..assignment import Assignment
from ..model import GradeReport, Status, TestOutcome
from ..submission import Submission
from .class_report import Key, Record, TestResult

_LAYOUT = (tokenize.COMMENT, tokenize.NL)
_SHAPES = {tokenize.NEWLINE: "\n", tokenize.INDENT: "\t", tokenize.DEDENT: "\b"}  # whatever their width
_USED_UP = "Not run: the time for this submission"  # how runner.py begins that sentence
_IN_WORDS = {Status.TIMED_OUT: "time for one test", Status.CRASHED: "the process ended"}


def record_of(
    identity: str, digest: str, report: GradeReport, submission: Submission | None, assignment: Assignment
) -> Record:
    """Return the record of a finished report; `submission` is None when the files made none."""
    failure, diagnosis = report.import_failure, report.import_diagnosis
    return Record(
        id=identity,
        key=Key(
            submission=digest,
            suites=report.suites_digest,
            version=report.version,
            level=report.isolation.level.name.lower(),
        ),
        score=report.score,
        results=tuple(_result(outcome) for outcome in report.outcomes),
        imported=failure is None,
        import_problem="" if failure is None else failure.explanation if submission is None else failure.kind,
        import_diagnosis=diagnosis.code if diagnosis else "",
        seconds=round(report.seconds, 3),
        limits=tuple(sorted(set(_limits(report)))),
        source=source_digest(submission, assignment) if submission else "",
        notes=report.notes,
        flags=report.flags,
    )


def source_digest(submission: Submission, assignment: Assignment) -> str:
    """Return a digest of the scored modules that comments, docstrings, blank lines and layout do not change."""
    digest = hashlib.sha256()
    for name in assignment.scored_modules:
        text = (submission.directory / assignment.modules[name].file).read_text("utf-8")
        digest.update(_normalised(text).encode("utf-8", "backslashreplace"))
    return digest.hexdigest()


def _normalised(text: str) -> str:
    """Return the tokens of a module without comments, docstrings and layout; the text itself where it has none.

    Tokens and no syntax tree: Python's parser has been crashed by text before, and this runs in the grader.
    """
    try:
        tokens = [t for t in tokenize.generate_tokens(io.StringIO(text).readline) if t.type not in _LAYOUT]
    except (tokenize.TokenError, SyntaxError):
        return text
    kept, starts = [], True  # a string that begins a line and fills it is a docstring, or does nothing
    for token, following in zip(tokens, tokens[1:] + tokens[-1:], strict=True):
        if starts and token.type == tokenize.NEWLINE:  # what is left of a docstring's line
            continue
        if starts and token.type == tokenize.STRING and following.type == tokenize.NEWLINE:
            continue
        kept.append(_SHAPES.get(token.type, token.string))
        starts = token.type in (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)
    return "\x00".join(kept)


def _result(outcome: TestOutcome) -> TestResult:
    diagnosis = outcome.diagnosis
    return TestResult(
        id=outcome.test.id,
        status=outcome.status,
        score=outcome.score,
        seconds=round(outcome.seconds, 4),
        diagnosis=diagnosis.code if diagnosis else "",
        subject=diagnosis.subject if diagnosis else "",
    )


def _limits(report: GradeReport) -> Iterator[str]:
    """Yield what the submission ran into, in words."""
    failures = [(outcome.status, outcome.failure) for outcome in report.outcomes]
    for status, failure in [*failures, (Status.ERRORED, report.import_failure)]:
        if failure is not None and failure.kind == "MemoryError":
            yield "memory"
        elif failure is not None and failure.explanation.startswith(_USED_UP):
            yield "time for all tests"
        elif failure is not None and failure.kind == "WorkerTimeout":
            yield _IN_WORDS[Status.TIMED_OUT]
        elif status in _IN_WORDS:
            yield _IN_WORDS[status]
