"""Derivatives of derivatives: a backward pass that builds a graph. Part 7: going further, worth no points.

In engine.py a gradient is a plain number, which cannot be differentiated again. Here a partial is a `Value` too, and so
is every gradient: a backward pass is one more computation that can be differentiated. This file needs no engine.py.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence

births = itertools.count()  # a value is younger than all that it was computed from


class Value:
    """A number that remembers how it was computed, and how to compute its derivatives as `Value`s."""

    __slots__ = ("born", "data", "parents", "partials")

    def __init__(
        self, data: float, parents: tuple[Value, ...] = (), partials: tuple[Callable[[], Value], ...] = ()
    ) -> None:  # given
        """Hold `data`, computed from `parents`. Each of the `partials`, when called, returns one local derivative.

        They are called only by `grad`: computed at once, the derivative of a power would need the derivative of the
        power below it, and so on without end.
        """
        self.data = float(data)
        self.parents = parents
        self.partials = partials
        self.born = next(births)

    def __repr__(self) -> str:  # given
        """Return what an interactive session shows: `Value(data=3.0)`."""
        return f"Value(data={self.data})"

    def __add__(self, other: Value | float) -> Value:  # task 7.1
        """Return a + b."""
        a, b = self, other if isinstance(other, Value) else Value(other)
        return Value(a.data + b.data, (a, b), (lambda: Value(1.0), lambda: Value(1.0)))

    def __mul__(self, other: Value | float) -> Value:  # task 7.1
        """Return a · b."""
        a, b = self, other if isinstance(other, Value) else Value(other)
        return Value(a.data * b.data, (a, b), (lambda: b, lambda: a))  # ∂(a · b)/∂a is b itself, not its number

    def __pow__(self, n: float) -> Value:  # task 7.1
        """Return aⁿ, where n is a plain number."""
        a = self
        return Value(a.data**n, (a,), (lambda: a ** (n - 1) * n if n else Value(0.0),))  # n · aⁿ⁻¹, and a⁰ is constant

    def tanh(self) -> Value:  # task 7.1
        """Return the hyperbolic tangent of a."""
        out = Value(math.tanh(self.data), (self,), (lambda: 1.0 - out * out,))
        return out

    def exp(self) -> Value:  # task 7.1
        """Return e to the power of a."""
        out = Value(math.exp(self.data), (self,), (lambda: out,))
        return out

    def __neg__(self) -> Value:  # given
        """Return -a."""
        return self * -1.0

    def __sub__(self, other: Value | float) -> Value:  # given
        """Return a - b."""
        return self + other * -1.0

    def __truediv__(self, other: Value | float) -> Value:  # given
        """Return a / b."""
        return self * other**-1.0

    def __radd__(self, other: float) -> Value:  # given
        """Return other + a."""
        return self + other

    def __rmul__(self, other: float) -> Value:  # given
        """Return other · a."""
        return self * other

    def __rsub__(self, other: float) -> Value:  # given
        """Return other - a."""
        return self * -1.0 + other

    def __rtruediv__(self, other: float) -> Value:  # given
        """Return other / a."""
        return self**-1.0 * other


def youngest_first(output: Value) -> list[Value]:  # given
    """Return `output` and every value that it depends on, each before its parents."""
    found = {output}
    stack = [output]
    while stack:
        new = set(stack.pop().parents) - found
        found |= new
        stack.extend(new)
    return sorted(found, key=lambda value: -value.born)


def grad(output: Value, inputs: Sequence[Value]) -> list[Value]:  # task 7.2
    """Return the derivative of `output` with respect to each of the `inputs`, as values with a graph of their own.

    Nothing is stored on the values, so the same graph can be differentiated any number of times.
    """
    gradients = {output: Value(1.0)}  # d(output)/d(output)
    for value in youngest_first(output):
        if value not in gradients:
            continue
        for parent, partial in zip(value.parents, value.partials, strict=True):
            share = gradients[value] * partial()  # the chain rule, computed with values
            gradients[parent] = gradients[parent] + share if parent in gradients else share
    return [gradients.get(value, Value(0.0)) for value in inputs]


def hessian(output: Value, inputs: Sequence[Value]) -> list[list[float]]:  # task 7.3
    """Return the matrix of second derivatives, row by row: one more backward pass for each of the `inputs`."""
    return [[entry.data for entry in grad(slope, inputs)] for slope in grad(output, inputs)]


def hessian_vector_product(output: Value, inputs: Sequence[Value], vector: Sequence[float]) -> list[float]:  # task 7.4
    """Return the Hessian times `vector` from two backward passes, without ever forming the Hessian.

    It is the gradient of the number ∇output · vector, in which the vector is a constant.
    """
    along = sum((slope * v for slope, v in zip(grad(output, inputs), vector, strict=True)), Value(0.0))
    return [entry.data for entry in grad(along, inputs)]


def meta_gradient(start: float, inner: float, outer: float, rate: float, *, first_order: bool) -> float:  # task 7.5
    """Return how the loss after one step of gradient descent depends on where that step started.

    From θ = `start`, one step of length `rate` on the inner loss ½ (θ - `inner`)² leads to θ′; the outer loss is
    ½ (θ′ - `outer`)². The whole derivative, as in MAML, is d outer / dθ, through the step and the gradient inside it;
    with `first_order`, as in FOMAML, it is d outer / dθ′.
    """
    theta = Value(start)
    (slope,) = grad((theta - inner) ** 2 * 0.5, [theta])
    moved = theta - slope * rate
    (result,) = grad((moved - outer) ** 2 * 0.5, [moved if first_order else theta])
    return result.data
