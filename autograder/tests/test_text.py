"""Text from outside: no path of the machine, nothing in a name that cannot be seen; names in order and in a row."""

import pytest

from autograder.remote.errors import remote_error
from autograder.text import clean, natural_key, one_line, series, without_paths
from autograder.wire.format import RaisedError


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (
            "cannot import name 'x' from 'random' (/usr/lib/python3.11/random.py)",
            "cannot import name 'x' from 'random' (random.py)",
        ),
        ("No such file: '/tmp/autograder-a1b2c3d4/submission/value.py'", "No such file: 'value.py'"),
        ("/home/ada/a.py:3: UserWarning", "a.py:3: UserWarning"),
        ("see file:///home/ada/a.py and file:///C:/Users/ada/b.py", "see a.py and b.py"),
        ("C:\\Users\\ada\\engine.py is gone", "engine.py is gone"),
        ("['', 'tmp', 'autograder-a1b2c3d4', 'submission']", "['', 'tmp', 'autograder', 'submission']"),
        ("['', 'tmp', 'autograder-0000012345-a1b2c3d4']", "['', 'tmp', 'autograder']"),
        ("['', 'tmp', 'autograder-class-a1b2c3d4', '0000']", "['', 'tmp', 'autograder', '0000']"),
    ],
)
def test_of_a_path_the_name_alone_is_left(text, shown):
    assert without_paths(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "unsupported operand type(s) for /: 'Value' and 'int'",
        "unsupported operand type(s) for //: 'Value' and 'int'",
        "d/dx x/y/z is 1 / 2 / 3, see https://example.edu/a/b and 3/4/5",
        "task 1.1",
    ],
)
def test_what_is_not_a_path_stays(text):
    assert without_paths(text) == text


def test_an_exception_of_the_submission_arrives_without_paths():
    raised = RaisedError(0, "OSError", "OSError", "no /tmp/autograder-a1b2c3d4/submission/weights.txt here", ())
    assert str(remote_error(raised)) == "OSError: no weights.txt here"


def test_a_long_text_of_slashes_costs_linear_time():
    assert len(without_paths("/a" * 100_000 + " " + "/" * 100_000)) <= 200_001


@pytest.mark.parametrize(
    ("character", "shown"),
    [("\u00ad", "\\xad"), ("\u3164", "\\u3164"), ("\ufe0f", "\\ufe0f"), ("\U000e0041", "\\U000e0041")],
)
def test_a_character_that_cannot_be_seen_is_shown_in_a_name(character, shown):
    assert one_line(f"engine{character}.py") == f"engine{shown}.py"


def test_numbers_in_names_are_sorted_by_their_value():
    assert sorted(["hw10", "hw2", "Hw3", "2.10", "2.9"], key=natural_key) == ["2.9", "2.10", "hw2", "Hw3", "hw10"]


def test_a_name_of_more_digits_than_an_integer_may_have_is_sorted_as_a_word():
    digits = "9" * 5000
    assert sorted([digits, "7"], key=natural_key) == ["7", digits]


@pytest.mark.parametrize(
    ("names", "read"), [([], ""), (["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")]
)
def test_names_are_read_as_a_series(names, read):
    assert series(names) == read


def test_a_printable_character_is_left_as_it_is_and_any_other_is_escaped_or_taken_out():
    escaped = [chr(code) for code in range(0x3000) if clean(chr(code)) != chr(code)]

    assert [each for each in escaped if each.isprintable()] == []
    assert set("\x00\x07\r\x1b\x7f\x9f\u061c\u200b\u200f\u2028\u202e\u2060\u206f") <= set(escaped)
