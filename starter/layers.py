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
    raise NotImplementedError("task 5.1")


def linear_backward(x: Array, w: Array, upstream: Array) -> tuple[Array, Array, Array]:  # task 5.1
    """Return the gradients of x, w and b, from that of the layer's result: `upstream`, of shape (n, outputs).

    Each example contributes to every weight and to the bias, which was copied to all rows: sum over the examples.
    """
    raise NotImplementedError("task 5.1")


def relu(x: Array) -> Array:  # task 5.2
    """Return max(0, x), entry by entry."""
    raise NotImplementedError("task 5.2")


def relu_gate(upstream: Array, x: Array) -> Array:  # task 5.2
    """Return the gradient of x from that of relu(x): it passes where x is above zero, and nowhere else."""
    raise NotImplementedError("task 5.2")


def open_gate(upstream: Array, x: Array) -> Array:  # given
    """Return `upstream` whatever x is: a wrong `relu_gate`, to see whether a gradient check notices."""
    return np.broadcast_to(upstream, x.shape)


def mean_squared_error(outputs: Array, targets: npt.NDArray[Any]) -> tuple[float, Array]:  # task 5.3
    """Return the mean of (output - target)² over all entries, and its gradient with respect to the outputs."""
    raise NotImplementedError("task 5.3")


def cross_entropy(scores: Array, labels: npt.NDArray[Any]) -> tuple[float, Array]:  # task 5.3
    """Return the mean of -log softmax(scores)[label] over the examples, and its gradient: (softmax - onehot) / n.

    `scores` has shape (n, classes); `labels` holds n integers from 0 on. Subtracting the largest score of a row from
    all its scores changes no probability, and keeps exp from overflowing.
    """
    raise NotImplementedError("task 5.3")


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
    raise NotImplementedError("task 5.4")


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
    raise NotImplementedError("task 5.5")
