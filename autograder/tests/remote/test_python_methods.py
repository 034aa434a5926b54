"""What a test author writes with objects means the same in the grader and in plain Python."""

import math
import types

import pytest

from autograder.remote.asked import ask

from ..support.class_sides import CLASSES, near_module


def plain_module():
    module = types.ModuleType("classes")
    exec(CLASSES, vars(module))
    return module


@pytest.fixture(params=["grader", "plain Python"])
def side(request):
    """Return the module, and what `ask` is beside it."""
    return (near_module(), ask) if request.param == "grader" else (plain_module(), lambda thing: thing)


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
