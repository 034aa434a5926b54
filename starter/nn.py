"""Neural networks made of `Value`s, and how to train them. Part 4 of the handout: going further, worth no points.

Only the contract of the engine is used, so this file works with an engine in any style. An example is a list of
numbers, and so is its target; a model returns a list of `Value`s, one for each output, even a single one.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Sequence

from engine import Value

Examples = Sequence[Sequence[float]]


class Module:
    """Something that has parameters and can be trained."""

    def __call__(self, inputs: Sequence[Value | float]) -> list[Value]:  # given
        """Return the outputs for one example."""
        raise TypeError(f"a {type(self).__name__} does not say what to do with {len(inputs)} inputs")

    def parameters(self) -> list[Value]:  # given
        """Return every parameter, each once."""
        return []

    def zero_grad(self) -> None:  # task 4.2
        """Set the gradient of every parameter to zero."""
        raise NotImplementedError("task 4.2")


class Neuron(Module):
    """One output: activation(w · x + b)."""

    def __init__(
        self, inputs: int, activation: str = "linear", generator: random.Random | None = None
    ) -> None:  # task 4.1
        """Draw a weight between -1 and 1 for each of the `inputs`, in order; the bias starts at 0.

        `activation` is "linear", "tanh" or "relu". Without a `generator` the numbers come from `random.uniform`.
        """
        raise NotImplementedError("task 4.1")

    def __call__(self, inputs: Sequence[Value | float]) -> list[Value]:  # task 4.1
        """Return the neuron's output, in a list of one."""
        raise NotImplementedError("task 4.1")

    def parameters(self) -> list[Value]:  # task 4.2
        """Return the weights, then the bias."""
        raise NotImplementedError("task 4.2")


class Layer(Module):
    """Several neurons with the same inputs."""

    def __init__(
        self, inputs: int, outputs: int, activation: str = "linear", generator: random.Random | None = None
    ) -> None:  # task 4.1
        """Make `outputs` neurons, in order."""
        raise NotImplementedError("task 4.1")

    def __call__(self, inputs: Sequence[Value | float]) -> list[Value]:  # task 4.1
        """Return one output for each neuron."""
        raise NotImplementedError("task 4.1")

    def parameters(self) -> list[Value]:  # task 4.2
        """Return the parameters of the first neuron, then of the second, and so on."""
        raise NotImplementedError("task 4.2")


class MLP(Module):
    """Layers one after another: a multilayer perceptron."""

    def __init__(self, sizes: Sequence[int], seed: int = 0) -> None:  # task 4.1
        """Make a network with `sizes[0]` inputs and layers of `sizes[1]`, `sizes[2]` … outputs.

        Every layer has the activation tanh but the last, which is linear. All weights come, in order, from one
        `random.Random(seed)`: the numbers that `random.uniform` gives after `random.seed(seed)`.
        """
        raise NotImplementedError("task 4.1")

    def __call__(self, inputs: Sequence[Value | float]) -> list[Value]:  # task 4.1
        """Return the outputs of the last layer."""
        raise NotImplementedError("task 4.1")

    def parameters(self) -> list[Value]:  # task 4.2
        """Return the parameters of the first layer, then of the second, and so on."""
        raise NotImplementedError("task 4.2")


def squared_error(model: Module, inputs: Examples, targets: Examples) -> Value:  # task 4.3
    """Return the sum over all outputs of (output - target)², as the mean over the examples."""
    raise NotImplementedError("task 4.3")


def descend(parameters: Sequence[Value], rate: float) -> None:  # task 4.3
    """Move every parameter against its gradient, by `rate` times the gradient."""
    raise NotImplementedError("task 4.3")


def fit(model: Module, inputs: Examples, targets: Examples, steps: int, rate: float) -> list[float]:  # task 4.3
    """Train by gradient descent on the squared error; return the loss at each step, before the parameters move.

    Every step builds a new graph, and clears the gradients of the step before.
    """
    raise NotImplementedError("task 4.3")


def fit_line(xs: Sequence[float], ys: Sequence[float], steps: int, rate: float) -> tuple[float, float]:  # task 4.4
    """Return w and b of the line y = w · x + b that gradient descent from w = b = 0 finds for the points (x, y)."""
    raise NotImplementedError("task 4.4")


def accumulate(model: Module, batches: Sequence[tuple[Examples, Examples]]) -> None:  # task 4.5
    """Leave, in the gradients of the parameters, what one batch of all the examples would leave there.

    Each batch, a pair of inputs and targets, has a graph and a backward pass of its own. A batch counts by its share
    of the examples, since its own loss is a mean. The gradients are cleared once, before the first batch.
    """
    raise NotImplementedError("task 4.5")


def clip(parameters: Sequence[Value], limit: float) -> float:  # task 4.6
    """Shorten the gradient, taken as one vector, to the norm `limit` if it is longer; return its norm before.

    Its direction stays the same.
    """
    raise NotImplementedError("task 4.6")
