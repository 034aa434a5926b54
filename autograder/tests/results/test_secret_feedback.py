"""A secret suite tells no value, and no word that the submission chose."""

import pytest

from autograder.failure import BlockedBy, Failure, StudentFrame
from autograder.model import Diagnosis, Evidence, Status
from autograder.results.feedback import staff_text

from ..support.reports import SECRET, declared, outcome
from ..support.told import shown

SECRETS = "4711"  # stands wherever a hidden input could be


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
