"""Every operation by itself, value and gradient, at points where the answer is known by heart. Part 1."""

import math

import pytest
from pytest import approx

points = pytest.mark.points


@pytest.mark.points(0.75)
@pytest.mark.task(id="1.1")
@pytest.mark.hint("A sum grows as fast as each of its terms: both local derivatives are 1.")
def test_sum(engine):
    a, b = engine.Value(2.0), engine.Value(-3.0)
    y = a + b
    assert y.data == approx(-1.0)
    assert a.data == approx(2.0)  # a sum changes neither of its terms
    y.backward()
    assert a.grad == approx(1.0)  # ∂(a + b)/∂a = 1
    assert b.grad == approx(1.0)  # ∂(a + b)/∂b = 1


@pytest.mark.points(0.75)
@pytest.mark.task(id="1.1")
@pytest.mark.hint("The local derivative for each factor is the other factor.")
def test_product(engine):
    a, b = engine.Value(2.0), engine.Value(-3.0)
    y = a * b
    assert y.data == approx(-6.0)
    y.backward()
    assert a.grad == approx(-3.0)  # ∂(ab)/∂a = b
    assert b.grad == approx(2.0)  # ∂(ab)/∂b = a


@pytest.mark.points(0.5)
@pytest.mark.task(id="1.2")
@pytest.mark.hint("Minus a value is an operation too: its result must remember where it came from.")
def test_negation(engine):
    a = engine.Value(2.0)
    y = -a
    assert y.data == approx(-2.0)
    y.backward()
    assert a.grad == approx(-1.0)  # d(-a)/da = -1


@pytest.mark.points(0.75)
@pytest.mark.task(id="1.2")
@pytest.mark.hint("The more you subtract, the smaller the difference: the right operand's local derivative is -1.")
def test_difference(engine):
    a, b = engine.Value(2.0), engine.Value(5.0)
    y = a - b
    assert y.data == approx(-3.0)
    y.backward()
    assert a.grad == approx(1.0)  # ∂(a - b)/∂a = 1
    assert b.grad == approx(-1.0)  # ∂(a - b)/∂b = -1


@pytest.mark.points(0.75)
@pytest.mark.task(id="1.2")
@pytest.mark.hint("a / b is a · b⁻¹: derive it by a, then by b.")
def test_quotient(engine):
    a, b = engine.Value(3.0), engine.Value(4.0)
    y = a / b
    assert y.data == approx(0.75)
    y.backward()
    assert a.grad == approx(0.25)  # ∂(a/b)/∂a = 1/b
    assert b.grad == approx(-0.1875)  # ∂(a/b)/∂b = -a/b² = -3/16


@pytest.mark.points(0.5)
@pytest.mark.task(id="1.2")
@pytest.mark.hint("The derivative of aⁿ is n · aⁿ⁻¹, for every number n.")
@pytest.mark.parametrize(
    ("a", "n", "power", "slope"),
    [
        pytest.param(-2.0, 3, -8.0, 12.0, id="a ** 3 at -2"),  # 3a²
        pytest.param(3.0, 2.0, 9.0, 6.0, id="a ** 2.0 at 3"),  # 2a
        pytest.param(2.0, -1, 0.5, -0.25, id="a ** -1 at 2"),  # -a⁻²
        pytest.param(4.0, 0.5, 2.0, 0.25, id="a ** 0.5 at 4"),  # 1 / (2 √a)
    ],
)
def test_power(engine, a, n, power, slope):
    x = engine.Value(a)
    y = x**n
    assert y.data == approx(power)
    y.backward()
    assert x.grad == approx(slope)


@pytest.mark.task(id="1.2")
@pytest.mark.hint("When the right operand is a plain number, make it a Value first.")
@pytest.mark.parametrize(
    ("operation", "result", "slope"),
    [
        pytest.param(lambda x: x + 2, 6.0, 1.0, id="x + 2", marks=points(0.25)),
        pytest.param(lambda x: x - 2, 2.0, 1.0, id="x - 2", marks=points(0.25)),
        pytest.param(lambda x: x * 2, 8.0, 2.0, id="x * 2", marks=points(0.25)),
        pytest.param(lambda x: x / 2, 2.0, 0.5, id="x / 2", marks=points(1)),
    ],
)
def test_number_on_the_right_side(engine, operation, result, slope):
    x = engine.Value(4.0)
    y = operation(x)
    assert y.data == approx(result)
    y.backward()
    assert x.grad == approx(slope)


@pytest.mark.task(id="1.3")
@pytest.mark.hint("2 - x is x.__rsub__(2): the number is the left operand, so the order matters.")
@pytest.mark.parametrize(
    ("operation", "result", "slope"),
    [
        pytest.param(lambda x: 2 + x, 6.0, 1.0, id="2 + x", marks=points(0.25)),
        pytest.param(lambda x: 2 - x, -2.0, -1.0, id="2 - x", marks=points(0.75)),
        pytest.param(lambda x: 2 * x, 8.0, 2.0, id="2 * x", marks=points(0.25)),
        pytest.param(lambda x: 2 / x, 0.5, -0.125, id="2 / x", marks=points(0.5)),  # -2 / x² at 4
    ],
)
def test_number_on_the_left_side(engine, operation, result, slope):
    x = engine.Value(4.0)
    y = operation(x)
    assert y.data == approx(result)
    y.backward()
    assert x.grad == approx(slope)


@pytest.mark.points(1)
@pytest.mark.task(id="1.3")
@pytest.mark.hint("sum() starts with 0 + the first term: that is __radd__.")
def test_sum_of_a_list(engine):
    a, b = engine.Value(2.0), engine.Value(3.0)
    y = sum([a, b])
    assert y.data == approx(5.0)
    y.backward()
    assert a.grad == approx(1.0)
    assert b.grad == approx(1.0)


@pytest.mark.points(0.75)
@pytest.mark.task(id="1.4")
@pytest.mark.hint("The derivative of tanh is 1 - tanh².")
def test_tanh(engine):
    x = engine.Value(0.5)
    y = x.tanh()
    assert y.data == approx(math.tanh(0.5))
    y.backward()
    assert x.grad == approx(1 - math.tanh(0.5) ** 2)


@pytest.mark.points(0.75)
@pytest.mark.task(id="1.4")
@pytest.mark.hint("The derivative of eˣ is eˣ: the result of the operation, not its input.")
def test_exp(engine):
    x = engine.Value(1.0)
    y = x.exp()
    assert y.data == approx(math.e)
    y.backward()
    assert x.grad == approx(math.e)


@pytest.mark.points(0.5)
@pytest.mark.task(id="1.4")
@pytest.mark.hint("relu passes a positive input, with slope 1, and stops a negative one, with slope 0.")
@pytest.mark.parametrize(
    ("a", "result", "slope"),
    [
        pytest.param(2.0, 2.0, 1.0, id="at 2"),
        pytest.param(0.5, 0.5, 1.0, id="at 0.5"),
        pytest.param(-3.0, 0.0, 0.0, id="at -3"),
    ],
)
def test_relu(engine, a, result, slope):
    x = engine.Value(a)
    y = x.relu()
    assert y.data == approx(result)
    y.backward()
    assert x.grad == approx(slope)
    mirrored = engine.Value(-a)
    z = mirrored.relu()
    z.backward()
    assert z.data == approx(result - a)  # relu(-a) = relu(a) - a
    assert mirrored.grad == approx(1 - slope)  # what one side passes, the other stops


@pytest.mark.points(0.5)
@pytest.mark.task(id="1.4")
@pytest.mark.hint("At 0 relu has no derivative; the contract takes 0 there, as PyTorch does.")
def test_relu_at_zero(engine):
    x, above = engine.Value(0.0), engine.Value(0.1)
    y = x.relu()
    assert y.data == approx(0.0)
    y.backward()
    above.relu().backward()
    assert x.grad == approx(0.0)  # the slope jumps from 0 to 1
    assert above.grad == approx(1.0)
