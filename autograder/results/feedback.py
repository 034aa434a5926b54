"""What a reader reads of a test: the only place that decides which words a student may read.

A test of an open suite shows everything: its own line, expected and got, the student's line. A test of a secret suite
shows a fixed sentence for its status, and its hint. It shows no message, no output, no value, no name, no kind of
exception and no mistake: the submission chooses each of these, and could carry a hidden input out by its choice.
"""

from __future__ import annotations

import builtins
from collections.abc import Sequence

from ..assignment import Assignment, Suite
from ..failure import BlockedBy, Failure, FailureKind, StudentFrame
from ..model import Diagnosis, GradeReport, Status, TestOutcome
from ..text import capped, clean, counted, one_line
from .numbers import shortened
from .overview import (
    line_in_words,
    optional_parts,
    place_above,
    points_in_words,
    section_of,
    unwritten_task,
    visible,
    what_to_do,
)

TEXT_BYTES = 8 << 10  # of one test, and of the summary
OUTPUT_BYTES = 2 << 10  # of what the submission printed, within one text
_MESSAGE_CHARACTERS = 600
_FRAMES = 4
_ENDED = (FailureKind.TIMEOUT, FailureKind.CRASH, FailureKind.PROTOCOL)  # what the grader itself says of a worker

_IN_WORDS = {  # of a secret test all there is; of an open one, used if grading gave no sentence of its own
    Status.FAILED: "The result is not the expected one.",
    Status.ERRORED: "The code raised an exception.",
    Status.TIMED_OUT: "The code did not answer in time.",
    Status.CRASHED: "The process that runs the code ended during this test.",
    Status.BLOCKED: "Not run: something that comes before it did not pass.",
    Status.NOT_ATTEMPTED: "Not attempted: this part is optional and costs nothing.",
}
_OUT_OF_TIME = {
    BlockedBy.SUBMISSION_TIME: "Not run: the time for this submission was used up.",
    BlockedBy.RUN_TIME: "Not run: the time for this run was used up.",
}


def student_text(
    outcome: TestOutcome,
    suite: Suite,
    assignment: Assignment,
    *,
    import_failure: Failure | None = None,
    above: tuple[Diagnosis, ...] = (),
) -> str:
    """Return what a student reads of one test, at most TEXT_BYTES long; "" for a test that passed.

    With an `import_failure`, every test refers to the summary, which explains it once. What `above`, the diagnoses
    over the tests, says already is referred to.
    """
    if outcome.status is Status.PASSED:
        return ""
    if import_failure is not None and outcome.status is not Status.NOT_ATTEMPTED:
        if import_failure.kind is FailureKind.SUBMISSION:
            return f"Not run: there is no {required_file(assignment)} to run (see above)."
        return f"Not run: {required_file(assignment)} could not be imported (see above)."
    return _joined(_secret_parts(outcome) if suite.secret else _open_parts(outcome, above))


def staff_text(outcome: TestOutcome, above: tuple[Diagnosis, ...] = (), *, hint: bool = True) -> str:
    """Return everything that is known of one test; "" for a test that passed and printed nothing."""
    if outcome.status is Status.PASSED:
        return clean(_printed(outcome.output))
    return _joined(_open_parts(outcome, above, hint=hint))


def summary_text(report: GradeReport) -> str:
    """Return what a student reads above the tests: what to do first, the points, what is optional, the notes."""
    parts = []
    if not report.complete:
        parts.append("Grading had not finished when this was written: the points below do not judge your work.\n")
    if report.import_failure:
        parts.append(import_text(report.import_failure, report.import_diagnosis, report.import_output) + "\n")
    else:
        parts.append(what_to_do(report.diagnoses, visible(report)))
    parts += points_in_words(report.outcomes)
    parts += [f"{part.capitalize()} (optional, no points): {said}." for part, said in optional_parts(visible(report))]
    parts += [f"Note: {note.title}." for note in report.notes]
    parts.append(f"Graded with Python {report.python}." if report.python else "")
    return _joined(parts)


def hidden_summary(diagnoses: tuple[Diagnosis, ...]) -> str:
    """Return the mistakes that tests of secret suites show; "" if there are none."""
    return _joined([what_to_do(diagnoses, ())])


def import_text(failure: Failure, diagnosis: Diagnosis | None = None, output: str = "") -> str:
    """Return why nothing could run, explained once with the student's own line. No hidden test has run by then."""
    from ..findings.imported import SAYS_ALL  # only a submission that cannot be imported pays for it

    unread = failure.kind is FailureKind.SUBMISSION
    head = "The files could not be graded." if unread else "The code could not be imported, so no test could run."
    if diagnosis is not None and diagnosis.code in SAYS_ALL:
        parts = [head, diagnosis.sentence, *_places(failure.frames), section_of(diagnosis)]
    else:
        words = failure.explanation, "" if unread else _message(failure)
        parts = [head, *words, *_places(failure.frames), *_diagnosis_parts(diagnosis)]
    parts.append(_printed(output))
    return clean("\n".join(part for part in parts if part))


def required_file(assignment: Assignment) -> str:
    """Return the name of the file without which nothing is graded."""
    return assignment.modules[assignment.scored_modules[0]].file


def _joined(parts: Sequence[str]) -> str:
    return capped(clean("\n".join(part for part in parts if part)), TEXT_BYTES)


def _open_parts(outcome: TestOutcome, above: tuple[Diagnosis, ...], *, hint: bool = True) -> list[str]:
    if outcome.status is Status.NOT_ATTEMPTED:
        return [_IN_WORDS[outcome.status]]  # no hint: there is nothing yet to repair
    if task := unwritten_task(outcome):
        return [f"It needs task {task}." if above else f"It needs task {task}, which is not written yet."]
    if outcome.status is Status.BLOCKED:
        return [_sentence(outcome)]
    failure = outcome.failure or Failure()
    expected, got = shortened(failure.expected, failure.got)
    compared = f"expected {expected}, got {got}" if expected or got else ""
    asserted = failure.kind is FailureKind.ASSERTION
    return [
        failure.statement,
        compared,
        "" if asserted and (compared or failure.statement) else _sentence(outcome),
        "" if asserted and compared else _message(failure),
        *_places(failure.frames),
        *_diagnosis_parts(outcome.diagnosis, above),
        outcome.test.hint if hint else "",
        _printed(outcome.output),
    ]


def _secret_parts(outcome: TestOutcome) -> list[str]:
    late = _OUT_OF_TIME.get(outcome.blocked_by) if outcome.blocked_by else None
    said = late or _IN_WORDS[outcome.status]
    return [said, "" if outcome.status in (Status.NOT_ATTEMPTED, Status.BLOCKED) else outcome.test.hint]


def _sentence(outcome: TestOutcome) -> str:
    """Return the grader's own sentence on what happened."""
    if outcome.failure and outcome.failure.explanation:
        return outcome.failure.explanation
    return _IN_WORDS[outcome.status]


def _message(failure: Failure) -> str:
    """Return the exception's type and words, once each. What the grader itself says of a worker is said already."""
    if failure.kind in _ENDED and failure.explanation:
        return ""
    message = one_line(failure.message, _MESSAGE_CHARACTERS)
    if failure.kind is FailureKind.ASSERTION or message.startswith(failure.exception):
        return message
    return f"{failure.exception}: {message}" if message and _is_builtin_exception(failure.exception) else message


def _places(frames: tuple[StudentFrame, ...]) -> list[str]:
    """Return the innermost frames, each with its line of the submission."""
    parts = [] if len(frames) <= _FRAMES else [f"({counted(len(frames) - _FRAMES, 'outer call')} not shown)"]
    for frame in frames[-_FRAMES:]:
        inside = f", in {one_line(frame.function, 60)}" if frame.function not in ("", "<module>") else ""
        parts.append(f"{one_line(frame.file, 80)} line {frame.line}{inside}" + (":" if frame.text else ""))
        parts += [f"    {one_line(frame.text, 160)}"] if frame.text else []
    return parts


def _diagnosis_parts(diagnosis: Diagnosis | None, above: tuple[Diagnosis, ...] = ()) -> list[str]:
    if diagnosis is None:
        return []
    rows = [f"  {row.node}: expected {row.expected}, got {row.got}" for row in diagnosis.evidence]
    differs = diagnosis.drawing or "\n".join(rows)
    place = place_above(diagnosis, above)
    return [place, differs] if place else [diagnosis.sentence, line_in_words(diagnosis), differs, section_of(diagnosis)]


def _printed(output: str) -> str:
    if not output.strip():
        return ""
    text = capped(clean(output).rstrip(), OUTPUT_BYTES)
    return "Printed by the code:\n" + "\n".join(f"    {line}" for line in text.split("\n"))


def _is_builtin_exception(name: str) -> bool:
    kind = getattr(builtins, name, None) if name.isidentifier() else None
    return isinstance(kind, type) and issubclass(kind, BaseException)
