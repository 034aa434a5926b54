"""What an engine did before, and what stands beside the output, has no part in a gradient. Part 2 of the handout."""

from itertools import accumulate

import pytest
from oracle import Draw, agree, expected
from pytest import approx


def first_loss(a, b, c):
    return (a * b + c) * a


def second_loss(a, b, c):
    return b * (a * c + b)


def third_loss(a, b, c):
    return (a * a + b) * (c * b)


@pytest.mark.points(3)
@pytest.mark.task(id="2.2")
@pytest.mark.hint(
    "Each graph passes on its own gradients, and every input treats all graphs alike: the new gradient is added to the "
    "old one, or replaces it. Nothing that an earlier backward left behind may be passed on again."
)
def test_further_graphs(engine, seed):
    """Further graphs over the same inputs"""
    draw = Draw(seed, "further graphs")
    point = [draw.fraction(), draw.fraction(), draw.fraction()]
    inputs, losses, read = [engine.Value(x) for x in point], (first_loss, second_loss, third_loss), []
    for loss in losses:
        loss(*inputs).backward()
        read.append([x.grad for x in inputs])
    replaced = [expected(loss, point)[1:] for loss in losses]
    added = list(accumulate(replaced, lambda old, new: [a + b for a, b in zip(old, new, strict=True)]))
    right = any(all(map(agree, read, gradients)) for gradients in (added, replaced))
    assert right, f"expected {added} or {replaced}, got {read}"


@pytest.mark.points(2)
@pytest.mark.task(id="2.1")
@pytest.mark.hint(
    "Only what the output depends on has a part in its gradient: what else was computed from the same values may not "
    "be waited for, started from or passed on."
)
def test_values_beside_the_output(engine, seed):
    """Values that the output does not depend on"""
    x = Draw(seed, "values beside the output").fraction()
    a = engine.Value(x)
    doubled = a * 2
    output = doubled * doubled + a
    beside = [doubled * doubled, a + doubled, output * 3, engine.Value(1.0)]
    output.backward()
    assert a.grad == approx(8 * x + 1)  # d(4a² + a)/da
    assert len(beside) == 4  # none of them is forgotten before the backward pass
