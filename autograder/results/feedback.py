"""What a reader is told of a test: the only place that decides which words a student may read.

A test of an open suite tells everything: its own line, expected and got, the student's line. A test of a secret suite
tells the grader's own sentences and the type of a builtin exception. It tells no message, no output, no value, no name
and no line that the submission chose: each could carry a hidden input out, a line by its number.
"""

from __future__ import annotations

import builtins

from ..assignment import Assignment, Suite
from ..diagnosis.summary import summary_in_words
from ..model import Diagnosis, Failure, FailureKind, GradeReport, Status, StudentFrame, TestOutcome, Visibility, total
from ..text import capped, clean, counted, one_line

TEXT_BYTES = 8 << 10  # of one test, and of the summary
OUTPUT_BYTES = 2 << 10  # of what the submission printed, within one text
_MESSAGE_CHARACTERS = 600
_FRAMES = 4
_ENDED = (FailureKind.TIMEOUT, FailureKind.CRASH, FailureKind.PROTOCOL)  # what the grader itself says of a worker

_IN_WORDS = {  # used when grading gave no sentence of its own
    Status.FAILED: "The result is not the expected one.",
    Status.ERRORED: "The code raised an exception.",
    Status.TIMED_OUT: "The code did not answer in time.",
    Status.CRASHED: "The process that runs the code ended during this test.",
    Status.BLOCKED: "Not run: something that comes before it did not pass.",
    Status.NOT_ATTEMPTED: "Not attempted: this part is optional and costs nothing.",
}


def student_text(outcome: TestOutcome, suite: Suite, assignment: Assignment, *, imported: bool = True) -> str:
    """Return what a student reads of one test, at most TEXT_BYTES long; "" for a test that passed.

    With `imported` false, every test refers to the summary, which explains the failed import once.
    """
    if outcome.status is Status.PASSED:
        return ""
    if not imported and outcome.status is not Status.NOT_ATTEMPTED:
        return f"Not run: {required_file(assignment)} could not be imported (see above)."
    parts = _secret_parts(outcome, assignment) if suite.secret else _open_parts(outcome)
    return capped(clean("\n".join(part for part in parts if part)), TEXT_BYTES)


def staff_text(outcome: TestOutcome) -> str:
    """Return everything that is known of one test; "" for a test that passed and printed nothing."""
    if outcome.status is Status.PASSED:
        return clean(_printed(outcome.output))
    return capped(clean("\n".join(part for part in _open_parts(outcome) if part)), TEXT_BYTES)


def summary_text(report: GradeReport) -> str:
    """Return what a student reads above the tests: why the import failed, the points, what to look at, the notes."""
    parts = []
    if not report.complete:
        parts.append("Grading had not finished when this was written: the points below do not judge your work.\n")
    if report.import_failure:
        parts.append(import_text(report.import_failure, report.import_diagnosis, report.import_output) + "\n")
    parts.append(_points_in_words(report))
    parts.append(summary_in_words(report.diagnoses))
    parts += [f"Note: {note.title}." for note in report.notes]
    return capped(clean("\n".join(part for part in parts if part)), TEXT_BYTES)


def import_text(failure: Failure, diagnosis: Diagnosis | None = None, output: str = "") -> str:
    """Return why nothing could run, explained once with the student's own line. No hidden test has run by then."""
    unread = failure.kind is FailureKind.SUBMISSION
    head = "The files could not be graded." if unread else "The code could not be imported, so no test could run."
    parts = [head, failure.explanation, "" if unread else _message(failure), *_places(failure.frames)]
    parts += [*_diagnosis_parts(diagnosis), _printed(output)]
    return clean("\n".join(part for part in parts if part))


def required_file(assignment: Assignment) -> str:
    """Return the name of the file without which nothing is graded."""
    return assignment.modules[assignment.scored_modules[0]].file


def _open_parts(outcome: TestOutcome) -> list[str]:
    if outcome.status is Status.NOT_ATTEMPTED:
        return [_IN_WORDS[outcome.status]]  # no hint: there is nothing yet to repair
    failure = outcome.failure or Failure()
    compared = f"expected {failure.expected}, got {failure.got}" if failure.expected or failure.got else ""
    asserted = failure.kind is FailureKind.ASSERTION
    return [
        failure.statement,
        compared,
        "" if asserted and (compared or failure.statement) else _sentence(outcome),
        "" if asserted and compared else _message(failure),
        *_places(failure.frames),
        *_diagnosis_parts(outcome.diagnosis),
        outcome.test.hint,
        _printed(outcome.output),
    ]


def _secret_parts(outcome: TestOutcome, assignment: Assignment) -> list[str]:
    failure = outcome.failure or Failure()
    told = "" if outcome.status is Status.FAILED else _sentence(outcome)
    if told == _IN_WORDS[Status.ERRORED] and _is_builtin_exception(failure.exception):
        told = f"The code raised {failure.exception}."
    diagnosis = outcome.diagnosis if assignment.hidden_diagnosis == "sentence" else None
    return [
        told,
        diagnosis.sentence if diagnosis else "",
        outcome.test.hint or ("" if told or diagnosis else _IN_WORDS[Status.FAILED]),
    ]


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


def _diagnosis_parts(diagnosis: Diagnosis | None) -> list[str]:
    if diagnosis is None:
        return []
    rows = [f"  {row.node}: expected {row.expected}, got {row.got}" for row in diagnosis.evidence]
    kind, _, words = diagnosis.section.partition("-")  # the anchor of a heading: "pitfall-gradients-add-up"
    where = f'See "{kind.capitalize()}: {words.replace("-", " ")}" in the handout.' if words else ""
    return [diagnosis.sentence, diagnosis.drawing or "\n".join(rows), where]


def _printed(output: str) -> str:
    if not output.strip():
        return ""
    text = capped(clean(output).rstrip(), OUTPUT_BYTES)
    return "Printed by the code:\n" + "\n".join(f"    {line}" for line in text.split("\n"))


def _points_in_words(report: GradeReport) -> str:
    """Return how the tests that are open went. Points and numbers of others stay out: they would tell their result."""
    shown = [outcome for outcome in report.outcomes if outcome.test.visibility is Visibility.VISIBLE]
    scored = [outcome for outcome in shown if outcome.test.scored]
    passed = sum(outcome.status is Status.PASSED for outcome in scored)
    rest = " Other tests are not shown here." if len(shown) < len(report.outcomes) else ""
    if not scored:
        return "The tests are not shown here."
    return f"{passed} of {counted(len(scored), 'test')} passed: {total(scored)} points.{rest}"


def _is_builtin_exception(name: str) -> bool:
    kind = getattr(builtins, name, None) if name.isidentifier() else None
    return isinstance(kind, type) and issubclass(kind, BaseException)
