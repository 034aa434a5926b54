"""One sweep is enough: the cost of a backward pass grows with the number of operations, and with nothing else.

No test here measures time. A correct engine needs some hundredths of a second; one that goes through the graph once for
each path, or once for each input, runs into the grader's time limit.
"""

import math

import pytest
from oracle import Draw, agree, expected, measured
from pytest import approx

pytestmark = pytest.mark.task(id="2.1")


@pytest.mark.points(1.25)
@pytest.mark.hint(
    "Visit every value once, and let nothing in it grow with every use, such as a label made of the operands' labels. "
    "What doubles at every reuse seems to hang on your own machine, and Ctrl-C shows where."
)
def test_chain_of_doublings(engine):
    """A chain of doublings takes one visit for each value"""
    a = x = engine.Value(1.0)
    for _ in range(25):
        x = x + x
    x.backward()
    assert a.grad == approx(2.0**25)  # x = 2²⁵ · a


@pytest.mark.points(1.25)
@pytest.mark.after("test_chain_of_doublings")  # an engine that fails there would only use up its time here
@pytest.mark.hint(
    "Visit every value once. Two ways that part and meet again are two gradients, not two more backward passes."
)
def test_chain_of_partings(engine):
    """A chain whose ways part and meet again takes one visit for each value"""
    a = x = engine.Value(1.0)
    for _ in range(40):
        x = x * 0.25 + x * 0.75
    x.backward()
    assert a.grad == approx(1.0)  # each link is x · (¼ + ¾)


@pytest.mark.points(2)
@pytest.mark.hint(
    "One backward pass must give the gradients of all inputs. Nothing may be computed again for each of them."
)
def test_sum_of_products(engine, seed):
    """One backward pass gives the gradients of a great many inputs"""
    draw = Draw(seed, "sum of products")
    numbers = [(draw.fraction(), draw.fraction()) for _ in range(800)]
    pairs = [(engine.Value(x), engine.Value(y)) for x, y in numbers]
    balanced_sum([a * b for a, b in pairs]).backward()
    assert math.dist([a.grad for a, _ in pairs], [y for _, y in numbers]) < 1e-9  # ∂(ab)/∂a = b
    assert math.dist([b.grad for _, b in pairs], [x for x, _ in numbers]) < 1e-9  # ∂(ab)/∂b = a


@pytest.mark.points(2)
@pytest.mark.hint(
    "However long the way from the output to an input, the gradient goes all of it: no step may be left out."
)
def test_long_chain(engine, seed):
    """A long chain of operations passes the gradient on to its beginning"""
    draw = Draw(seed, "long chain")
    point = [draw.fraction(), draw.number(0.9, 0.99), draw.fraction()]

    def function(a, b, c):
        for _ in range(125):  # 250 operations in a row: few enough for every recursive engine
            a = a * b + c
        return a

    numbers, wanted = measured(engine, function, point), expected(function, point)
    assert agree(numbers, wanted), f"expected {wanted}, got {numbers}"


def balanced_sum(values):
    """Return the sum of both halves' sums: a graph no deeper than it must be."""
    if len(values) == 1:
        return values[0]
    middle = len(values) // 2
    return balanced_sum(values[:middle]) + balanced_sum(values[middle:])
