"""The same tasks on inputs that are drawn from the term's seed, and at their edges."""

from random import Random

import pytest


def drawn(seed, name, many=8):
    """Return different numbers; drawn by name, so that a new test changes no other's input."""
    return Random(f"{seed} {name}").sample(range(100), many)


@pytest.mark.points(1)
@pytest.mark.task(id="1.2")
@pytest.mark.hint("Push many items before the first one is popped.")
def test_many_items_come_back_in_reverse(stack, seed):
    items = drawn(seed, "reverse")
    s = stack.Stack()
    for item in items:
        s.push(item)
    assert [s.pop() for _ in items] == items[::-1]


@pytest.mark.points(1)
@pytest.mark.task(id="1.2")
@pytest.mark.hint("An empty stack has nothing to give: raise IndexError.")
def test_pop_of_an_empty_stack(stack):
    with pytest.raises(IndexError):
        stack.Stack().pop()


@pytest.mark.points(1)
@pytest.mark.task(id="1.1")
@pytest.mark.hint("Every stack has items of its own.")
def test_two_stacks_share_nothing(stack, ask, seed):
    first, second = stack.Stack(), stack.Stack()
    first.push(drawn(seed, "shared")[0])
    assert len(ask(second)) == 0


@pytest.mark.points(1)
@pytest.mark.task(id="2.1")
@pytest.mark.hint("Brackets may be nested deeply, and stand side by side.")
def test_deep_brackets_match(stack, seed):
    pairs = Random(f"{seed} deep").choices(["()", "[]", "{}"], k=12)
    text = "".join(pair[0] for pair in pairs) + "".join(pair[1] for pair in reversed(pairs))
    assert stack.balanced(text + "()[]{}") is True


@pytest.mark.points(1)
@pytest.mark.task(id="2.1")
@pytest.mark.hint("A bracket that is never closed does not match.")
def test_a_bracket_that_stays_open(stack):
    assert stack.balanced("(()") is False


@pytest.mark.points(1)
@pytest.mark.task(id="2.1")
@pytest.mark.hint("A bracket that was never opened does not match.")
def test_a_bracket_that_was_never_opened(stack):
    assert stack.balanced("())") is False
