"""Whole layers at once, in NumPy. Part 5 of the handout: going further, worth no points.

The rules are those of the scalar engine, collected into matrices. A batch of n examples is a matrix with one row for
each. The gradient of an array always has the shape of that array.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Array: TypeAlias = npt.NDArray[np.float64]
Loss: TypeAlias = Callable[[Array, npt.NDArray[Any]], tuple[float, Array]]
Gate: TypeAlias = Callable[[Array, Array], Array]


def linear(x: Array, w: Array, b: Array) -> Array:  # task 5.1
    """Return x · w + b, of shape (n, outputs), for x of shape (n, inputs), w (inputs, outputs) and b (outputs,)."""
    return x @ w + b


def linear_backward(x: Array, w: Array, upstream: Array) -> tuple[Array, Array, Array]:  # task 5.1
    """Return the gradients of x, w and b, from that of the layer's result: `upstream`, of shape (n, outputs).

    Each example contributes to every weight and to the bias, which was copied to all rows: sum over the examples.
    """
    return upstream @ w.T, x.T @ upstream, upstream.sum(axis=0)


def relu(x: Array) -> Array:  # task 5.2
    """Return max(0, x), entry by entry."""
    return np.maximum(0.0, x)


def relu_gate(upstream: Array, x: Array) -> Array:  # task 5.2
    """Return the gradient of x from that of relu(x): it passes where x is above zero, and nowhere else."""
    return upstream * (x > 0.0)


def open_gate(upstream: Array, x: Array) -> Array:  # given
    """Return `upstream` whatever x is: a wrong `relu_gate`, to see whether a gradient check notices."""
    return np.broadcast_to(upstream, x.shape)


def mean_squared_error(outputs: Array, targets: npt.NDArray[Any]) -> tuple[float, Array]:  # task 5.3
    """Return the mean of (output - target)² over all entries, and its gradient with respect to the outputs."""
    errors = outputs - targets
    return float((errors**2).mean()), 2.0 * errors / errors.size


def cross_entropy(scores: Array, labels: npt.NDArray[Any]) -> tuple[float, Array]:  # task 5.3
    """Return the mean of -log softmax(scores)[label] over the examples, and its gradient: (softmax - onehot) / n.

    `scores` has shape (n, classes); `labels` holds n integers from 0 on. Subtracting the largest score of a row from
    all its scores changes no probability, and keeps exp from overflowing.
    """
    rows = np.arange(len(scores))
    shifted = scores - scores.max(axis=1, keepdims=True)
    logarithms = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    gradient = np.exp(logarithms)
    gradient[rows, labels] -= 1.0
    return float(-logarithms[rows, labels].mean()), gradient / len(scores)


def two_layers(
    parameters: dict[str, Array],
    x: Array,
    y: npt.NDArray[Any],
    loss: Loss = cross_entropy,
    gate: Gate = relu_gate,
) -> tuple[float, dict[str, Array]]:  # task 5.4
    """Return the loss of the network linear, relu, linear, `loss` on the batch (x, y), and its gradients.

    `parameters` holds "W1", "b1", "W2" and "b2", and so does the dict of gradients. `gate` is what takes a gradient
    back through relu.
    """
    hidden = linear(x, parameters["W1"], parameters["b1"])
    active = relu(hidden)
    value, upstream = loss(linear(active, parameters["W2"], parameters["b2"]), y)
    upstream, w2, b2 = linear_backward(active, parameters["W2"], upstream)
    _, w1, b1 = linear_backward(x, parameters["W1"], gate(upstream, hidden))
    return value, {"W1": w1, "b1": b1, "W2": w2, "b2": b2}


def train(
    parameters: dict[str, Array],
    x: Array,
    y: npt.NDArray[Any],
    loss: Loss,
    steps: int,
    rate: float,
) -> tuple[dict[str, Array], list[float]]:  # task 5.5
    """Return the parameters of `two_layers` after `steps` steps of gradient descent, and the loss before each step.

    The arrays that are given stay as they are.
    """
    losses = []
    for _ in range(steps):
        value, gradients = two_layers(parameters, x, y, loss)
        losses.append(value)
        parameters = {name: array - rate * gradients[name] for name, array in parameters.items()}
    return parameters, losses
