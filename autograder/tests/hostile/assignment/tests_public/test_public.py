import math

import pytest
from pytest import approx

pytestmark = pytest.mark.points(10)


def test_sum(engine):
    a, b = engine.Value(2.0), engine.Value(0.5)
    c = a + b
    c.backward()
    assert c.data == approx(2.5)
    assert a.grad == approx(1.0)


def test_reuse(engine):
    x = engine.Value(3.0)
    (x * x + x).backward()
    assert x.grad == approx(7.0)  # d/dx (x² + x) at 3


def test_tanh(engine):
    x = engine.Value(0.5)
    y = x.tanh()
    y.backward()
    assert y.data == approx(math.tanh(0.5))
    assert x.grad == approx(1 - math.tanh(0.5) ** 2)
