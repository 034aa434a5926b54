"""A flag on each value says whether the walk was there; rules are one-line lambdas that call `receive`."""

import math


class Value:
    def __init__(self, data, _parents=[]):
        self.data = data
        self.grad = 0.0
        self._parents = list(_parents)
        self._visited = False
        self._rule = lambda g: None

    def receive(self, g):
        self.grad += g

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, [self, other])
        out._rule = lambda g: (self.receive(g), other.receive(g))
        return out

    def __sub__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data - other.data, [self, other])
        out._rule = lambda g: (self.receive(g), other.receive(-g))
        return out

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, [self, other])
        out._rule = lambda g: (self.receive(other.data * g), other.receive(self.data * g))
        return out

    def __truediv__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data / other.data, [self, other])
        out._rule = lambda g: (self.receive(g / other.data), other.receive(-out.data * g / other.data))
        return out

    def __pow__(self, n):
        out = Value(self.data**n, [self])
        out._rule = lambda g: self.receive(n * self.data ** (n - 1) * g)
        return out

    def __neg__(self):
        out = Value(-self.data, [self])
        out._rule = lambda g: self.receive(-g)
        return out

    def __radd__(self, other):
        return self + other

    def __rsub__(self, other):
        return -(self - other)

    def __rmul__(self, other):
        return self * other

    def __rtruediv__(self, other):
        return (self / other) ** -1

    def tanh(self):
        a, b = math.exp(self.data), math.exp(-self.data)
        out = Value((a - b) / (a + b), [self])
        out._rule = lambda g: self.receive((1 - out.data * out.data) * g)
        return out

    def exp(self):
        out = Value(math.exp(self.data), [self])
        out._rule = lambda g: self.receive(out.data * g)
        return out

    def relu(self):
        out = Value(self.data, [self]) if self.data > 0 else Value(0, [self])
        out._rule = lambda g: self.receive(g) if out.data > 0 else None
        return out

    def _walk(self, order):
        self._visited = True
        for parent in self._parents:
            if not parent._visited:
                parent._walk(order)
        order.append(self)

    def backward(self):
        order = []
        self._walk(order)
        for node in order:
            node._visited = False
        self.grad = 1.0
        for node in order[::-1]:
            node._rule(node.grad)
