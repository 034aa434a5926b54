"""Going further, part 5: whole layers in NumPy. Worth no points."""

import importlib

import pytest
from pytest import approx

pytestmark = pytest.mark.unscored


@pytest.fixture
def np(layers):
    """Return NumPy, imported only when a test of arrays runs."""
    return importlib.import_module("numpy")


def small(np):
    """Return a batch of three examples, weights for two outputs, a bias and a gradient of the outputs."""
    draw = np.random.default_rng(5)
    return draw.normal(size=(3, 4)), draw.normal(size=(4, 2)), draw.normal(size=2), draw.normal(size=(3, 2))


def classifier(np):
    """Return parameters, inputs and labels: 8 examples, 3 features, 4 hidden units, 2 classes."""
    draw = np.random.RandomState(0)
    x, y = draw.randn(8, 3), draw.randint(0, 2, size=8)
    w1, w2 = 0.5 * draw.randn(3, 4), 0.5 * draw.randn(4, 2)
    return {"W1": w1, "b1": np.zeros(4), "W2": w2, "b2": np.zeros(2)}, x, y


def regression(np):
    """Return parameters, inputs and targets: 16 examples, 4 features, 8 hidden units, 1 output."""
    draw = np.random.default_rng(0)
    x, y = draw.standard_normal((16, 4)), draw.standard_normal((16, 1))
    w1, w2 = draw.standard_normal((4, 8)) * 0.5, draw.standard_normal((8, 1)) * 0.5
    return {"W1": w1, "b1": np.zeros(8), "W2": w2, "b2": np.zeros(1)}, x, y


@pytest.mark.task(id="5.1")
@pytest.mark.hint("x @ w has a row for each example; the bias is added to every row.")
def test_linear_layer(np, layers):
    """z = x · w + b"""
    z = layers.linear(np.array([[1.0, 2.0]]), np.array([[3.0], [4.0]]), np.array([0.5]))
    assert z == approx(np.array([[11.5]]))  # 1 · 3 + 2 · 4 + 0.5


@pytest.mark.task(id="5.1")
@pytest.mark.hint("Entry (i, j) sums x[n, i] · upstream[n, j] over the examples n: that is a matrix product.")
def test_gradient_of_the_weights(np, layers):
    x, w, _, upstream = small(np)
    _, gradient, _ = layers.linear_backward(x, w, upstream)
    expected = sum(np.outer(example, row) for example, row in zip(x, upstream, strict=True))  # input times surprise
    assert gradient.shape == w.shape
    assert gradient == approx(expected)


@pytest.mark.task(id="5.1")
@pytest.mark.hint("Each input reaches every output through one row of w: go back along it.")
def test_gradient_of_the_inputs(np, layers):
    x, w, _, upstream = small(np)
    gradient, _, _ = layers.linear_backward(x, w, upstream)
    expected = np.array([[sum(row * weights) for weights in w] for row in upstream])
    assert gradient.shape == x.shape
    assert gradient == approx(expected)


@pytest.mark.task(id="5.1")
@pytest.mark.hint("Copied to every row on the way forward, summed over the rows on the way back.")
def test_gradient_of_the_bias(np, layers):
    x, w, b, upstream = small(np)
    _, _, gradient = layers.linear_backward(x, w, upstream)
    assert gradient.shape == b.shape
    assert gradient == approx(upstream[0] + upstream[1] + upstream[2])


@pytest.mark.task(id="5.2")
@pytest.mark.hint("The gate is open where the input of relu was above zero, and closed at zero and below.")
def test_gate_of_relu(np, layers):
    """The gradient passes relu where its input is above zero"""
    x = np.array([[-2.0, 0.0, 3.0]])
    assert layers.relu(x) == approx(np.array([[0.0, 0.0, 3.0]]))
    assert layers.relu_gate(np.array([[5.0, 6.0, 7.0]]), x) == approx(np.array([[0.0, 0.0, 7.0]]))


@pytest.mark.task(id="5.3")
@pytest.mark.hint("The mean divides by the number of entries: exactly once in the loss, exactly once in the gradient.")
def test_mean_squared_error(np, layers):
    loss, gradient = layers.mean_squared_error(np.array([[1.0], [4.0]]), np.array([[3.0], [3.0]]))
    assert loss == approx(2.5)  # (4 + 1) / 2
    assert gradient == approx(np.array([[-2.0], [1.0]]))  # 2 (output - target) / 2


@pytest.mark.task(id="5.3")
@pytest.mark.hint("softmax minus onehot, divided by the number of examples.")
def test_cross_entropy(np, layers):
    """Cross-entropy: the gradient is softmax - onehot"""
    loss, gradient = layers.cross_entropy(np.log(np.array([[1.0, 3.0], [2.0, 2.0]])), np.array([1, 0]))
    assert loss == approx((np.log(4 / 3) + np.log(2)) / 2)  # probabilities 3/4 and 1/2
    assert gradient == approx(np.array([[0.25, -0.25], [-0.5, 0.5]]) / 2)


@pytest.mark.task(id="5.3")
@pytest.mark.hint("Subtract the largest score of each row before exp: the probabilities stay the same.")
def test_cross_entropy_of_large_scores(np, layers):
    """Large scores do not overflow"""
    loss, gradient = layers.cross_entropy(np.array([[1000.0, 1001.0]]), np.array([0]))
    assert loss == approx(np.log(1 + np.e))
    assert gradient == approx(np.array([[-1.0, 1.0]]) * np.e / (1 + np.e))


@pytest.mark.task(id="5.4")
@pytest.mark.hint("linear, relu, linear, loss; and back in reverse order, with the gate between the two layers.")
def test_two_layer_classifier(np, layers):
    """The two-layer classifier has the loss 1.0065, and gradients of the right shapes"""
    parameters, x, y = classifier(np)
    loss, gradients = layers.two_layers(parameters, x, y)
    assert loss == approx(1.0065, abs=5e-5)
    assert {name: array.shape for name, array in gradients.items()} == {
        "W1": (3, 4),
        "b1": (4,),
        "W2": (4, 2),
        "b2": (2,),
    }


@pytest.mark.task(id="5.4")
@pytest.mark.hint("The loss is an argument: use the one that is given.")
def test_two_layer_regression(np, layers):
    """The same network with the mean squared error has the loss 1.5287"""
    parameters, x, y = regression(np)
    loss, _ = layers.two_layers(parameters, x, y, layers.mean_squared_error)
    assert loss == approx(1.5287, abs=5e-5)


@pytest.mark.task(id="5.4")
@pytest.mark.hint("Compare with the slope: nudge one weight to both sides and see how the loss changes.")
@pytest.mark.parametrize(
    ("name", "index"), [("W1", (1, 2)), ("b1", (1,)), ("W2", (3, 0)), ("b2", (1,))], ids=["W1", "b1", "W2", "b2"]
)
def test_gradient_is_the_slope(np, layers, name, index):
    """Each gradient of the classifier agrees with a central difference"""
    parameters, x, y = classifier(np)
    _, gradients = layers.two_layers(parameters, x, y)
    parameters[name][index] += 1e-5
    above, _ = layers.two_layers(parameters, x, y)
    parameters[name][index] -= 2e-5
    below, _ = layers.two_layers(parameters, x, y)
    assert gradients[name][index] == approx((above - below) / 2e-5, rel=1e-6)


@pytest.mark.task(id="5.5")
@pytest.mark.hint("Keep each loss before the parameters move; move all of them by the same gradients.")
def test_training(np, layers):
    """500 steps bring the loss from 1.5287 to 0.073931"""
    parameters, x, y = regression(np)
    trained, losses = layers.train(parameters, x, y, layers.mean_squared_error, steps=500, rate=0.05)
    after, _ = layers.two_layers(trained, x, y, layers.mean_squared_error)
    assert len(losses) == 500
    assert losses[0] == approx(1.5287, abs=5e-5)
    assert losses[-1] == approx(0.073931, abs=5e-7)
    assert after < losses[-1]
