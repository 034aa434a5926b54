"""Recursion, with Python's limit raised at import; unlike the readings, every step is a method."""

import math
import sys

sys.setrecursionlimit(10_000)


class Value:
    def __init__(self, data, children=(), backward=None):
        self.data = data
        self.grad = 0.0
        self.children = set(children)
        self.push = backward

    def __repr__(self):
        return f"<{self.data}>"

    def __add__(self, other):
        other = self.cast(other)

        def push(g):
            self.accumulate(g)
            other.accumulate(g)

        return Value(self.data + other.data, [self, other], push)

    def __mul__(self, other):
        other = self.cast(other)

        def push(g):
            self.accumulate(g * other.data)
            other.accumulate(g * self.data)

        return Value(self.data * other.data, [self, other], push)

    def __neg__(self):
        return Value(-self.data, [self], lambda g: self.accumulate(-g))

    def __sub__(self, other):
        return self.__add__(self.cast(other).__neg__())

    def __rsub__(self, other):
        return self.__neg__().__add__(other)

    def __pow__(self, exponent):
        slope = exponent * math.pow(self.data, exponent - 1)
        return Value(math.pow(self.data, exponent), [self], lambda g: self.accumulate(g * slope))

    def __truediv__(self, other):
        return self.__mul__(self.cast(other).__pow__(-1))

    def __rtruediv__(self, other):
        return self.cast(other).__truediv__(self)

    __radd__ = __add__
    __rmul__ = __mul__

    def tanh(self):
        t = 1 - 2 / (math.exp(2 * self.data) + 1)
        return Value(t, [self], lambda g: self.accumulate(g * (1 - t**2)))

    def exp(self):
        e = math.exp(self.data)
        return Value(e, [self], lambda g: self.accumulate(g * e))

    def relu(self):
        if self.data <= 0:
            return Value(0.0, [self], lambda g: None)
        return Value(self.data, [self], lambda g: self.accumulate(g))

    def accumulate(self, g):
        self.grad = self.grad + g

    def cast(self, x):
        if not isinstance(x, Value):
            x = Value(x)
        return x

    def topological(self, visited):
        if self in visited:
            return []
        visited.add(self)
        before = []
        for child in self.children:
            before += child.topological(visited)
        return before + [self]

    def backward(self):
        self.grad = 1.0
        for node in reversed(self.topological(set())):
            if node.push is not None:
                node.push(node.grad)
