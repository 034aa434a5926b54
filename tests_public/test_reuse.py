"""A value that is used more than once receives a gradient from every use. Part 2 of the handout."""

import pytest
from pytest import approx

pytestmark = pytest.mark.task(id="2.2")


@pytest.mark.points(5)
@pytest.mark.hint("A value used twice receives two gradients: add them.")
def test_reused_value_accumulates(engine):
    x = engine.Value(3.0)
    (x * x + x).backward()
    assert x.grad == approx(7.0)  # d/dx (x² + x) at 3
