"""One example of each task."""

import pytest


@pytest.mark.points(1)
@pytest.mark.task(id="1.2")
@pytest.mark.hint("What was pushed last has to come back first.")
def test_last_in_first_out(stack):
    s = stack.Stack()
    s.push("a")
    s.push("b")
    assert s.pop() == "b"
    assert s.pop() == "a"


@pytest.mark.points(1)
@pytest.mark.task(id="1.3")
@pytest.mark.hint("`push` adds one to the length, `pop` takes one away.")
def test_length(stack, ask):
    s = stack.Stack()
    s.push("a")
    s.push("b")
    s.pop()
    assert len(ask(s)) == 1


@pytest.mark.points(1)
@pytest.mark.task(id="2.1")
@pytest.mark.after("test_last_in_first_out")
@pytest.mark.hint("Push each opening bracket, and compare each closing one with what you pop.")
def test_brackets_that_match(stack):
    assert stack.balanced("f(a[0], {1: (2)})") is True


@pytest.mark.points(1)
@pytest.mark.task(id="2.1")
@pytest.mark.after("test_last_in_first_out")
@pytest.mark.hint("The bracket that was opened last has to be closed first.")
def test_brackets_that_cross(stack):
    assert stack.balanced("([)]") is False
