"""A value that is used more than once receives a gradient from every use. Part 2 of the handout."""

import pytest
from pytest import approx

pytestmark = pytest.mark.task(id="2.2")


@pytest.mark.points(4)
@pytest.mark.hint("A value used twice receives two gradients: add them.")
def test_reused_value_accumulates(engine):
    x = engine.Value(3.0)
    (x * x + x).backward()
    assert x.grad == approx(7.0)  # d/dx (x² + x) at 3


@pytest.mark.points(1.5)
@pytest.mark.hint("Both operands are the same value: it receives a gradient from each side.")
def test_value_plus_itself(engine):
    x = engine.Value(3.0)
    (x + x).backward()
    assert x.grad == approx(2.0)  # d/dx 2x


@pytest.mark.points(1.5)
@pytest.mark.task(id="2.1")
@pytest.mark.hint(
    "b is used twice: its gradient may be passed on only when both uses have added their share, and only once."
)
def test_sum_of_sums(engine):
    a = engine.Value(3.0)
    b = a + a
    (b + b).backward()
    assert a.grad == approx(4.0)  # b + b = 4a


@pytest.mark.points(1.5)
@pytest.mark.task(id="2.1")
@pytest.mark.after("test_reused_value_accumulates")
@pytest.mark.hint("b is used three times: its gradient may be passed on only when all uses have added their share.")
def test_square_of_a_square(engine):
    a = engine.Value(2.0)
    b = a * a
    (b * b + b).backward()
    assert a.grad == approx(36.0)  # b² + b = a⁴ + a², so 4a³ + 2a at 2


@pytest.mark.points(1.5)
@pytest.mark.task(id="2.1")
@pytest.mark.after("test_reused_value_accumulates")
@pytest.mark.hint(
    "Sort the graph: b is ready only after c, d and both products, although it is used by the last of them."
)
def test_value_used_at_two_depths(engine):
    a = engine.Value(1.0)
    b = a * 2
    c = b + 1
    d = c * c
    (d * b + b * c).backward()
    assert a.grad == approx(52.0)  # b³ + 3b² + 2b with b = 2a, so 2 (3b² + 6b + 2) at b = 2
