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
        for parameter in self.parameters():
            parameter.grad = 0.0


class Neuron(Module):
    """One output: activation(w · x + b)."""

    def __init__(
        self, inputs: int, activation: str = "linear", generator: random.Random | None = None
    ) -> None:  # task 4.1
        """Draw a weight between -1 and 1 for each of the `inputs`, in order; the bias starts at 0.

        `activation` is "linear", "tanh" or "relu". Without a `generator` the numbers come from `random.uniform`.
        """
        uniform = (generator or random).uniform
        self.weights = [Value(uniform(-1, 1)) for _ in range(inputs)]
        self.bias = Value(0.0)
        self.activation = activation

    def __call__(self, inputs: Sequence[Value | float]) -> list[Value]:  # task 4.1
        """Return the neuron's output, in a list of one."""
        total = sum((w * x for w, x in zip(self.weights, inputs, strict=True)), self.bias)
        if self.activation == "tanh":
            return [total.tanh()]
        return [total.relu() if self.activation == "relu" else total]

    def parameters(self) -> list[Value]:  # task 4.2
        """Return the weights, then the bias."""
        return [*self.weights, self.bias]


class Layer(Module):
    """Several neurons with the same inputs."""

    def __init__(
        self, inputs: int, outputs: int, activation: str = "linear", generator: random.Random | None = None
    ) -> None:  # task 4.1
        """Make `outputs` neurons, in order."""
        self.neurons = [Neuron(inputs, activation, generator) for _ in range(outputs)]

    def __call__(self, inputs: Sequence[Value | float]) -> list[Value]:  # task 4.1
        """Return one output for each neuron."""
        return [output for neuron in self.neurons for output in neuron(inputs)]

    def parameters(self) -> list[Value]:  # task 4.2
        """Return the parameters of the first neuron, then of the second, and so on."""
        return [parameter for neuron in self.neurons for parameter in neuron.parameters()]


class MLP(Module):
    """Layers one after another: a multilayer perceptron."""

    def __init__(self, sizes: Sequence[int], seed: int = 0) -> None:  # task 4.1
        """Make a network with `sizes[0]` inputs and layers of `sizes[1]`, `sizes[2]` … outputs.

        Every layer has the activation tanh but the last, which is linear. All weights come, in order, from one
        `random.Random(seed)`: the numbers that `random.uniform` gives after `random.seed(seed)`.
        """
        generator = random.Random(seed)
        last = len(sizes) - 2
        self.layers = [
            Layer(inputs, outputs, "linear" if position == last else "tanh", generator)
            for position, (inputs, outputs) in enumerate(itertools.pairwise(sizes))
        ]

    def __call__(self, inputs: Sequence[Value | float]) -> list[Value]:  # task 4.1
        """Return the outputs of the last layer."""
        *hidden, last = self.layers
        for layer in hidden:
            inputs = layer(inputs)
        return last(inputs)

    def parameters(self) -> list[Value]:  # task 4.2
        """Return the parameters of the first layer, then of the second, and so on."""
        return [parameter for layer in self.layers for parameter in layer.parameters()]


def squared_error(model: Module, inputs: Examples, targets: Examples) -> Value:  # task 4.3
    """Return the sum over all outputs of (output - target)², as the mean over the examples."""
    total = Value(0.0)
    for example, target in zip(inputs, targets, strict=True):
        for output, wanted in zip(model(example), target, strict=True):
            total = total + (output - wanted) ** 2
    return total * (1.0 / len(inputs))


def descend(parameters: Sequence[Value], rate: float) -> None:  # task 4.3
    """Move every parameter against its gradient, by `rate` times the gradient."""
    for parameter in parameters:
        parameter.data -= rate * parameter.grad


def fit(model: Module, inputs: Examples, targets: Examples, steps: int, rate: float) -> list[float]:  # task 4.3
    """Train by gradient descent on the squared error; return the loss at each step, before the parameters move.

    Every step builds a new graph, and clears the gradients of the step before.
    """
    losses = []
    for _ in range(steps):
        model.zero_grad()
        loss = squared_error(model, inputs, targets)
        loss.backward()
        descend(model.parameters(), rate)
        losses.append(loss.data)
    return losses


def fit_line(xs: Sequence[float], ys: Sequence[float], steps: int, rate: float) -> tuple[float, float]:  # task 4.4
    """Return w and b of the line y = w · x + b that gradient descent from w = b = 0 finds for the points (x, y)."""
    w, b = Value(0.0), Value(0.0)
    for _ in range(steps):
        w.grad = b.grad = 0.0
        loss = sum(((w * x + b - y) ** 2 for x, y in zip(xs, ys, strict=True)), Value(0.0)) * (1.0 / len(xs))
        loss.backward()
        descend([w, b], rate)
    return w.data, b.data


def accumulate(model: Module, batches: Sequence[tuple[Examples, Examples]]) -> None:  # task 4.5
    """Leave, in the gradients of the parameters, what one batch of all the examples would leave there.

    Each batch, a pair of inputs and targets, has a graph and a backward pass of its own. A batch counts by its share
    of the examples, since its own loss is a mean. The gradients are cleared once, before the first batch.
    """
    model.zero_grad()
    examples = sum(len(inputs) for inputs, _ in batches)
    for inputs, targets in batches:
        (squared_error(model, inputs, targets) * (len(inputs) / examples)).backward()


def clip(parameters: Sequence[Value], limit: float) -> float:  # task 4.6
    """Shorten the gradient, taken as one vector, to the norm `limit` if it is longer; return its norm before.

    Its direction stays the same.
    """
    norm = math.sqrt(sum(parameter.grad**2 for parameter in parameters))
    if norm > limit:
        for parameter in parameters:
            parameter.grad *= limit / norm
    return norm
