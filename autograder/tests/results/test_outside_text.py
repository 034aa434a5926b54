"""Text from outside is escaped and capped, and a line to blame stands under its sentence."""

import pytest
from msgspec.structs import replace

from autograder.failure import Failure
from autograder.model import BlamedLine, Status
from autograder.results.feedback import TEXT_BYTES, summary_text
from autograder.text import capped, clean, one_line

from ..support.reports import OPEN, SECRET, declared, outcome, report
from ..support.told import ASSERTION, OVERWRITES, shown


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
