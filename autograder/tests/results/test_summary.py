"""The summary says what to do first, and nothing of what hidden tests did."""

import pytest
from msgspec.structs import replace

from autograder.errors import RemoteError
from autograder.failure import Failure, FailureKind, StudentFrame
from autograder.findings.imported import why_not_imported
from autograder.model import Diagnosis, Flag, Note, Status
from autograder.results.feedback import student_text, summary_text
from autograder.results.numbers import shortened

from ..support.reports import OPEN, SECRET, assignment, declared, outcome, report
from ..support.told import OVERWRITES, RAISED


def test_the_summary_counts_the_open_tests_alone():
    hidden = [outcome(status, declared(str(n), SECRET)) for n, status in enumerate([Status.PASSED, Status.FAILED])]
    text = summary_text(report(outcome(), outcome(Status.FAILED), *hidden))
    assert text.splitlines()[1:] == [
        "1 of 2 public tests passed: 2 / 4 points.",
        "2 hidden tests, 4 points: shown once grades are published.",
    ]


def test_the_summary_is_the_same_whatever_hidden_tests_did():
    results = [summary_text(report(outcome(), outcome(status, declared(suite=SECRET)))) for status in Status]
    assert len(set(results)) == 1


def test_a_failed_import_is_explained_once_with_the_students_line():
    failure = Failure(
        exception="SyntaxError",
        explanation="The code raised a SyntaxError.",
        message="SyntaxError: '(' was never closed",
        frames=(StudentFrame(file="engine.py", line=12, function="<module>", text="def f("),),
    )
    text = summary_text(report(outcome(Status.BLOCKED), import_failure=failure, import_output="hello\n"))
    assert text == (
        "The code could not be imported, so no test could run.\n"
        "The code raised a SyntaxError.\n"
        "SyntaxError: '(' was never closed\n"
        "engine.py line 12:\n"
        "    def f(\n"
        "Printed by the code:\n"
        "    hello\n\n"
        "0 of 1 public test passed: 0 / 2 points."
    )


NOT_PYTHON = RemoteError("SyntaxError", "SyntaxError", "invalid syntax", ())


def test_a_mistake_that_explains_an_import_comes_first_and_replaces_the_words_of_python():
    failure = Failure(
        exception="SyntaxError",
        explanation="The code raised a SyntaxError.",
        message="SyntaxError: invalid syntax",
        frames=(StudentFrame(file="engine.py", line=1, function="<module>", text="!pip install numpy"),),
    )
    found = why_not_imported(NOT_PYTHON, "!pip install numpy", "pitfall-importing-your-file")
    text = summary_text(report(outcome(Status.BLOCKED), import_failure=failure, import_diagnosis=found))
    assert text.startswith(
        "The code could not be imported, so no test could run.\n"
        "This line is a command of a notebook, not Python: delete the line.\n"
        "engine.py line 1:\n"
        "    !pip install numpy\n"
        'See "Pitfall: importing your file" in the handout.\n'
    )


def test_files_that_could_not_be_read_are_explained_in_the_same_place():
    failure = Failure(kind=FailureKind.SUBMISSION, explanation="no engine.py was found; hand in engine.py")
    text = summary_text(report(outcome(Status.BLOCKED), import_failure=failure))
    assert text.startswith("The files could not be graded.\nno engine.py was found; hand in engine.py\n")


def test_an_unfinished_run_says_that_its_points_are_no_judgement():
    assert summary_text(report(complete=False)).startswith("Grading had not finished")


def test_notes_are_named_and_flags_are_not():
    text = summary_text(
        report(notes=(Note(title="Engine.py was taken", text=""),), flags=(Flag(title="odd", text="x"),))
    )
    assert text.endswith("\nNote: Engine.py was taken.")


def test_the_summary_begins_with_what_to_do_and_where_to_read():
    failed = outcome(Status.FAILED, diagnosis=OVERWRITES)
    first, *_ = summary_text(report(failed, diagnoses=(OVERWRITES,))).splitlines()
    assert first == 'Start here: The rule of `*` overwrites. See "Pitfall: gradients add up" in the handout.'


def test_tasks_that_are_not_written_are_told_once_the_next_one_first():
    missing = Diagnosis(
        code="not-attempted", sentence="Task 1.4, 1.1 and 1.2 are not written yet.", subject="1.4, 1.1, 1.2"
    )
    first, *_ = summary_text(report(outcome(Status.ERRORED), diagnoses=(missing,))).splitlines()
    assert first == "Start here: write task 1.1. Tasks 1.2 and 1.4 are not written yet either."


def test_the_summary_says_which_python_graded():
    assert summary_text(report(python="3.11.7")).endswith("Graded with Python 3.11.7.")


def test_what_stands_above_is_referred_to_and_what_differs_is_shown():
    other = Diagnosis(code="order", sentence="The order is wrong.")
    both = Diagnosis(code="overwrites", sentence="`*` and `/` overwrite.", subject="*, /")
    drawn = replace(OVERWRITES, drawing="  v1 = Value(3)")
    text = student_text(outcome(Status.FAILED, diagnosis=drawn), OPEN, assignment(), above=(other, both))
    assert text.endswith("See above, 2.\n  v1 = Value(3)")


def test_a_mistake_of_another_operator_is_not_taken_for_the_one_above():
    text = student_text(
        outcome(Status.FAILED, diagnosis=replace(OVERWRITES, subject="tanh")), OPEN, assignment(), above=(OVERWRITES,)
    )
    assert "overwrites." in text


def test_a_test_of_an_unwritten_task_names_the_task_alone():
    missing = Diagnosis(code="not-attempted", sentence="Task 1.1 is not written yet.", subject="1.1")
    text = student_text(
        outcome(Status.ERRORED, failure=RAISED, diagnosis=missing), OPEN, assignment(), above=(missing,)
    )
    assert text == "It needs task 1.1."


@pytest.mark.parametrize(
    ("expected", "got", "short"),
    [
        ("0.7071067811865476", "0.5", ("0.707107", "0.5")),
        ("0.7071067811865476", "0.7071067911865476", ("0.70710678", "0.70710679")),
        ("3.0", "3.0000000000000004", ("3.0", "3.0000000000000004")),
        ("1e-20", "0.0", ("1e-20", "0.0")),
        ("[0.3333333333333333, 2.0]", "[0.25, 2.0]", ("[0.333333, 2.0]", "[0.25, 2.0]")),
        ("nan", "inf", ("nan", "inf")),
        ("7", "1234567890123", ("7", "1234567890123")),
    ],
)
def test_numbers_have_six_digits_unless_the_difference_is_beyond_them(expected, got, short):
    assert shortened(expected, got) == short
