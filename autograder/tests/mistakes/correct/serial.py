"""Serial numbers: a value is always younger than its operands, so the youngest waiting one is complete. A heap finds it."""

import heapq
import itertools
import math

_counter = itertools.count()


class Value:
    def __init__(self, data, *edges):
        self.data = data
        self.grad = 0.0
        self.number = next(_counter)
        self.edges = edges

    def __lt__(self, other):
        return self.number > other.number

    def __add__(self, other):
        other = constant(other)
        return Value(self.data + other.data, (self, 1.0), (other, 1.0))

    def __sub__(self, other):
        other = constant(other)
        return Value(self.data - other.data, (self, 1.0), (other, -1.0))

    def __mul__(self, other):
        other = constant(other)
        return Value(self.data * other.data, (self, other.data), (other, self.data))

    def __truediv__(self, other):
        other = constant(other)
        return Value(self.data / other.data, (self, 1 / other.data), (other, -self.data / other.data**2))

    def __pow__(self, n):
        return Value(self.data**n, (self, n * self.data ** (n - 1)))

    def __neg__(self):
        return Value(-self.data, (self, -1.0))

    def __radd__(self, other):
        return constant(other) + self

    def __rsub__(self, other):
        return constant(other) - self

    def __rmul__(self, other):
        return constant(other) * self

    def __rtruediv__(self, other):
        return constant(other) / self

    def tanh(self):
        t = math.tanh(self.data)
        return Value(t, (self, 1.0 - t * t))

    def exp(self):
        e = math.exp(self.data)
        return Value(e, (self, e))

    def relu(self):
        return Value(max(self.data, 0.0), (self, 1.0 if self.data > 0 else 0.0))

    def backward(self):
        self.grad = 1.0
        waiting, met = [self], {self.number}
        while waiting:
            node = heapq.heappop(waiting)
            for operand, slope in node.edges:
                operand.grad += slope * node.grad
                if operand.number not in met:
                    met.add(operand.number)
                    heapq.heappush(waiting, operand)


def constant(x):
    return x if isinstance(x, Value) else Value(x)
