"""Tests of ordinary classes: the same text is a test in the grader and plain Python outside it."""

import itertools
import math
import types
from typing import Any

import pytest

from autograder.errors import MisuseError, WorkerCrash
from autograder.interface import RemoteInterface
from autograder.remote.asked import MOST_VALUES, ask
from autograder.remote.module import RemoteModule
from autograder.remote.tape import Tape

from ..support.near import Near

INTERFACE = RemoteInterface(file="classes.py")
CLASSES = """
from math import gcd


class Fraction:
    def __init__(self, top, bottom=1):
        if bottom == 0:
            raise ZeroDivisionError("no fraction has the denominator 0")
        shared = gcd(top, bottom)
        self.top, self.bottom = top // shared, bottom // shared

    def __add__(self, other):
        return Fraction(self.top * other.bottom + other.top * self.bottom, self.bottom * other.bottom)

    def __eq__(self, other):
        if not isinstance(other, Fraction):
            return NotImplemented
        return (self.top, self.bottom) == (other.top, other.bottom)

    def __lt__(self, other):
        return self.top * other.bottom < other.top * self.bottom

    def __hash__(self):
        return hash((self.top, self.bottom))

    def __bool__(self):
        return self.top != 0

    def __float__(self):
        return self.top / self.bottom

    def __round__(self, digits=None):
        return round(self.top / self.bottom, digits)

    def __floor__(self):
        return self.top // self.bottom

    def __str__(self):
        return f"{self.top}/{self.bottom}"

    def __repr__(self):
        return f"Fraction({self.top}, {self.bottom})"

    def __format__(self, spec):
        return format(self.top / self.bottom, spec) if spec else str(self)


class Named:
    def __init__(self, name):
        self.name = name

    def __lt__(self, other):
        return f"{self.name} < {getattr(other, 'name', other)}"

    def __gt__(self, other):
        return f"{self.name} > {getattr(other, 'name', other)}"


class Stack:
    def __init__(self):
        self.items = []

    def push(self, item):
        self.items.append(item)
        return self

    def pop(self):
        if not self.items:
            raise IndexError("the stack is empty")
        return self.items.pop()

    def __len__(self):
        return len(self.items)

    def __contains__(self, item):
        return item in self.items

    def __iter__(self):
        return iter(self.items)

    def __reversed__(self):
        return reversed(self.items)

    def __getitem__(self, place):
        return self.items[place]

    def __setitem__(self, place, item):
        self.items[place] = item

    def __delitem__(self, place):
        del self.items[place]


class Countdown:
    def __init__(self, start):
        self.left = start

    def __iter__(self):
        return self

    def __next__(self):
        if self.left == 0:
            raise StopIteration
        self.left -= 1
        return self.left + 1


class Refused(ValueError):
    pass


class Account:
    def __init__(self, balance):
        self._balance, self.log = balance, []

    @property
    def balance(self):
        return self._balance

    @balance.setter
    def balance(self, value):
        if value < 0:
            raise ValueError("an account is never below zero")
        self._balance = value

    def withdraw(self, amount):
        if amount > self._balance:
            raise Refused("too little money")
        self._balance -= amount

    def __call__(self, amount):
        self._balance += amount
        return self._balance

    def __enter__(self):
        self._before = self._balance
        return self

    def __exit__(self, kind, problem, trace):
        self.log.append([kind.__name__ if kind else "", str(problem) if problem else ""])
        if kind is not None:
            self._balance = self._before
        return kind is not None and issubclass(kind, Refused)
"""


def near_module(source=CLASSES, interface=INTERFACE):
    near: Any = Near(source)
    return RemoteModule(Tape(near, lambda: 1.0), interface, 1, near.names)


def plain_module():
    module = types.ModuleType("classes")
    exec(CLASSES, vars(module))
    return module


@pytest.fixture(params=["grader", "plain Python"])
def side(request):
    """Return the module, and what `ask` is beside it."""
    return (near_module(), ask) if request.param == "grader" else (plain_module(), lambda thing: thing)


# --- what a test author writes, on both sides


def test_objects_are_compared(side):
    module, ask = side
    half, third = module.Fraction(1, 2), module.Fraction(1, 3)
    assert ask(half) == module.Fraction(2, 4)
    assert half == ask(module.Fraction(2, 4))
    assert ask(half) != third
    assert (ask(half) == third) is False
    assert ask(third) < half
    assert half > ask(third)
    assert ask(half + third) == module.Fraction(5, 6)
    assert ask(half) != 0.5  # both sides give NotImplemented


def test_a_comparison_keeps_its_sides(side):
    module, ask = side
    left, right = module.Named("left"), module.Named("right")
    assert (left < ask(right)) == (ask(left) < right) == "left < right"
    assert (right > ask(left)) == "right > left"
    assert (ask(right) < 3) == "right < 3"


def test_a_comparison_that_a_class_does_not_define_raises(side):
    module, ask = side
    with pytest.raises(TypeError):
        _ = ask(module.Fraction(1, 2)) <= module.Fraction(1, 2)


def test_objects_are_sorted_and_found(side):
    module, ask = side
    fractions = [module.Fraction(1, 2), module.Fraction(1, 3), module.Fraction(2, 3)]
    assert [fraction.bottom for fraction in sorted(fractions, key=ask)] == [3, 2, 3]
    assert max(fractions, key=ask) is fractions[2]
    assert ask(module.Fraction(2, 6)) in fractions
    assert ask(module.Fraction(1, 6)) not in fractions
    assert ask(fractions) == [module.Fraction(2, 4), module.Fraction(2, 6), module.Fraction(4, 6)]
    assert len({*ask([*fractions, module.Fraction(2, 4)])}) == 3


def test_an_object_is_converted(side):
    module, ask = side
    fraction = ask(module.Fraction(-7, 4))
    assert float(fraction) == -1.75
    assert round(fraction) == -2
    assert round(fraction, 1) == -1.8
    assert math.floor(fraction) == -2
    assert bool(fraction) is True
    assert not ask(module.Fraction(0))
    assert hash(fraction) == hash(ask(module.Fraction(-14, 8)))


def test_an_object_is_turned_into_text(side):
    module, ask = side
    fraction = module.Fraction(1, 2)
    assert str(ask(fraction)) == "1/2"
    assert repr(ask(fraction)) == "Fraction(1, 2)"
    assert f"{ask(fraction)} is {ask(fraction):.2f}" == "1/2 is 0.50"


def test_a_container_is_measured_searched_and_walked_through(side):
    module, ask = side
    stack = module.Stack().push(3).push(1).push(2)
    assert len(ask(stack)) == 3
    assert 1 in ask(stack)
    assert 5 not in ask(stack)
    assert list(ask(stack)) == [3, 1, 2]
    assert sorted(ask(stack)) == [1, 2, 3]
    assert list(reversed(ask(stack))) == [2, 1, 3]
    assert [2 * item for item in ask(stack)] == [6, 2, 4]
    first, *_ = ask(stack)
    assert first == 3
    assert dict(enumerate(ask(stack))) == {0: 3, 1: 1, 2: 2}
    assert bool(ask(stack))
    assert not ask(module.Stack())


def test_items_are_read_set_and_deleted_without_asking(side):
    module, _ = side
    stack = module.Stack().push(3).push(1).push(2)
    stack[0] = 7
    del stack[1]
    assert stack[0] == 7
    assert stack[-1] == 2
    assert stack[0:2] == [7, 2]
    assert stack[::-1] == [2, 7]
    with pytest.raises(IndexError):
        stack[5]


def test_an_iterator_is_advanced_to_its_end(side):
    module, ask = side
    countdown = module.Countdown(2)
    assert iter(ask(countdown)) is not None
    assert countdown.__iter__() is countdown
    assert [next(ask(countdown)), countdown.__next__()] == [2, 1]
    with pytest.raises(StopIteration):
        next(ask(countdown))
    assert next(ask(countdown), "over") == "over"
    assert list(ask(module.Countdown(3))) == [3, 2, 1]
    assert list(zip(ask(module.Countdown(2)), ask(module.Countdown(2)), strict=True)) == [(2, 2), (1, 1)]


def test_pythons_own_methods_are_called_by_their_names(side):
    module, _ = side
    half, stack = module.Fraction(1, 2), module.Stack().push(4)
    assert half.__eq__(module.Fraction(2, 4)) is True
    assert half.__eq__(module.Fraction(1, 3)) is False
    assert half.__eq__(3) is NotImplemented
    assert half.__lt__(module.Fraction(2, 3)) is True
    assert half.__str__() == "1/2"
    assert half.__repr__() == "Fraction(1, 2)"
    assert half.__hash__() == module.Fraction(1, 2).__hash__()
    assert half.__bool__() is True
    assert half.__float__() == 0.5
    assert half.__add__(half).bottom == 1
    assert stack.__len__() == 1
    assert stack.__contains__(4) is True
    assert stack.__getitem__(0) == 4
    assert next(iter([stack.__iter__().__next__()])) == 4
    assert module.Account(3).__call__(4) == 7


def test_a_constructor_raises_where_it_stands(side):
    module, _ = side
    with pytest.raises(ZeroDivisionError, match="denominator 0"):
        module.Fraction(1, 0)


def test_a_test_goes_on_after_an_exception(side):
    module, _ = side
    account = module.Account(10)
    with pytest.raises(ValueError, match="too little"):
        account.withdraw(11)
    with pytest.raises(ValueError, match="below zero"):
        account.balance = -1
    assert account.balance == 10
    account.balance = 4
    assert account.balance == 4


def test_an_object_that_is_called_answers(side):
    module, _ = side
    assert module.Account(1)(5) == 6


def test_what_a_method_returns_is_the_object_that_it_is(side):
    module, _ = side
    stack, account = module.Stack(), module.Account(1)
    assert stack.push(1) is stack
    with account as entered:
        assert entered is account


def test_a_context_manager_learns_what_left_its_block(side):
    module, ask = side
    account = module.Account(10)
    with account:
        account.withdraw(3)
    assert account.balance == 7
    with pytest.raises(KeyError), account:
        raise KeyError(account.withdraw(3) or "mine")
    assert account.balance == 7  # taken back
    with ask(account) as entered:
        entered.withdraw(100)  # raises the submission's own class, which it swallows
    assert account.log == [["", ""], ["KeyError", "'mine'"], ["Refused", "too little money"]]
    assert account.__exit__(None, None, None) is False
    assert account.__exit__(ValueError, ValueError("other"), None) is False


# --- what stays refused, with the way

REFUSED = {
    "ask(x) == y": lambda x: x == 0.5,
    "ask(x) != y": lambda x: x != 3,
    "ask(x) < y": lambda x: sorted([x, x]),
    "bool(ask(x))": lambda x: 1 if x else 2,
    "hash(ask(x))": lambda x: {x: 1},
    "str(ask(x))": str,
    "float(ask(x))": math.sqrt,
    "round(ask(x))": round,
    "len(ask(x))": len,
    "y in ask(x)": lambda x: 3 in x,
    "list(ask(x))": lambda x: [*x],
    "next(ask(x))": next,
    "repr(ask(x))": lambda x: repr(x) == "<remote Fraction>",
}


@pytest.mark.parametrize(("way", "use"), REFUSED.items(), ids=REFUSED)
def test_a_bare_operator_is_refused_with_the_way_to_ask(way, use):
    fraction = near_module().Fraction(1, 2)
    with pytest.raises(MisuseError) as problem:
        use(fraction)
    assert f"ask for it: `{way}`" in str(problem.value)


@pytest.mark.parametrize(
    "text",
    [str, lambda x: f"{x}", lambda x: f"{x:>9}", "{}".format, lambda x: "%s" % x],  # noqa: UP031 - that is the case
    ids=["str", "f-string", "format spec", "format", "%"],
)
def test_the_text_of_a_proxy_is_never_an_answer(text):
    fraction = near_module().Fraction(1, 2)
    with pytest.raises(MisuseError, match="cannot be turned into text"):
        text(fraction)


def test_a_message_may_show_an_object():
    assert f"got {near_module().Fraction(1, 2)!r}" == "got <remote Fraction>"


# --- what a submission may not do with it


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


# --- what the configuration defers


def test_a_homework_that_defers_its_constructors_raises_when_a_value_is_read():
    deferring = RemoteInterface(file="classes.py", deferred=("constructors",))
    fraction = near_module(interface=deferring).Fraction(1, 0)
    with pytest.raises(ZeroDivisionError):
        _ = fraction.top


CLUBS = """
class Club:
    only = None

    def __new__(cls, *_):
        cls.only = cls.only or object.__new__(cls)
        return cls.only


class Member:
    def __init__(self, club):
        self.club = club
"""


def test_an_object_that_comes_back_is_the_one_that_the_test_has():
    clubs = near_module(CLUBS)
    club, other = clubs.Club(), clubs.Club()
    members = [clubs.Member(club) for _ in range(3)]

    assert other is club
    assert all(member.club is club for member in members)
    assert len({id(member) for member in members}) == 3
