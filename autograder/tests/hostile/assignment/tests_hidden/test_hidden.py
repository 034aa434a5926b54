import math

import pytest
from inputs import inputs
from pytest import approx

pytestmark = [pytest.mark.points(10), pytest.mark.hint("Derive each operation by itself.")]


def test_product(engine, seed):
    left, right = inputs(seed)[:2]
    a, b = engine.Value(left), engine.Value(right)
    (a * b + a).backward()
    assert a.grad == approx(right + 1)
    assert b.grad == approx(left)


def test_tanh(engine, seed):
    number = inputs(seed)[2]
    x = engine.Value(number)
    y = x.tanh()
    y.backward()
    assert y.data == approx(math.tanh(number))
    assert x.grad == approx(1 - math.tanh(number) ** 2)


def test_exp(engine, seed):
    number = inputs(seed)[3]
    x = engine.Value(number)
    y = x.exp()
    y.backward()
    assert y.data == approx(math.exp(number))
    assert x.grad == approx(math.exp(number))
