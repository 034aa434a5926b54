"""The mistakes of a class: counted once a submission, named in words, shown by their lines."""

import pytest

from autograder.diagnosis.codes import MISTAKES, sentence
from autograder.model import Status
from autograder.regrade.report.causes import Cause, causes_of, unrun_in
from autograder.regrade.report.lines import anonymous_line

from ..support.class_records import A, B, failing, made, numbered, unimported
from ..support.classes import result


def test_a_submission_counts_once_for_a_mistake_however_often_it_makes_it():
    (cause,) = causes_of(numbered(failing("**", "**", "*"), failing("**")))
    assert (cause.submissions, cause.subjects, cause.tests) == (2, (("**", 2), ("*", 1)), 2.0)


def test_a_mistake_names_who_makes_it_in_the_order_of_the_class():
    (cause,) = causes_of(numbered(failing("*"), made(result(A)), failing("*")))
    assert [one.id for one in cause.members] == ["0", "2"]


def at(*lines):
    """Return a maker of a record that makes a mistake at these lines."""
    return made(*(result(A, Status.FAILED, diagnosis="overwrites-gradient", subject="*", line=line) for line in lines))


def test_a_mistake_shows_the_two_most_frequent_lines_and_no_comment():
    lines = (
        "self.grad = g  # Ada's",
        "self.grad = g",
        "a.grad = out",
        "self.grad = g  # mine",
        "self.grad = h",
        "z = 1",
        "z = 1",
    )
    (cause,) = causes_of(numbered(*map(at, lines)))
    assert cause.lines == ("self.grad = g", "z = 1")


def test_where_nobody_shall_be_known_a_line_of_one_submission_is_not_shown():
    (cause,) = causes_of(numbered(at("ada_grad = g"), at("self.grad = g"), at("self.grad = g")), shared=True)
    assert cause.lines == ("self.grad = g",)


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("    x = y  # Ada", "x = y"),
        ('raise ValueError("by Ada")', 'raise ValueError("…")'),
        ("x = '#' + \"it's\" # Ada", 'x = "…" + "…"'),
        ("print('Ada\\' said')  # b", 'print("…")'),
        ('"""Ada wrote this', '"…"'),
        ('x = """a"b""" + y', 'x = "…" + y'),
        ("# Ada", ""),
        ("f(" + "a" * 200, "f(" + "a" * 97 + "…"),
    ],
)
def test_an_example_holds_neither_comments_nor_texts(line, shown):
    assert anonymous_line(line) == shown


def test_a_line_of_quotes_costs_no_more_than_its_length():
    assert anonymous_line("'" * 200_001).startswith('"…"')


def test_the_most_frequent_mistake_comes_first():
    report = numbered(failing("", code="syntax"), failing("*"), failing("*"))
    assert [cause.code for cause in causes_of(report)] == ["overwrites-gradient", "syntax"]


def test_a_failed_import_is_a_mistake_that_every_test_is_lost_by():
    report = numbered(made(result(A, Status.BLOCKED), result(B, Status.BLOCKED), import_diagnosis="syntax"))
    assert [(cause.code, cause.tests) for cause in causes_of(report)] == [("syntax", 2.0)]


@pytest.mark.parametrize(
    ("shared", "told"),
    [
        (False, (("SyntaxError", 2), ("hand in engine.py, not ada.py", 1))),
        (True, (("SyntaxError", 2), ("another reason", 1))),
    ],
)
def test_why_nothing_could_run_is_counted_where_no_mistake_by_name_says_it(shared, told):
    reasons = ("SyntaxError", "hand in engine.py, not ada.py", "SyntaxError")
    named = unimported("ImportError", import_diagnosis="import-not-allowed")
    assert unrun_in(numbered(*map(unimported, reasons), named, made(result(A))), shared=shared) == told


@pytest.mark.parametrize(
    ("subjects", "words"),
    [
        ((), ""),
        ((("**", 21),), ""),
        ((("**", 21), ("*", 9), ("/", 8)), "mostly in `**` (21), also in `*` (9), `/` (8)"),
        ((("**", 17), ("*", 9)), "in `**` (17), `*` (9)"),
        ((("1.2", 8), ("2.1", 2)), "mostly in task 1.2 (8), also in task 2.1 (2)"),
        (tuple((f"f{n}", 1) for n in range(6)), "in `f0` (1), `f1` (1), `f2` (1), `f3` (1) and 2 more"),
    ],
)
def test_where_a_mistake_is_made_is_said_in_words(subjects, words):
    cause = Cause(code="x", sentence="It.", members=(), subjects=subjects, tests=1.0)
    assert cause.where == words


def test_a_mistake_that_is_made_in_one_place_names_it_in_its_sentence():
    (cause,) = causes_of(numbered(failing("relu", code="derivative-at-kink")))
    assert cause.sentence == "At its kink, at 0, the derivative of `relu` must be 0."


def test_a_mistake_that_this_version_does_not_know_is_named_by_its_code():
    (cause,) = causes_of(numbered(failing("", code="of-tomorrow")))
    assert cause.sentence.startswith("of-tomorrow")


@pytest.mark.parametrize("code", sorted(MISTAKES))
def test_the_sentence_of_a_mistake_reads_well_without_a_place(code):
    assert " An operator" not in sentence(code, [])


def test_where_nobody_shall_be_known_a_place_of_one_submission_is_not_named():
    report = numbered(*(failing(subject, code="import-not-allowed") for subject in ("torch", "torch", "ada_code")))
    (cause,) = causes_of(report, shared=True)
    assert cause.subjects == (("torch", 2),)
    assert cause.sentence == "The file imports a module that is not there when it is graded."
