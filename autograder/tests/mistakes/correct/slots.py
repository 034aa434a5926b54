"""__slots__, in-place gradient steps through bound methods, and no closure at all."""

import math


class Value:
    __slots__ = ("data", "grad", "_a", "_b", "_step")

    def __init__(self, data):
        self.data = data
        self.grad = 0.0
        self._a = self._b = None
        self._step = None

    def _made(self, step, a, b=None):
        self._step, self._a, self._b = step, a, b
        return self

    def __add__(self, other):
        if type(other) is not Value:
            other = Value(other)
        return Value(self.data + other.data)._made(Value._add, self, other)

    def _add(self):
        self._a.grad += self.grad
        self._b.grad += self.grad

    def __sub__(self, other):
        if type(other) is not Value:
            other = Value(other)
        return Value(self.data - other.data)._made(Value._sub, self, other)

    def _sub(self):
        self._a.grad += self.grad
        self._b.grad -= self.grad

    def __mul__(self, other):
        if type(other) is not Value:
            other = Value(other)
        return Value(self.data * other.data)._made(Value._mul, self, other)

    def _mul(self):
        self._a.grad += self._b.data * self.grad
        self._b.grad += self._a.data * self.grad

    def __truediv__(self, other):
        if type(other) is not Value:
            other = Value(other)
        return Value(self.data / other.data)._made(Value._div, self, other)

    def _div(self):
        self._a.grad += self.grad / self._b.data
        self._b.grad -= self.grad * self._a.data / self._b.data / self._b.data

    def __neg__(self):
        return Value(-self.data)._made(Value._neg, self)

    def _neg(self):
        self._a.grad -= self.grad

    def __pow__(self, n):
        return Value(self.data**n)._made(Value._pow, self, n)

    def _pow(self):
        self._a.grad += self._b * self._a.data ** (self._b - 1) * self.grad

    def tanh(self):
        return Value(math.tanh(self.data))._made(Value._tanh, self)

    def _tanh(self):
        self._a.grad += (1.0 - self.data) * (1.0 + self.data) * self.grad

    def exp(self):
        return Value(math.exp(self.data))._made(Value._exp, self)

    def _exp(self):
        self._a.grad += self.data * self.grad

    def relu(self):
        return Value(self.data if self.data > 0.0 else 0.0)._made(Value._relu, self)

    def _relu(self):
        self._a.grad += self.grad if self.data > 0.0 else 0.0

    def __radd__(self, other):
        return Value(other) + self

    def __rsub__(self, other):
        return Value(other) - self

    def __rmul__(self, other):
        return Value(other) * self

    def __rtruediv__(self, other):
        return Value(other) / self

    def _order(self, seen, order):
        seen.add(self)
        for operand in (self._a, self._b):
            if type(operand) is Value and operand not in seen:
                operand._order(seen, order)
        order.append(self)
        return order

    def backward(self):
        self.grad = 1.0
        for node in reversed(self._order(set(), [])):
            if node._step is not None:
                node._step(node)
