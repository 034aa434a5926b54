"""A tape: every operation appends itself to one global list, and backward reads that list from its end."""

import math

TAPE = []


class Value:
    def __init__(self, data):
        self.data = float(data)
        self.grad = 0.0


def wrap(x):
    return x if isinstance(x, Value) else Value(x)


def record(data, inputs, slopes):
    result = Value(data)
    TAPE.append((result, inputs, slopes))
    return result


def add(a, b):
    a, b = wrap(a), wrap(b)
    return record(a.data + b.data, [a, b], [1.0, 1.0])


def sub(a, b):
    a, b = wrap(a), wrap(b)
    return record(a.data - b.data, [a, b], [1.0, -1.0])


def mul(a, b):
    a, b = wrap(a), wrap(b)
    return record(a.data * b.data, [a, b], [b.data, a.data])


def div(a, b):
    a, b = wrap(a), wrap(b)
    return record(a.data / b.data, [a, b], [1 / b.data, -a.data / (b.data * b.data)])


def power(a, n):
    return record(a.data**n, [a], [n * a.data ** (n - 1)])


def tanh(a):
    t = math.tanh(a.data)
    return record(t, [a], [1 - t * t])


def exp(a):
    e = math.exp(a.data)
    return record(e, [a], [e])


def relu(a):
    return record(max(a.data, 0.0), [a], [float(a.data > 0)])


def backward(output):
    for result, _, _ in TAPE:
        result.grad = 0.0
    output.grad = 1.0
    for result, inputs, slopes in reversed(TAPE):
        for x, slope in zip(inputs, slopes):
            x.grad += slope * result.grad
    TAPE.clear()


Value.__add__ = Value.__radd__ = add
Value.__sub__ = sub
Value.__rsub__ = lambda self, other: sub(other, self)
Value.__mul__ = Value.__rmul__ = mul
Value.__truediv__ = div
Value.__rtruediv__ = lambda self, other: div(other, self)
Value.__neg__ = lambda self: mul(self, -1.0)
Value.__pow__ = power
Value.tanh, Value.exp, Value.relu, Value.backward = tanh, exp, relu, backward
