"""A Value is a float: it inherits comparison and hash by number, so that the walk must tell nodes apart by identity."""

import math


class Value(float):
    def __new__(cls, data, parents=()):
        self = super().__new__(cls, data)
        self.parents = parents
        self.grad = 0.0
        return self

    @property
    def data(self):
        return float(self)

    def __add__(self, other):
        return Value(float(self) + float(other), ((self, 1.0), (other, 1.0)))

    def __mul__(self, other):
        return Value(float(self) * float(other), ((self, float(other)), (other, float(self))))

    def __sub__(self, other):
        return Value(float(self) - float(other), ((self, 1.0), (other, -1.0)))

    def __truediv__(self, other):
        a, b = float(self), float(other)
        return Value(a / b, ((self, 1 / b), (other, -a / b / b)))

    def __radd__(self, other):
        return Value(other) + self

    def __rmul__(self, other):
        return Value(other) * self

    def __rsub__(self, other):
        return Value(other) - self

    def __rtruediv__(self, other):
        return Value(other) / self

    def __neg__(self):
        return Value(-float(self), ((self, -1.0),))

    def __pow__(self, n):
        x = float(self)
        return Value(x**n, ((self, n * x ** (n - 1)),))

    def tanh(self):
        t = math.tanh(self)
        return Value(t, ((self, 1 - t * t),))

    def exp(self):
        e = math.exp(self)
        return Value(e, ((self, e),))

    def relu(self):
        return Value(max(0.0, float(self)), ((self, 1.0 if self > 0 else 0.0),))

    def backward(self):
        order, seen = [], set()

        def build(node):
            if isinstance(node, Value) and id(node) not in seen:
                seen.add(id(node))
                for parent, _ in node.parents:
                    build(parent)
                order.append(node)

        build(self)
        self.grad = 1.0
        for node in reversed(order):
            for parent, slope in node.parents:
                if isinstance(parent, Value):
                    parent.grad += slope * node.grad
