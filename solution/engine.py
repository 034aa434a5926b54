"""A scalar automatic differentiation engine in reverse mode.

Every operation on a `Value` returns a new `Value` that remembers two things: its parents (the values it was computed
from) and its partials (how fast it changes when each parent changes). `backward()` then walks this graph once, from the
output to the leaves, and by the chain rule gives every leaf the derivative of the output with respect to it.
"""

from __future__ import annotations

import math


class Value:
    """A number that remembers how it was computed."""

    # Nothing else can be stored on a Value, which saves half of its memory. Need another attribute? Add its name.
    __slots__ = ("data", "grad", "parents", "partials")

    def __init__(self, data: float, parents: tuple[Value, ...] = (), partials: tuple[float, ...] = ()) -> None:  # given
        """Hold `data`, computed from `parents` with the local derivatives `partials`, one for each parent.

        A leaf, such as an input or a parameter, has no parents: `Value(3.0)`.
        """
        self.data = float(data)
        self.grad = 0.0
        self.parents = parents
        self.partials = partials

    def __repr__(self) -> str:  # given
        """Return what an interactive session shows: `Value(data=3.0, grad=0.0)`."""
        return f"Value(data={self.data}, grad={self.grad})"

    # Part 1. Operators. Each computes its result and, beside it, the local derivatives; none touches a gradient.

    def __add__(self, other: Value | float) -> Value:  # task 1.1
        """Return a + b."""
        a, b = self, other if isinstance(other, Value) else Value(other)
        return Value(a.data + b.data, (a, b), (1.0, 1.0))  # ∂(a + b)/∂a = 1, ∂(a + b)/∂b = 1

    def __mul__(self, other: Value | float) -> Value:  # task 1.1
        """Return a · b."""
        a, b = self, other if isinstance(other, Value) else Value(other)
        return Value(a.data * b.data, (a, b), (b.data, a.data))  # ∂(a · b)/∂a = b, ∂(a · b)/∂b = a

    def __neg__(self) -> Value:  # task 1.2
        """Return -a."""
        return Value(-self.data, (self,), (-1.0,))  # d(-a)/da = -1

    def __sub__(self, other: Value | float) -> Value:  # task 1.2
        """Return a - b."""
        a, b = self, other if isinstance(other, Value) else Value(other)
        return Value(a.data - b.data, (a, b), (1.0, -1.0))  # ∂(a - b)/∂a = 1, ∂(a - b)/∂b = -1

    def __truediv__(self, other: Value | float) -> Value:  # task 1.2
        """Return a / b."""
        a, b = self, other if isinstance(other, Value) else Value(other)
        quotient = a.data / b.data
        return Value(quotient, (a, b), (1.0 / b.data, -quotient / b.data))  # ∂(a/b)/∂a = 1/b, ∂(a/b)/∂b = -a/b²

    def __pow__(self, n: float) -> Value:  # task 1.2
        """Return aⁿ, where n is a plain number: it is a constant and receives no gradient."""
        if not isinstance(n, (int, float)):
            return NotImplemented  # Python then raises a TypeError that names both operands
        slope = n * self.data ** (n - 1) if n else 0.0  # d(aⁿ)/da = n · aⁿ⁻¹, and a⁰ is constant, at a = 0 too
        return Value(self.data**n, (self,), (slope,))

    # Python calls these when the left operand is a plain number: 2 - a becomes a.__rsub__(2).

    def __radd__(self, other: float) -> Value:  # task 1.3
        """Return other + a. `sum([a, b])` needs this too: it starts with 0 + a."""
        return self + other

    def __rmul__(self, other: float) -> Value:  # task 1.3
        """Return other · a."""
        return self * other

    def __rsub__(self, other: float) -> Value:  # task 1.3
        """Return other - a: the order matters."""
        return Value(other) - self

    def __rtruediv__(self, other: float) -> Value:  # task 1.3
        """Return other / a: the order matters."""
        return Value(other) / self

    def tanh(self) -> Value:  # task 1.4
        """Return the hyperbolic tangent of a."""
        t = math.tanh(self.data)
        return Value(t, (self,), (1.0 - t * t,))  # d tanh(a)/da = 1 - tanh²(a)

    def exp(self) -> Value:  # task 1.4
        """Return e to the power of a."""
        e = math.exp(self.data)
        return Value(e, (self,), (e,))  # d eᵃ/da = eᵃ

    def relu(self) -> Value:  # task 1.4
        """Return max(0, a). At the kink, a = 0, the derivative is 0 by convention."""
        active = self.data > 0.0
        return Value(self.data if active else 0.0, (self,), (1.0 if active else 0.0,))

    # Part 2. The backward pass.

    def backward(self) -> None:  # task 2.2
        """Add the derivative of this value, with respect to every leaf it depends on, to that leaf's `grad`.

        Leaves accumulate from call to call. Computed values start again from zero, so a second call adds the same
        derivatives once more.
        """
        order = topological_order(self)
        for node in order:
            node.grad = 0.0
        self.grad += 1.0  # d(self)/d(self)
        for node in reversed(order):  # every use of a node comes before it, so its gradient is complete
            grad = node.grad
            for parent, partial in zip(node.parents, node.partials):  # noqa: B905 - strict would cost a tenth of the sweep
                parent.grad += partial * grad  # the chain rule; added, because a parent may be used more than once


def topological_order(output: Value) -> list[Value]:  # task 2.1
    """Return every computed value that `output` depends on, itself included: each once, and after its parents.

    Leaves have nothing to pass on and are left out. A stack takes the place of recursion, so that a graph may be deeper
    than Python's recursion limit; and the order depends on the graph alone, so that a run can be repeated exactly.
    """
    order: list[Value] = []
    seen: set[Value] = set()
    waiting: list[Value] = []  # values that were reached, but whose parents are not all in the order yet
    stack: list[Value | None] = [output]
    while stack:
        node = stack.pop()
        if node is None:  # all that lay above this mark is done: the parents of the last waiting value
            order.append(waiting.pop())
        elif node.parents and node not in seen:
            seen.add(node)
            waiting.append(node)
            stack.append(None)
            stack.extend(node.parents)
    return order
