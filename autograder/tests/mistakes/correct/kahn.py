"""Kahn's order: count every value's consumers, then release a value when the last of them has passed its share on."""

import math
from collections import Counter, deque


class Value:
    def __init__(self, data, operands=(), share=None):
        self.data = data
        self.grad = 0.0
        self.operands = operands
        self.share = share

    def __add__(self, other):
        other = lift(other)
        return Value(self.data + other.data, (self, other), lambda g: (g, g))

    def __sub__(self, other):
        other = lift(other)
        return Value(self.data - other.data, (self, other), lambda g: (g, -g))

    def __mul__(self, other):
        other = lift(other)
        return Value(self.data * other.data, (self, other), lambda g: (g * other.data, g * self.data))

    def __truediv__(self, other):
        other = lift(other)
        q = self.data / other.data
        return Value(q, (self, other), lambda g: (g / other.data, -g * q / other.data))

    def __pow__(self, n):
        return Value(self.data**n, (self,), lambda g: (g * n * self.data ** (n - 1),))

    def __neg__(self):
        return Value(-self.data, (self,), lambda g: (-g,))

    def __radd__(self, other):
        return lift(other) + self

    def __rsub__(self, other):
        return lift(other) - self

    def __rmul__(self, other):
        return lift(other) * self

    def __rtruediv__(self, other):
        return lift(other) / self

    def tanh(self):
        t = math.tanh(self.data)
        return Value(t, (self,), lambda g: (g * (1 - t * t),))

    def exp(self):
        e = math.exp(self.data)
        return Value(e, (self,), lambda g: (g * e,))

    def relu(self):
        gate = self.data > 0
        return Value(self.data if gate else 0.0, (self,), lambda g: (g if gate else 0.0,))

    def backward(self):
        consumers = Counter()
        reached = {self}
        queue = deque([self])
        while queue:
            for operand in queue.popleft().operands:
                consumers[operand] += 1
                if operand not in reached:
                    reached.add(operand)
                    queue.append(operand)
        self.grad = 1.0
        ready = deque([self])
        while ready:
            node = ready.popleft()
            if node.share is None:
                continue
            for operand, g in zip(node.operands, node.share(node.grad)):
                operand.grad += g
                consumers[operand] -= 1
                if consumers[operand] == 0:
                    ready.append(operand)


def lift(x):
    return x if isinstance(x, Value) else Value(x)
