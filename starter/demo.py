"""Trains a small network of `Value`s to compute exclusive or. Run it once your engine works: `python demo.py`."""

from __future__ import annotations

import random

from engine import Value

EXAMPLES = (((0, 0), -1), ((0, 1), 1), ((1, 0), 1), ((1, 1), -1))  # two inputs, and -1 for equal or 1 for different
HIDDEN = 4
STEPS = 150
RATE = 0.1

Neuron = list[Value]  # one weight for each input, then the bias


def new_neuron(inputs: int, generator: random.Random) -> Neuron:  # given
    """Return a neuron with random weights."""
    return [Value(generator.uniform(-1, 1)) for _ in range(inputs + 1)]


def output(neuron: Neuron, inputs: list[Value]) -> Value:  # given
    """Return tanh(w · x + b)."""
    *weights, bias = neuron
    return sum([w * x for w, x in zip(weights, inputs, strict=True)], bias).tanh()


def prediction(hidden: list[Neuron], last: Neuron, inputs: tuple[int, int]) -> Value:  # given
    """Return what the network answers, between -1 and 1."""
    leaves = [Value(x) for x in inputs]
    return output(last, [output(neuron, leaves) for neuron in hidden])


def loss_of(hidden: list[Neuron], last: Neuron) -> Value:  # given
    """Return the sum of squared errors over all examples."""
    return sum([(prediction(hidden, last, inputs) - target) ** 2 for inputs, target in EXAMPLES], Value(0))


def main() -> None:  # given
    """Train by gradient descent: a new graph at each step, and all gradients cleared before it."""
    generator = random.Random(7)
    hidden = [new_neuron(2, generator) for _ in range(HIDDEN)]
    last = new_neuron(HIDDEN, generator)
    parameters = [parameter for neuron in (*hidden, last) for parameter in neuron]
    for step in range(STEPS + 1):
        for parameter in parameters:
            parameter.grad = 0.0  # otherwise this step would add to the gradients of the last
        loss = loss_of(hidden, last)
        loss.backward()
        if step % 50 == 0:
            print(f"step {step:3}   loss {loss.data:.4f}")
        for parameter in parameters:
            parameter.data -= RATE * parameter.grad
    for inputs, target in EXAMPLES:
        print(f"{inputs}   answer {prediction(hidden, last, inputs).data:+.2f}   wanted {target:+}")


if __name__ == "__main__":
    main()
