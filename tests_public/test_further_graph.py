"""Going further, part 3: the life of a graph. What repeats, what ends, how deep it may be. Worth no points."""

import pytest
from pytest import approx

pytestmark = pytest.mark.unscored


@pytest.mark.task(id="3.5")
@pytest.mark.hint("Leaves add up from call to call, as in PyTorch; computed values start again from zero.")
def test_second_backward(engine):
    """A second backward on the graph of a·a + a at 3 adds 7 again

    An engine in which nothing starts again gives 20, one in which everything does gives 7.
    """
    a = engine.Value(3.0)
    y = a * a + a
    y.backward()
    first = a.grad
    y.backward()
    assert first == approx(7.0)  # 2a + 1
    assert a.grad == approx(14.0)  # 7 + 7


@pytest.mark.task(id="3.5")
@pytest.mark.hint("The derivative of a leaf by itself is 1, and a leaf adds up what it receives.")
def test_backward_on_a_leaf(engine):
    """A leaf is its own output: two passes add 1 twice"""
    a = engine.Value(3.0)
    a.backward()
    a.backward()
    assert a.grad == approx(2.0)  # da/da + da/da


@pytest.mark.task(id="3.5")
@pytest.mark.hint("Set .grad of the leaf to 0 between two passes, and the second starts afresh.")
def test_clearing_between_two_passes(engine):
    """A gradient that is cleared starts afresh"""
    w = engine.Value(2.0)
    (w * w * 3).backward()
    w.grad = 0.0
    (w * w * 3).backward()
    assert w.grad == approx(12.0)  # 6w


@pytest.mark.task(id="3.5")
@pytest.mark.hint("Two losses with a parameter in common: its gradient is the sum of both.")
def test_two_graphs_share_a_leaf(engine):
    """The gradients of two graphs add up in the leaf that they share"""
    w = engine.Value(2.0)
    (w * w * 3).backward()
    (w * w * 3).backward()
    assert w.grad == approx(24.0)  # 12 + 12


@pytest.mark.task(id="3.4")
@pytest.mark.hint("A detached value is a leaf: it has the number and no parents.")
def test_detach(engine):
    """In a · detach(a) the second factor is a constant"""
    x = engine.Value(3.0)
    y = x * x.detach()
    y.backward()
    assert y.data == approx(9.0)
    assert x.grad == approx(3.0)  # x, where x · x gives 2x = 6


@pytest.mark.task(id="3.4")
@pytest.mark.hint("Nothing that was computed before detach receives a gradient through it.")
def test_detach_cuts_what_came_before(engine):
    """detach(a · a) · a"""
    a = engine.Value(3.0)
    ((a * a).detach() * a).backward()
    assert a.grad == approx(9.0)  # only the last factor counts


@pytest.mark.task(id="3.4")
@pytest.mark.hint("Inside the block a result keeps its number and forgets its operands.")
def test_no_grad_records_nothing(engine):
    """What is computed inside no_grad passes no gradient on"""
    a = engine.Value(3.0)
    with engine.no_grad():
        y = a * a
    (y * 2).backward()
    assert y.data == approx(9.0)
    assert a.grad == approx(0.0)


@pytest.mark.task(id="3.4")
@pytest.mark.hint("Leaving an inner block must not end the outer one: count them.")
def test_recording_goes_on_after_no_grad(engine):
    """no_grad ends with its block, and an inner block does not end the outer one"""
    a = engine.Value(3.0)
    with engine.no_grad():
        with engine.no_grad():
            pass
        (a * a).backward()
    inside = a.grad
    (a * a).backward()
    assert inside == approx(0.0)
    assert a.grad == approx(6.0)


@pytest.mark.task(id="3.6")
@pytest.mark.hint("Every value waits until all of its consumers have added their share.")
def test_order_of_shared_values(engine):
    """Shared values in three small graphs"""
    a, b, c = engine.Value(2.0), engine.Value(2.0), engine.Value(2.0)
    p = a * a
    (p * p + p).backward()
    q = b + b
    (q + q).backward()
    r = c * 2
    s = r + 1
    t = s * s
    (t * r + r * s).backward()
    assert a.grad == approx(36.0)  # 4a³ + 2a
    assert b.grad == approx(4.0)
    assert c.grad == approx(148.0)  # (2c + 1)² · 2c + 2c · (2c + 1) is 8c³ + 12c² + 4c, so 24c² + 24c + 4


@pytest.mark.task(id="3.6")
@pytest.mark.after("test_order_of_shared_values")
@pytest.mark.hint("Recursion ends near 1,000 calls. A list that serves as a stack has no such limit.")
def test_deep_graph(engine):
    """A graph of 5,000 operations in a row"""
    a = engine.Value(1.0)
    y = a
    for _ in range(5_000):
        y = y + 1.0
    y.backward()
    assert y.data == approx(5_001.0)
    assert a.grad == approx(1.0)
