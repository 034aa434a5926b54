"""Going further, part 4: networks made of Values, and how they are trained. Worth no points."""

import math
import random

import pytest
from pytest import approx

pytestmark = pytest.mark.unscored

XS = [[i / 6 - 1] for i in range(13)]  # 13 points from -1 to 1
SINE = [[math.sin(math.pi * x)] for (x,) in XS]


def numbers(values):
    return [value.data for value in values]


def gradients(values):
    return [value.grad for value in values]


def set_all(values, data):
    for value, number in zip(values, data, strict=True):
        value.data = number


@pytest.mark.task(id="4.1")
@pytest.mark.hint("Draw one weight for each input, then start the bias at 0.")
def test_new_neuron(nn):
    """A new neuron has a weight in [-1, 1] for each input, and the bias 0"""
    *weights, bias = numbers(nn.Neuron(5).parameters())
    assert len(set(weights)) == 5
    assert max(abs(weight) for weight in weights) <= 1.0
    assert bias == approx(0.0)


@pytest.mark.task(id="4.1")
@pytest.mark.hint("Start the sum with the bias, add w · x for each input, then apply the activation.")
@pytest.mark.parametrize(
    ("activation", "output"),
    [("linear", -0.4), ("tanh", math.tanh(-0.4)), ("relu", 0.0)],
    ids=["linear", "tanh", "relu"],
)
def test_output_of_a_neuron(nn, activation, output):
    """A neuron computes activation(w · x + b)"""
    neuron = nn.Neuron(2, activation)
    set_all(neuron.parameters(), [0.5, -0.75, 0.1])
    (y,) = neuron([2.0, 2.0])
    assert y.data == approx(output)  # 0.5 · 2 - 0.75 · 2 + 0.1 = -0.4


@pytest.mark.task(id="4.1")
@pytest.mark.hint("All that a neuron computes stays in the graph: mind not to use .data inside it.")
def test_gradients_of_a_tanh_neuron(nn):
    """The error ½ (tanh(w·x + b) - t)² of one neuron"""
    neuron = nn.Neuron(1, "tanh")
    w, b = neuron.parameters()
    w.data, b.data = 0.8, -0.3
    (y,) = neuron([1.5])
    ((y - 0.2) ** 2 * 0.5).backward()
    slope = (math.tanh(0.9) - 0.2) * (1 - math.tanh(0.9) ** 2)  # 0.8 · 1.5 - 0.3 = 0.9
    assert w.grad == approx(slope * 1.5)  # surprise times input
    assert b.grad == approx(slope)


@pytest.mark.task(id="4.1")
@pytest.mark.hint("A layer asks every neuron the same question, and answers with a list.")
def test_output_of_a_layer(nn):
    """A layer has one output for each of its neurons"""
    layer = nn.Layer(2, 3)
    set_all(layer.parameters(), [1.0, 0.0, 0.5, 0.0, 1.0, 0.0, -1.0, 1.0, 0.0])
    assert numbers(layer([3.0, 4.0])) == approx([3.5, 4.0, 1.0])  # w · x + b of each


@pytest.mark.task(id="4.1")
@pytest.mark.hint("Make one random.Random(seed), and draw all weights from it: neuron by neuron, layer by layer.")
def test_weights_of_a_new_network(nn):
    """The weights of an MLP are those that random.uniform draws, in order"""
    draw = random.Random(3)
    first = [draw.uniform(-1, 1), draw.uniform(-1, 1), 0.0, draw.uniform(-1, 1), draw.uniform(-1, 1), 0.0]
    second = [draw.uniform(-1, 1), draw.uniform(-1, 1), 0.0]
    assert numbers(nn.MLP([2, 2, 1], seed=3).parameters()) == approx(first + second)


@pytest.mark.task(id="4.1")
@pytest.mark.hint("tanh after every layer but the last.")
def test_output_of_a_network(nn):
    """The last layer of an MLP is linear, the others have the activation tanh"""
    model = nn.MLP([1, 1, 1], seed=0)
    set_all(model.parameters(), [2.0, -1.0, 3.0, 0.5])
    (y,) = model([1.5])
    assert y.data == approx(3 * math.tanh(2.0) + 0.5)


@pytest.mark.task(id="4.2")
@pytest.mark.hint("Collect the parameters of the parts: (inputs + 1) · outputs for each layer.")
def test_number_of_parameters(nn):
    """An MLP of 1, 16 and 1 has 49 parameters"""
    assert len(nn.MLP([1, 16, 1], seed=0).parameters()) == 49  # 16 · (1 + 1) + 1 · (16 + 1)


@pytest.mark.task(id="4.2")
@pytest.mark.hint("Gradients add up from one backward pass to the next, so each of them must be set to 0.")
def test_clearing_the_gradients(nn):
    """zero_grad clears every gradient"""
    model = nn.MLP([2, 2, 1], seed=1)
    (y,) = model([0.3, -0.8])
    y.backward()
    before = sum(abs(gradient) for gradient in gradients(model.parameters()))
    model.zero_grad()
    assert before > 0.1
    assert gradients(model.parameters()) == approx([0.0] * 9)


@pytest.mark.task(id="4.3")
@pytest.mark.hint("The sum over the outputs, the mean over the examples.")
def test_squared_error(nn):
    """The squared error of two examples with two outputs each"""
    layer = nn.Layer(1, 2)
    set_all(layer.parameters(), [1.0, 0.0, 2.0, 0.0])
    loss = nn.squared_error(layer, [[1.0], [3.0]], [[0.0, 2.0], [1.0, 5.0]])
    assert loss.data == approx(3.0)  # ((1 - 0)² + (2 - 2)² + (3 - 1)² + (6 - 5)²) / 2


@pytest.mark.task(id="4.3")
@pytest.mark.hint("Against the gradient: subtract rate · grad from .data.")
def test_a_step_down(engine, nn):
    """One step of gradient descent"""
    a = engine.Value(3.0)
    (a * a).backward()
    nn.descend([a], 0.1)
    assert a.data == approx(2.4)  # 3 - 0.1 · 6


@pytest.mark.task(id="4.3")
@pytest.mark.hint(
    "Clear the gradients, compute the loss, go backward, step: in this order, with a new graph each time."
)
def test_training_a_single_neuron(nn):
    """A single tanh neuron learns to separate two points"""
    neuron = nn.Neuron(2, "tanh")
    set_all(neuron.parameters(), [0.1, -0.2, 0.0])
    losses = nn.fit(neuron, [[1.0, 2.0], [2.0, -1.0]], [[0.9], [-0.9]], steps=200, rate=0.2)
    (left,), (right,) = neuron([1.0, 2.0]), neuron([2.0, -1.0])
    assert len(losses) == 200
    assert losses[-1] < 0.01 < losses[0]
    assert left.data == approx(0.9, abs=0.1)
    assert right.data == approx(-0.9, abs=0.1)


@pytest.mark.task(id="4.3")
@pytest.mark.hint(
    "If the first loss is right and the last is not, look at the training loop: are the gradients cleared?"
)
def test_fitting_a_sine(nn):
    """An MLP of 1, 16 and 1 fits sin(πx): the loss falls from 0.3347 to 0.0582 in 200 steps"""
    losses = nn.fit(nn.MLP([1, 16, 1], seed=0), XS, SINE, steps=201, rate=0.1)
    assert losses[0] == approx(0.3347, abs=5e-5)
    assert losses[200] == approx(0.05816, abs=5e-5)


@pytest.mark.task(id="4.4")
@pytest.mark.hint("Two parameters, w and b, that start at 0. Clear their gradients before every step.")
def test_fitting_a_line(nn):
    """Gradient descent finds the line y = 2x - 1 through five points"""
    xs = [-2.0, -1.0, 0.0, 1.0, 2.0]
    w, b = nn.fit_line(xs, [2 * x - 1 for x in xs], steps=200, rate=0.1)
    assert w == approx(2.0)
    assert b == approx(-1.0)


def full_batch(nn, model):
    model.zero_grad()
    nn.squared_error(model, XS, SINE).backward()
    return gradients(model.parameters())


@pytest.mark.task(id="4.5")
@pytest.mark.hint("The loss of a batch is a mean: weigh it by the batch's share of all examples.")
@pytest.mark.parametrize("sizes", [[1] * 13, [5, 8], [1, 2, 10]], ids=["one by one", "two", "very unequal"])
def test_small_batches_make_the_full_batch(nn, sizes):
    """The gradients of small batches add up to that of the full batch, also when they are unequal"""
    model = nn.MLP([1, 3, 1], seed=2)
    expected = full_batch(nn, model)
    ends = [sum(sizes[: i + 1]) for i in range(len(sizes))]
    batches = [(XS[end - size : end], SINE[end - size : end]) for end, size in zip(ends, sizes, strict=True)]
    nn.accumulate(model, batches)
    assert gradients(model.parameters()) == approx(expected)


@pytest.mark.task(id="4.6")
@pytest.mark.hint("Divide every gradient by the norm of them all, the root of the sum of their squares.")
def test_clipping_a_long_gradient(engine, nn):
    """A gradient longer than 1 is clipped to the norm 1, and keeps its direction"""
    a, b = engine.Value(30.0), engine.Value(-40.0)
    ((a * a + b * b) * 0.5).backward()
    before = nn.clip([a, b], 1.0)
    assert before == approx(50.0)
    assert [a.grad, b.grad] == approx([0.6, -0.8])


@pytest.mark.task(id="4.6")
@pytest.mark.hint("A gradient that is short enough stays as it is.")
def test_clipping_a_short_gradient(engine, nn):
    """A gradient shorter than the limit is left alone"""
    a, b = engine.Value(0.3), engine.Value(-0.4)
    ((a * a + b * b) * 0.5).backward()
    before = nn.clip([a, b], 1.0)
    assert before == approx(0.5)
    assert [a.grad, b.grad] == approx([0.3, -0.4])
