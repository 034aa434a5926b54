"""A frozen dataclass: nothing of a Value changes but the gradient, which lies in a box of its own."""

import math
from dataclasses import dataclass, field
from typing import Callable, Tuple


@dataclass
class Box:
    content: float = 0.0


@dataclass(frozen=True, eq=False)
class Value:
    data: float
    parents: Tuple["Value", ...] = ()
    partials: Tuple[float, ...] = ()
    box: Box = field(default_factory=Box, repr=False)

    @property
    def grad(self) -> float:
        return self.box.content

    def __add__(self, other):
        return binary(self, other, lambda x, y: (x + y, 1.0, 1.0))

    def __radd__(self, other):
        return binary(other, self, lambda x, y: (x + y, 1.0, 1.0))

    def __sub__(self, other):
        return binary(self, other, lambda x, y: (x - y, 1.0, -1.0))

    def __rsub__(self, other):
        return binary(other, self, lambda x, y: (x - y, 1.0, -1.0))

    def __mul__(self, other):
        return binary(self, other, lambda x, y: (x * y, y, x))

    def __rmul__(self, other):
        return binary(other, self, lambda x, y: (x * y, y, x))

    def __truediv__(self, other):
        return binary(self, other, lambda x, y: (x / y, 1 / y, -x / y**2))

    def __rtruediv__(self, other):
        return binary(other, self, lambda x, y: (x / y, 1 / y, -x / y**2))

    def __neg__(self):
        return Value(-self.data, (self,), (-1.0,))

    def __pow__(self, n):
        return Value(self.data**n, (self,), (n * self.data ** (n - 1),))

    def tanh(self):
        y = math.tanh(self.data)
        return Value(y, (self,), ((1 + y) * (1 - y),))

    def exp(self):
        y = math.exp(self.data)
        return Value(y, (self,), (y,))

    def relu(self):
        return Value(max(0.0, self.data), (self,), (1.0 if self.data > 0 else 0.0,))

    def backward(self):
        order = {}  # a dictionary for its order, which is that of insertion

        def visit(value):
            if id(value) not in order:
                for parent in value.parents:
                    visit(parent)
                order[id(value)] = value

        visit(self)
        self.box.content = 1.0
        for value in reversed(list(order.values())):
            for parent, partial in zip(value.parents, value.partials):
                parent.box.content += partial * value.box.content


def binary(a, b, compute: Callable[[float, float], Tuple[float, float, float]]):
    a, b = (x if isinstance(x, Value) else Value(float(x)) for x in (a, b))
    result, left, right = compute(a.data, b.data)
    return Value(result, (a, b), (left, right))
