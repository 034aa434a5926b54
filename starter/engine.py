"""A scalar automatic differentiation engine in reverse mode.

Every operation on a `Value` returns a new `Value` that remembers two things: its parents (the values it was computed
from) and its partials (how fast it changes when each parent changes). `backward()` then walks this graph once, from the
output to the leaves, and by the chain rule gives every leaf the derivative of the output with respect to it.
"""

from __future__ import annotations

import math


def lifted(number: Value | float) -> Value:  # given
    """Return `number` itself if it is a `Value`, else a leaf that holds it."""
    return number if isinstance(number, Value) else Value(number)


# Of part 2, and best read with it: `Value.backward` walks along this order, from its end to its start.


def topological_order(output: Value) -> list[Value]:  # task 2.1
    """Return every computed value that `output` depends on, itself included: each once, and after its parents.

    Leaves have nothing to pass on and are left out. A stack takes the place of recursion, so that a graph may be deeper
    than Python's recursion limit; and the order depends on the graph alone, so that a run can be repeated exactly.
    """
    raise NotImplementedError("task 2.1")


class Value:
    """A number that remembers how it was computed."""

    # Nothing else can be stored on a Value, which saves half of its memory. Need another attribute? Add its name.
    __slots__ = ("data", "grad", "parents", "partials")
    recording = True  # False inside `with no_grad():` of part 3, and nowhere else

    def __init__(self, data: float, parents: tuple[Value, ...] = (), partials: tuple[float, ...] = ()) -> None:  # given
        """Hold `data`, computed from `parents` with the local derivatives `partials`, one for each parent.

        A leaf, such as an input or a parameter, has no parents: `Value(3.0)`.
        """
        self.data = float(data)
        self.grad = 0.0
        self.parents = parents
        self.partials = partials
        if not Value.recording:
            self.parents, self.partials = (), ()

    def __repr__(self) -> str:  # given
        """Return what an interactive session shows: `Value(data=3.0, grad=0.0)`."""
        return f"Value(data={self.data}, grad={self.grad})"

    # Part 1. Operators. Each computes its result and, beside it, the local derivatives; none touches a gradient.

    def __add__(self, other: Value | float) -> Value:  # task 1.1
        """Return a + b."""
        raise NotImplementedError("task 1.1")

    def __mul__(self, other: Value | float) -> Value:  # task 1.1
        """Return a · b."""
        raise NotImplementedError("task 1.1")

    def __neg__(self) -> Value:  # task 1.2
        """Return -a."""
        raise NotImplementedError("task 1.2")

    def __sub__(self, other: Value | float) -> Value:  # task 1.2
        """Return a - b."""
        raise NotImplementedError("task 1.2")

    def __truediv__(self, other: Value | float) -> Value:  # task 1.2
        """Return a / b."""
        raise NotImplementedError("task 1.2")

    def __pow__(self, n: float) -> Value:  # task 1.2
        """Return aⁿ, where n is a plain number: it is a constant and receives no gradient."""
        raise NotImplementedError("task 1.2")

    # Python calls these when the left operand is a plain number: 2 - a becomes a.__rsub__(2).

    def __radd__(self, other: float) -> Value:  # task 1.3
        """Return other + a. `sum([a, b])` needs this too: it starts with 0 + a."""
        raise NotImplementedError("task 1.3")

    def __rmul__(self, other: float) -> Value:  # task 1.3
        """Return other · a."""
        raise NotImplementedError("task 1.3")

    def __rsub__(self, other: float) -> Value:  # task 1.3
        """Return other - a: the order matters."""
        raise NotImplementedError("task 1.3")

    def __rtruediv__(self, other: float) -> Value:  # task 1.3
        """Return other / a: the order matters."""
        raise NotImplementedError("task 1.3")

    def tanh(self) -> Value:  # task 1.4
        """Return the hyperbolic tangent of a."""
        raise NotImplementedError("task 1.4")

    def exp(self) -> Value:  # task 1.4
        """Return e to the power of a."""
        raise NotImplementedError("task 1.4")

    def relu(self) -> Value:  # task 1.4
        """Return max(0, a). At the kink, a = 0, the derivative is 0 by convention."""
        raise NotImplementedError("task 1.4")

    # Part 2. The backward pass, along the order of `topological_order` above.

    def backward(self) -> None:  # task 2.2
        """Add the derivative of this value, with respect to every leaf it depends on, to that leaf's `grad`.

        Leaves accumulate from call to call. Computed values start again from zero, so a second call adds the same
        derivatives once more.
        """
        raise NotImplementedError("task 2.2")

    # Part 3. Going further, from here to the end: more functions, and ways out of the graph. Worth no points.

    def log(self) -> Value:  # task 3.1
        """Return the natural logarithm of a."""
        raise NotImplementedError("task 3.1")

    def sqrt(self) -> Value:  # task 3.1
        """Return the square root of a. At a = 0 its derivative is infinite."""
        raise NotImplementedError("task 3.1")

    def __abs__(self) -> Value:  # task 3.1
        """Return |a|. At the kink, a = 0, the derivative is 0 by convention."""
        raise NotImplementedError("task 3.1")

    def sigmoid(self) -> Value:  # task 3.2
        """Return 1 / (1 + e⁻ᵃ) as one operation."""
        raise NotImplementedError("task 3.2")

    def detach(self) -> Value:  # task 3.4
        """Return a leaf with the number of a: whatever is computed from it passes nothing on to a."""
        raise NotImplementedError("task 3.4")


def composed_sigmoid(a: Value) -> Value:  # task 3.2
    """Return 1 / (1 + e⁻ᵃ), made of the operations of part 1."""
    raise NotImplementedError("task 3.2")


def where(condition: bool, a: Value, b: Value) -> Value:  # task 3.3
    """Return a as a new value if `condition` holds, else b.

    Both are parents, one of them with the derivative 0. A trap: they were both computed before, and 0 times an infinite
    derivative is nan.
    """
    raise NotImplementedError("task 3.3")


def sqrt_or_zero(a: Value) -> Value:  # task 3.3
    """Return √a where a is above zero, else 0, and look before computing: the gradient is finite everywhere."""
    raise NotImplementedError("task 3.3")


class no_grad:  # noqa: N801 - it is used like a function, and the readings call it so
    """`with no_grad():` records nothing: what is computed inside has no parents."""

    def __enter__(self) -> None:  # task 3.4
        """Stop recording."""
        raise NotImplementedError("task 3.4")

    def __exit__(self, *_: object) -> None:  # task 3.4
        """Restore what was so before the block, even if the block ends with an exception."""
        raise NotImplementedError("task 3.4")
