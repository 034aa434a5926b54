"""Pairs: a node is a list of (operand, local derivative); backward needs nothing else."""

from math import exp, tanh


class Value:
    def __init__(self, data, sources=None):
        self.data = data
        self.grad = 0.0
        self.sources = sources if sources is not None else []

    def __add__(self, other):
        if not isinstance(other, Value):
            return Value(self.data + other, [(self, 1.0)])
        return Value(self.data + other.data, [(self, 1.0), (other, 1.0)])

    def __mul__(self, other):
        if not isinstance(other, Value):
            return Value(self.data * other, [(self, other)])
        return Value(self.data * other.data, [(self, other.data), (other, self.data)])

    def __sub__(self, other):
        if not isinstance(other, Value):
            return Value(self.data - other, [(self, 1.0)])
        return Value(self.data - other.data, [(self, 1.0), (other, -1.0)])

    def __rsub__(self, other):
        return Value(other - self.data, [(self, -1.0)])

    def __truediv__(self, other):
        if not isinstance(other, Value):
            return Value(self.data / other, [(self, 1.0 / other)])
        return Value(
            self.data / other.data,
            [(self, 1.0 / other.data), (other, -self.data / other.data**2)],
        )

    def __rtruediv__(self, other):
        return Value(other / self.data, [(self, -other / self.data**2)])

    def __pow__(self, n):
        return Value(self.data**n, [(self, n * self.data ** (n - 1))])

    def __neg__(self):
        return Value(-self.data, [(self, -1.0)])

    __radd__ = __add__
    __rmul__ = __mul__

    def tanh(self):
        y = tanh(self.data)
        return Value(y, [(self, 1 - y * y)])

    def exp(self):
        y = exp(self.data)
        return Value(y, [(self, y)])

    def relu(self):
        if self.data > 0:
            return Value(self.data, [(self, 1.0)])
        return Value(0.0, [(self, 0.0)])

    def backward(self):
        ordered, seen = [], set()

        def visit(node):
            if id(node) in seen:
                return
            seen.add(id(node))
            for source, _ in node.sources:
                visit(source)
            ordered.append(node)

        visit(self)
        self.grad = 1.0
        for node in ordered[::-1]:
            for source, slope in node.sources:
                source.grad += slope * node.grad
