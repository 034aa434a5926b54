"""From the report of one submission to the record that is kept of it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

import msgspec

from ...assignment import Assignment
from ...failure import BlockedBy, FailureKind
from ...model import GradeReport, TestOutcome
from ...submission.submission import Submission
from ...text import one_line
from ...wording import Wording
from .class_report import Key, Record, TestResult

_IN_WORDS = {
    FailureKind.TIMEOUT: "time for one test",
    FailureKind.CRASH: "the process ended",
    FailureKind.PROTOCOL: "the process ended",
}


def record_of(
    identity: str, digest: str, report: GradeReport, submission: Submission | None, assignment: Assignment
) -> Record:
    """Return the record of a finished report; `submission` is None if the files made no submission."""
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
        import_problem="" if failure is None else failure.explanation if submission is None else failure.exception,
        import_diagnosis=diagnosis.code if diagnosis else "",
        seconds=round(report.seconds, 3),
        limits=tuple(sorted(set(_limits(report)))),
        source=source_digest(submission, assignment) if submission else "",
        notes=report.notes,
        flags=report.flags,
        wordings=_wordings(report),
    )


def film_bytes(report: GradeReport) -> bytes:
    """Return the first film of a report with the id of its test, to be kept; b"" if it has none."""
    for outcome in report.outcomes:
        if outcome.film is not None:
            return msgspec.msgpack.encode((outcome.test.id, outcome.film))  # JSON has no infinity
    return b""


def _wordings(report: GradeReport) -> dict[str, Wording]:
    """Return how the mistakes of a report are said, so that a class can be told of them."""
    found = [report.import_diagnosis, *(outcome.diagnosis for outcome in report.outcomes)]
    return {each.code: each.wording for each in found if each and each.wording}


def source_digest(submission: Submission, assignment: Assignment) -> str:
    """Return a digest of the scored modules that comments, docstrings, blank lines and layout do not change."""
    digest = hashlib.sha256()
    for name in assignment.scored_modules:
        text = (submission.directory / assignment.modules[name].file).read_text("utf-8")
        digest.update(_normalised(text).encode("utf-8", "backslashreplace"))
    return digest.hexdigest()


def _normalised(text: str) -> str:
    """Return a module's text without comments and blanks, in linear time.

    A `#` inside a string counts as a comment: the digest only asks somebody to look, and a tokenizer can be attacked.
    """
    return "\n".join(filter(None, ("".join(line.partition("#")[0].split()) for line in text.splitlines())))


def _result(outcome: TestOutcome) -> TestResult:
    diagnosis = outcome.diagnosis
    return TestResult(
        id=outcome.test.id,
        status=outcome.status,
        score=outcome.score,
        seconds=round(outcome.seconds, 4),
        diagnosis=diagnosis.code if diagnosis else "",
        subject=diagnosis.subject if diagnosis else "",
        line=_line(outcome) if diagnosis else "",
    )


def _line(outcome: TestOutcome) -> str:
    """Return the line of the submission that is to blame, or that raised the exception; "" if neither is known."""
    if outcome.diagnosis and outcome.diagnosis.line:
        return one_line(outcome.diagnosis.line.text.strip())
    frames = outcome.failure.frames if outcome.failure else ()
    return one_line(frames[-1].text.strip()) if frames else ""


def _limits(report: GradeReport) -> Iterator[str]:
    """Yield what the submission ran into, in words."""
    failures = [outcome.failure for outcome in report.outcomes] + [report.import_failure]
    for failure in filter(None, failures):
        if failure.exception == "MemoryError":
            yield "memory"
        elif failure.kind in _IN_WORDS:
            yield _IN_WORDS[failure.kind]
    if any(outcome.blocked_by is BlockedBy.SUBMISSION_TIME for outcome in report.outcomes):
        yield "time for all tests"
