"""What a student reads of a test that could not go on."""

from pathlib import Path

import pytest

from autograder.assignment import load_assignment
from autograder.errors import RemoteError
from autograder.suites.outcome import failure_of

ASSIGNMENT = load_assignment(Path(__file__).parents[3])


def compared(number):
    return number == pytest.approx(7.0)


def halved(number):
    return number / 2


@pytest.mark.parametrize("use", [compared, halved, float])
def test_an_integer_beyond_every_float_is_named_in_a_sentence(use):
    with pytest.raises(OverflowError) as raised:
        use(10**400)

    failure = failure_of(raised.value, ASSIGNMENT)

    assert failure.message.startswith("A number that came back is too large:")
    assert failure.explanation == "The test could not go on with the value that it got."


def test_an_overflow_of_the_submission_keeps_its_own_words():
    error = RemoteError("OverflowError", "OverflowError", "math range error", ())
    assert failure_of(error, ASSIGNMENT).message == "OverflowError: math range error"
