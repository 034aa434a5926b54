"""An open suite tells everything: the assertion, the exception, the line, and what was printed."""

import pytest

from autograder.failure import Failure, FailureKind, StudentFrame
from autograder.model import Diagnosis, Evidence, Status
from autograder.results.feedback import student_text

from ..support.reports import OPEN, SECRET, assignment, declared, outcome
from ..support.told import ASSERTION, RAISED, shown


def test_a_test_that_passed_needs_no_words():
    assert shown(outcome(output="printed")) == ""


def test_a_failed_assertion_is_three_lines():
    test = declared(hint="A value used twice receives two gradients: add them.")
    assert shown(outcome(Status.FAILED, test, failure=ASSERTION)) == (
        "assert x.grad == approx(7.0)\nexpected 7.0, got 3.0\nA value used twice receives two gradients: add them."
    )


def test_an_exception_is_told_with_the_students_own_line():
    assert shown(outcome(Status.ERRORED, failure=RAISED)) == (
        "y = x * x\n"
        "The code raised a TypeError.\n"
        "TypeError: no number\n"
        "engine.py line 34, in __mul__:\n"
        "    out.grad = 1"
    )


def test_a_diagnosis_comes_with_its_evidence_and_the_section_to_read():
    diagnosis = Diagnosis(
        code="overwrites",
        sentence="The rule of * overwrites.",
        section="pitfall-gradients-add-up",
        evidence=(Evidence(node="x.grad", expected="7", got="3"),),
    )
    text = shown(outcome(Status.FAILED, failure=ASSERTION, diagnosis=diagnosis))
    rows = "The rule of * overwrites.\n  x.grad: expected 7, got 3\n"
    assert text.endswith(f'{rows}See "Pitfall: gradients add up" in the handout.')


def test_what_the_code_printed_is_shown_and_capped():
    text = shown(outcome(Status.FAILED, failure=ASSERTION, output="look\n" + "x" * 100_000))
    assert "Printed by the code:\n    look\n" in text
    assert len(text) < 3000


def test_what_became_of_a_worker_is_said_once():
    failure = Failure(
        kind=FailureKind.CRASH,
        exception="WorkerCrash",
        explanation="The process ended.",
        message="the worker's process ended",
    )
    assert shown(outcome(Status.CRASHED, failure=failure)) == "The process ended."


def test_only_the_innermost_calls_of_a_deep_recursion_are_shown():
    frames = tuple(StudentFrame(file="engine.py", line=line, function="f") for line in range(1, 101))
    text = shown(outcome(Status.ERRORED, failure=Failure(exception="RecursionError", frames=frames)))
    assert "(96 outer calls not shown)" in text
    assert "line 100" in text
    assert "line 96," not in text


@pytest.mark.parametrize("status", [status for status in Status if status is not Status.PASSED])
@pytest.mark.parametrize("suite", [OPEN, SECRET])
def test_every_status_has_words_when_grading_gave_none(status, suite):
    assert shown(outcome(status, declared(suite=suite)), suite).endswith(".")


def test_an_import_that_failed_is_referred_to_and_not_repeated():
    text = student_text(outcome(Status.ERRORED, failure=RAISED), OPEN, assignment(), import_failure=RAISED)
    assert text == "Not run: engine.py could not be imported (see above)."


def test_files_that_could_not_be_read_are_not_called_an_import_that_failed():
    unread = Failure(kind=FailureKind.SUBMISSION, explanation="engine.pdf is a PDF; hand in engine.py")
    text = student_text(outcome(Status.ERRORED, failure=unread), OPEN, assignment(), import_failure=unread)
    assert text == "Not run: there is no engine.py to run (see above)."
