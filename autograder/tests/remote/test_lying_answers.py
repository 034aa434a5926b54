"""What a submission may not do with an answer, an iterator or a context manager."""

import itertools
from typing import Any

import pytest

from autograder.errors import MisuseError, WorkerCrash
from autograder.remote.asked import MOST_VALUES, ask
from autograder.remote.module import RemoteModule
from autograder.remote.tape import Tape

from ..support.class_sides import CLASSES, INTERFACE, near_module
from ..support.near import Near


def hostile(body):
    return near_module("class Odd:\n" + "\n".join(f"    {line}" for line in body.split("\n"))).Odd()


WRONG_ANSWERS = {
    "a text without end": ("def __str__(self): return 'a' * 10**7", str, "str"),
    "a text of a class of its own": ("def __str__(self): return type('Text', (str,), {})('a')", str, "str"),
    "a huge integer": ("def __int__(self): return 1 << 10**6", int, "int"),
    "no iterator": ("def __iter__(self): return 5", iter, "TypeError"),
    "a negative length": ("def __len__(self): return -1", len, "ValueError"),
}


@pytest.mark.parametrize(("body", "convert", "says"), WRONG_ANSWERS.values(), ids=WRONG_ANSWERS)
def test_an_answer_of_another_kind_or_size_is_refused(body, convert, says):
    odd = hostile(body)
    with pytest.raises((MisuseError, TypeError, ValueError), match=says):
        convert(ask(odd))


def contains_three(thing):
    return 3 in thing


class Lying(Near):
    """A worker that sends one value for whatever is asked."""

    lie: Any = None

    def exchange(self, operations, seconds):
        found = super().exchange(operations, seconds)
        return found if self.lie is None else self.lie


@pytest.mark.parametrize("lie", ["yes", 1.5, -1, 1 << 80, [1], {"a": 1}], ids=repr)
@pytest.mark.parametrize("convert", [len, bool, str, float, iter, contains_three], ids=lambda convert: convert.__name__)
def test_a_worker_that_lies_about_an_answer_is_refused_in_words(lie, convert):
    near: Any = Lying(CLASSES)
    thing = RemoteModule(Tape(near, lambda: 1.0), INTERFACE, 1, near.names).Fraction(1, 2)
    near.lie = lie
    if type(lie) is convert:
        assert convert(ask(thing)) == lie
    else:
        with pytest.raises(MisuseError, match=r"that cannot be its answer|gives no iterator"):
            convert(ask(thing))


def test_an_iterator_without_end_is_bounded():
    odd = hostile("def __iter__(self):\n    n = 0\n    while True: yield n")
    with pytest.raises(MisuseError, match=f"more than {MOST_VALUES:,} values"):
        list(ask(odd))
    assert list(itertools.islice(ask(odd), 3)) == [0, 0, 0]


SWALLOWING = "def __enter__(self): return self\ndef __exit__(self, *_): return True\ndef fail(self): raise ValueError"


def test_control_a_context_manager_that_swallows_passes_a_failed_assertion_in_plain_python():
    class Odd:
        exec(SWALLOWING)

    with Odd():  # type: ignore[attr-defined]
        raise AssertionError


@pytest.mark.parametrize("asking", [ask, lambda odd: odd], ids=["asked", "bare"])
def test_a_failed_assertion_is_never_swallowed(asking):
    with pytest.raises(AssertionError), asking(hostile(SWALLOWING)):
        raise AssertionError


@pytest.mark.parametrize("asking", [ask, lambda odd: odd], ids=["asked", "bare"])
def test_what_stops_a_test_is_never_swallowed(asking):
    with pytest.raises(pytest.fail.Exception), asking(hostile(SWALLOWING)):
        pytest.fail("stopped")


def test_an_exception_is_swallowed_only_where_the_test_asks_for_it():
    odd = hostile(SWALLOWING)
    with ask(odd):
        odd.fail()
    with pytest.raises(MisuseError, match=r"ask for it: `with ask\(x\):`"), odd:
        odd.fail()


def test_a_context_manager_does_not_read_what_an_assertion_says():
    account = near_module().Account(1)
    with pytest.raises(AssertionError), account:
        raise AssertionError("expected 42")
    assert account.log == [["AssertionError", ""]]


def test_a_crash_in_a_block_stays_a_crash():
    near: Any = Near(CLASSES)
    account = RemoteModule(Tape(near, lambda: 1.0), INTERFACE, 1, near.names).Account(1)
    near.crash = WorkerCrash("gone")
    with pytest.raises(WorkerCrash), account:
        pass


def test_an_expected_value_that_may_not_cross_is_not_compared():
    with pytest.raises(MisuseError, match="may not cross"):
        _ = ask(near_module().Fraction(1, 2)) == pytest.approx(0.5)
