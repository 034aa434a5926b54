"""Closures: each operator attaches the rule that passes its result's gradient on. Most mistakes are edits of this file."""

import math


class Value:
    def __init__(self, data, _children=(), _op=""):
        self.data = data
        self.grad = 0.0
        self._backward = lambda: None
        self._prev = tuple(_children)
        self._op = _op

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)  # add
        total = Value(self.data + other.data, (self, other), "+")

        def _backward():
            self.grad += total.grad
            other.grad += total.grad

        total._backward = _backward
        return total

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)  # mul
        product = Value(self.data * other.data, (self, other), "*")

        def _backward():
            self.grad += other.data * product.grad
            other.grad += self.data * product.grad

        product._backward = _backward
        return product

    def __neg__(self):
        opposite = Value(-self.data, (self,), "neg")

        def _backward():
            self.grad += -opposite.grad

        opposite._backward = _backward
        return opposite

    def __sub__(self, other):
        other = other if isinstance(other, Value) else Value(other)  # sub
        difference = Value(self.data - other.data, (self, other), "-")

        def _backward():
            self.grad += difference.grad
            other.grad += -difference.grad

        difference._backward = _backward
        return difference

    def __truediv__(self, other):
        other = other if isinstance(other, Value) else Value(other)  # truediv
        quotient = Value(self.data / other.data, (self, other), "/")

        def _backward():
            self.grad += quotient.grad / other.data
            other.grad += -self.data / other.data**2 * quotient.grad

        quotient._backward = _backward
        return quotient

    def __pow__(self, n):
        power = Value(self.data**n, (self,), f"**{n}")

        def _backward():
            self.grad += n * self.data ** (n - 1) * power.grad

        power._backward = _backward
        return power

    def tanh(self):
        t = math.tanh(self.data)
        squashed = Value(t, (self,), "tanh")

        def _backward():
            self.grad += (1 - t**2) * squashed.grad

        squashed._backward = _backward
        return squashed

    def exp(self):
        raised = Value(math.exp(self.data), (self,), "exp")

        def _backward():
            self.grad += raised.data * raised.grad

        raised._backward = _backward
        return raised

    def relu(self):
        rectified = Value(self.data if self.data > 0 else 0.0, (self,), "relu")

        def _backward():
            self.grad += (1.0 if self.data > 0 else 0.0) * rectified.grad

        rectified._backward = _backward
        return rectified

    def __radd__(self, other):
        return self + other

    def __rmul__(self, other):
        return self * other

    def __rsub__(self, other):
        return Value(other) - self

    def __rtruediv__(self, other):
        return Value(other) / self

    def backward(self):
        topo = []
        visited = set()

        def build(v):
            if v not in visited:
                visited.add(v)
                for child in v._prev:
                    build(child)
                topo.append(v)

        build(self)
        self.grad = 1.0
        for node in reversed(topo):
            node._backward()
