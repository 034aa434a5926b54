"""A student reads what helps, in plain words; what a hidden test knows stays hidden."""

import pytest
from msgspec.structs import replace

from autograder.errors import RemoteError
from autograder.failure import BlockedBy, Failure, FailureKind, StudentFrame
from autograder.findings.imported import why_not_imported
from autograder.model import BlamedLine, Diagnosis, Evidence, Flag, Note, Status
from autograder.results.feedback import TEXT_BYTES, staff_text, student_text, summary_text
from autograder.results.numbers import shortened
from autograder.text import capped, clean, one_line

from ..support.reports import OPEN, SECRET, assignment, declared, outcome, report

SECRETS = "4711"  # stands wherever a hidden input could be
LINE = StudentFrame(file="engine.py", line=34, function="__mul__", text="out.grad = 1")

ASSERTION = Failure(
    kind=FailureKind.ASSERTION,
    statement="assert x.grad == approx(7.0)",
    message="assert 3.0 == 7.0",
    expected="7.0",
    got="3.0",
)
RAISED = Failure(
    exception="TypeError",
    explanation="The code raised a TypeError.",
    message="TypeError: no number",
    statement="y = x * x",
    frames=(LINE,),
)


def shown(result, suite=OPEN, **policy) -> str:
    return student_text(result, suite, assignment(**policy))


# An open suite tells everything.


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


# A secret suite tells no value, and no word that the submission chose.


EVERYWHERE = Failure(
    exception="TypeError",
    explanation="The code raised a TypeError.",
    message=f"TypeError: {SECRETS}",
    statement=f"assert x == {SECRETS}",
    expected=SECRETS,
    got=SECRETS,
    frames=(
        StudentFrame(file=f"{SECRETS}.py", line=1, function=SECRETS, text=SECRETS),
        StudentFrame(file="engine.py", line=4711, function=SECRETS),
        StudentFrame(file="engine.py", line=34, function=SECRETS, text=f"x = {SECRETS}"),
    ),
)
DIAGNOSED = Diagnosis(
    code="overwrites",
    sentence="A gradient is overwritten.",
    drawing=SECRETS,
    evidence=(Evidence(node=SECRETS, expected=SECRETS, got=SECRETS),),
)


@pytest.mark.parametrize("status", list(Status))
def test_a_hidden_test_never_shows_what_could_carry_an_input(status):
    hidden = declared(suite=SECRET, hint="Add them.")
    text = shown(outcome(status, hidden, failure=EVERYWHERE, diagnosis=DIAGNOSED, output=SECRETS), SECRET)
    assert SECRETS not in text


WORDS = {
    Status.FAILED: "The result is not the expected one.",
    Status.ERRORED: "The code raised an exception.",
    Status.TIMED_OUT: "The code did not answer in time.",
    Status.CRASHED: "The process that runs the code ended during this test.",
}


@pytest.mark.parametrize("status", WORDS)
def test_a_hidden_test_is_told_by_a_fixed_sentence_for_its_status_and_its_hint(status):
    hidden = declared(suite=SECRET, hint="Add them.")
    text = shown(outcome(status, hidden, failure=EVERYWHERE, diagnosis=DIAGNOSED, output="x"), SECRET)
    assert text == f"{WORDS[status]}\nAdd them."


@pytest.mark.parametrize("kind", ["ValueError", "NotADirectoryError", "Is4711Error", "NotImplementedError", ""])
@pytest.mark.parametrize("diagnosis", [None, DIAGNOSED, Diagnosis(code="not-attempted", sentence="x", subject="4.7")])
def test_neither_the_exception_nor_the_mistake_changes_what_a_hidden_test_shows(kind, diagnosis):
    hidden = declared(suite=SECRET, hint="Add them.")
    failure = Failure(exception=kind, message=f"{kind}: task 4.7", explanation=f"The code raised a {kind}.")
    text = shown(outcome(Status.ERRORED, hidden, failure=failure, diagnosis=diagnosis), SECRET)
    assert text == "The code raised an exception.\nAdd them."


@pytest.mark.parametrize(
    ("blocked_by", "words"),
    [(BlockedBy.TEST, "something that comes before"), (BlockedBy.RUN_TIME, "the time for this run")],
)
def test_a_hidden_test_that_was_not_run_says_what_stood_in_its_way(blocked_by, words):
    text = shown(outcome(Status.BLOCKED, declared(suite=SECRET), failure=EVERYWHERE, blocked_by=blocked_by), SECRET)
    assert text.startswith(f"Not run: {words}")


def test_staff_read_everything_of_a_hidden_test():
    text = staff_text(outcome(Status.ERRORED, declared(suite=SECRET), failure=EVERYWHERE, output="printed"))
    assert f"assert x == {SECRETS}" in text
    assert f"TypeError: {SECRETS}" in text
    assert "printed" in text


# The summary.


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


OVERWRITES = Diagnosis(
    code="overwrites", sentence="The rule of `*` overwrites.", subject="*", section="pitfall-gradients-add-up"
)


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


# Text from outside.


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("plain é → ∂ 😀\n\ttab", "plain é → ∂ 😀\n\ttab"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]0;title\x07shown", "shown"),
        ("\x1b]8;;http://example.edu\x1b\\link", "link"),
        ("a\r\nb\rc", "a\nb\nc"),
        ("\x00\x08\x7f\x9b", "\\x00\\x08\\x7f\\x9b"),
        ("\u202eevil\u2066", "\\u202eevil\\u2066"),
        ("half \ud83d", "half \\ud83d"),
    ],
)
def test_controls_leave_as_visible_escapes(text, safe):
    assert clean(text) == safe


@pytest.mark.parametrize("limit", [0, 1, 10, 11, 12, 13, 100])
def test_a_cut_never_splits_a_character_nor_exceeds_its_limit(limit):
    assert len(capped("é😀" * 50, limit).encode("utf-8")) <= limit


def test_one_line_stays_one_line_of_the_given_length():
    assert one_line("a\nb" * 100, 10) == "a\\nba\\nba…"


@pytest.mark.parametrize("suite", [OPEN, SECRET])
def test_no_text_is_longer_than_the_cap(suite):
    huge = "\ud800é" * 50_000
    failure = Failure(exception="TypeError", explanation=huge, message=huge, statement=huge, expected=huge, got=huge)
    result = outcome(Status.ERRORED, declared(suite=suite, hint=huge), failure=failure, output=huge)
    assert len(shown(result, suite).encode("utf-8")) <= TEXT_BYTES


BLAMED = BlamedLine(
    file="engine.py",
    line=57,
    text="self.grad = other.data * out.grad",
    said="put 3 where 4 was; 4 + 3 = 7 was expected",
)
TOLD = "engine.py line 57: `self.grad = other.data * out.grad` put 3 where 4 was; 4 + 3 = 7 was expected."


def test_the_line_to_blame_stands_under_the_sentence():
    diagnosis = replace(OVERWRITES, line=BLAMED)
    assert f"{OVERWRITES.sentence}\n{TOLD}" in shown(outcome(Status.FAILED, failure=ASSERTION, diagnosis=diagnosis))
    assert TOLD in summary_text(report(diagnoses=(diagnosis,)))


def test_of_a_secret_test_no_line_is_shown():
    diagnosis = replace(OVERWRITES, line=BLAMED)
    result = outcome(Status.FAILED, declared(suite=SECRET), failure=ASSERTION, diagnosis=diagnosis)
    assert "line 57" not in shown(result, SECRET)
