"""The staff report: one line a test, the points in one column, everything said once."""

import click
import pytest

from autograder.failure import Failure, FailureKind
from autograder.model import Diagnosis, Flag, Isolation, Level, Note, Status
from autograder.results.terminal import NARROWEST, WIDEST, WIDTH, staff_report

from ..support.reports import SECRET, declared, outcome, report

FAILURE = Failure(kind=FailureKind.ASSERTION, statement="assert x.grad == approx(7.0)", expected="7.0", got="3.0")


def printed(*outcomes, **changes) -> str:
    return staff_report(report(*outcomes, **changes), colour=False)


def line_of(text: str, word: str) -> str:
    return next(line for line in text.splitlines() if word in line and not line.startswith("Start here"))


def test_each_test_is_one_line_that_ends_in_its_points():
    text = printed(outcome(test=declared("one")), outcome(Status.FAILED, declared("two", points=2.5)))
    assert line_of(text, "title of one").strip().startswith("✓")
    assert line_of(text, "title of one").endswith("  2 / 2")
    assert line_of(text, "title of two").strip().startswith("✗")
    assert line_of(text, "title of two").endswith("  0 / 2.5")


@pytest.mark.parametrize("unicode", [True, False])
def test_no_line_is_wider_than_the_page(unicode):
    long = Failure(kind=FailureKind.ASSERTION, statement="assert " + "word " * 100 + "x" * 300, message="é" * 500)
    title = declared("long", title="t" * 300)
    text = staff_report(
        report(outcome(Status.FAILED, title, failure=long, output="o" * 999)), colour=False, unicode=unicode
    )
    assert max(len(line) for line in text.splitlines()) == WIDTH


def test_a_title_that_is_too_long_keeps_the_case_at_its_end():
    text = printed(outcome(test=declared(title="word " * 50 + "[minus]")), outcome(test=declared(title="word " * 50)))
    assert line_of(text, "[minus]").endswith("…[minus]  2 / 2")


def test_suites_tasks_and_the_whole_have_their_totals():
    text = printed(
        outcome(test=declared("a", task="1.1")),
        outcome(Status.FAILED, declared("b", task="1.2")),
        outcome(test=declared("c", SECRET, task="1.1")),
    )
    assert line_of(text, "public tests").endswith(" 2 / 4")
    assert line_of(text, "hidden tests").endswith(" 2 / 2")
    assert line_of(text, "task 1.2").endswith(" 0 / 2")
    assert line_of(text, "total").endswith("total  4 / 6")
    assert text.splitlines()[0].endswith(" 4 / 6")


def test_tasks_stand_in_the_order_of_their_numbers():
    text = printed(*(outcome(test=declared(task, task=task)) for task in ("2.10", "", "2.9")))
    assert text.index("task 2.9") < text.index("task 2.10") < text.index("further")


def test_a_failure_is_told_below_its_line_with_hint_and_values():
    text = printed(outcome(Status.FAILED, declared(hint="Add them."), failure=FAILURE))
    assert "        assert x.grad == approx(7.0)\n        expected 7.0, got 3.0\n        Add them.\n" in text


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (Status.ERRORED, "(raised)"),
        (Status.TIMED_OUT, "(timed out)"),
        (Status.CRASHED, "(crashed)"),
        (Status.BLOCKED, "(not run)"),
    ],
)
def test_what_is_more_than_a_wrong_result_is_said_beside_the_title(status, said):
    assert said in line_of(printed(outcome(status)), "a title of")


def test_what_was_not_attempted_is_one_line_of_its_part():
    tasks = ["3.1", "3.10", "4.1"]
    tests = [outcome(Status.NOT_ATTEMPTED, declared(task, scored=False, points=0.0, task=task)) for task in tasks]
    text = printed(*tests)
    assert (
        "optional, worth no points\n    · part 3: 2 tests, not attempted\n    · part 4: 1 test, not attempted\n" in text
    )
    assert "a title of" not in text


def test_the_first_line_below_the_head_says_what_to_do():
    found = Diagnosis(code="overwrites", sentence="`*` overwrites the gradient.")
    text = printed(outcome(), outcome(Status.FAILED, failure=FAILURE, diagnosis=found))
    assert text.splitlines()[2] == "Start here: `*` overwrites the gradient."


def test_without_a_diagnosis_the_first_test_that_does_not_pass_is_named():
    failed = outcome(Status.FAILED, declared("two", task="1.2"))
    assert 'Start here: "a title of two" (task 1.2) is the first test that does not pass.' in printed(outcome(), failed)


def test_a_sentence_that_stands_above_is_not_repeated_under_the_tests():
    found = Diagnosis(code="overwrites", sentence="`*` overwrites the gradient.", drawing="  v1 = Value(3)  3  1")
    text = printed(*(outcome(Status.FAILED, declared(str(n)), diagnosis=found) for n in range(3)))
    assert text.count("overwrites the gradient") == 1
    assert text.count("See above.\n          v1 = Value(3)") == 3


def test_a_hint_that_tests_share_is_given_once():
    tests = [outcome(Status.FAILED, declared(str(n), hint="Add them.")) for n in range(3)]
    assert printed(*tests).count("Add them.") == 1


def unwritten(task, of):
    diagnosis = Diagnosis(code="not-attempted", sentence=f"Task {of} is not written yet.", subject=of)
    return outcome(Status.ERRORED, declared(f"{task} {of}", task=task), diagnosis=diagnosis)


def test_not_written_yet_is_said_once_for_a_task():
    text = printed(unwritten("1.1", "1.1"), unwritten("1.1", "1.1"), unwritten("2.1", "1.1"))
    assert text.count("not written yet") == 1
    assert "  task 1.1, not written yet" in text
    assert "(needs task 1.1)" in line_of(text, "a title of 2.1")


@pytest.mark.parametrize(("asked", "given"), [(20, NARROWEST), (80, 80), (400, WIDEST)])
def test_the_report_is_as_wide_as_the_terminal_within_limits(asked, given):
    graded = report(outcome(Status.FAILED, declared(title="t" * 300), failure=FAILURE))
    assert max(map(len, staff_report(graded, colour=False, width=asked).splitlines())) == given


def test_a_failed_import_is_told_once_at_the_top():
    failure = Failure(exception="SyntaxError", message="SyntaxError: invalid syntax")
    tests = [outcome(Status.BLOCKED, declared(str(n)), failure=failure) for n in range(5)]
    text = printed(*tests, import_failure=failure)
    assert text.count("invalid syntax") == 1
    assert text.index("invalid syntax") < text.index("a title of 0")


def test_notes_flags_time_and_isolation_close_the_report():
    text = printed(
        notes=(Note(title="Engine.py was taken", text="This costs nothing."),),
        flags=(Flag(title="file left out", text="x.so"),),
        seconds=3.21,
    )
    assert "note  Engine.py was taken\n      This costs nothing.\nflag  file left out\n      x.so\n" in text
    assert "1 of 1 test passed in 3.2 s" in text
    assert text.endswith("isolation strong, 1 layer verified\n")


def test_an_unfinished_report_says_so():
    assert "Grading had not finished" in printed(complete=False)


def test_without_colour_there_is_no_escape_and_with_it_the_words_are_the_same():
    graded = report(
        outcome(), outcome(Status.FAILED, failure=FAILURE), outcome(Status.BLOCKED), notes=(Note(title="n", text="t"),)
    )
    coloured = staff_report(graded, colour=True)
    assert "\x1b" in coloured
    assert click.unstyle(coloured) == staff_report(graded, colour=False)


def test_ascii_says_the_same_where_unicode_cannot_be_shown():
    text = staff_report(report(outcome(), outcome(Status.FAILED, failure=FAILURE)), colour=False, unicode=False)
    assert text.isascii()
    assert "+ a title of reuse" in text
    assert "x a title of reuse" in text


def test_a_submission_cannot_paint_or_move_the_cursor():
    failure = Failure(exception="ValueError", message="ValueError: \x1b[2J\x1b[1A✓ all passed")
    text = printed(
        outcome(Status.ERRORED, failure=failure, output="\x1b[1A\r100 / 100"),
        flags=(Flag(title="\x1b[2J", text="\x07"),),
    )
    assert "\x1b" not in text
    assert "\r" not in text
    assert "\x07" not in text


def test_weak_isolation_is_marked():
    weak = Isolation(level=Level.PROCESS, required=Level.STRONG)
    assert click.style("isolation process", fg="yellow") in staff_report(report(isolation=weak), colour=True)
