"""Gradients live in a dictionary while backward runs; only the leaves receive theirs, computed values keep 0.0."""

import math
from collections import defaultdict


class Value:
    def __init__(self, data, inputs=(), slopes=()):
        self.data = data
        self.grad = 0.0
        self._inputs = inputs
        self._slopes = slopes

    @property
    def is_leaf(self):
        return not self._inputs

    def _binary(self, other, compute, slopes):
        other = other if isinstance(other, Value) else Value(other)
        x, y = self.data, other.data
        return Value(compute(x, y), (self, other), slopes(x, y))

    def _unary(self, compute, slope):
        y = compute(self.data)
        return Value(y, (self,), (slope(self.data, y),))

    def __add__(self, other):
        return self._binary(other, lambda x, y: x + y, lambda x, y: (1.0, 1.0))

    def __sub__(self, other):
        return self._binary(other, lambda x, y: x - y, lambda x, y: (1.0, -1.0))

    def __mul__(self, other):
        return self._binary(other, lambda x, y: x * y, lambda x, y: (y, x))

    def __truediv__(self, other):
        return self._binary(other, lambda x, y: x / y, lambda x, y: (1 / y, -x / y**2))

    def __radd__(self, other):
        return Value(other).__add__(self)

    def __rsub__(self, other):
        return Value(other).__sub__(self)

    def __rmul__(self, other):
        return Value(other).__mul__(self)

    def __rtruediv__(self, other):
        return Value(other).__truediv__(self)

    def __neg__(self):
        return self._unary(lambda x: -x, lambda x, y: -1.0)

    def __pow__(self, n):
        return self._unary(lambda x: x**n, lambda x, y: n * x ** (n - 1))

    def tanh(self):
        return self._unary(math.tanh, lambda x, y: 1 - y * y)

    def exp(self):
        return self._unary(math.exp, lambda x, y: y)

    def relu(self):
        return self._unary(lambda x: max(0.0, x), lambda x, y: 1.0 if x > 0 else 0.0)

    def backward(self):
        gradients = defaultdict(float)
        gradients[self] = 1.0
        for node in self._sorted():
            gradient = gradients.pop(node)
            if node.is_leaf:
                node.grad += gradient
            for parent, slope in zip(node._inputs, node._slopes):
                gradients[parent] += slope * gradient

    def _sorted(self):
        """Yield consumers before what they consume."""
        found, marked = [], set()

        def search(node):
            if node not in marked:
                marked.add(node)
                for parent in node._inputs:
                    search(parent)
                found.append(node)

        search(self)
        yield from reversed(found)
