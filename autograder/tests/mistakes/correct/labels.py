"""A label is the second argument, parents are set afterwards in a list, and so are the visited values."""

import math


class Value:
    def __init__(self, data, label=""):
        self.data = float(data)
        self.label = label
        self.grad = 0.0
        self.parents = []
        self.rule = None

    def __str__(self):
        return f"{self.label or 'value'} = {self.data:.4f} (grad {self.grad:.4f})"

    @staticmethod
    def result(data, parents, rule):
        v = Value(data)
        v.parents = list(parents)
        v.rule = rule
        return v

    def __add__(self, other):
        other = as_value(other)
        return Value.result(self.data + other.data, [self, other], add_rule)

    def __sub__(self, other):
        return self + -as_value(other)

    def __mul__(self, other):
        other = as_value(other)
        return Value.result(self.data * other.data, [self, other], mul_rule)

    def __truediv__(self, other):
        return self * as_value(other).reciprocal()

    def reciprocal(self):
        return Value.result(1 / self.data, [self], reciprocal_rule)

    def __neg__(self):
        return Value.result(-self.data, [self], neg_rule)

    def __pow__(self, n):
        def rule(v):
            v.parents[0].grad += n * v.parents[0].data ** (n - 1) * v.grad

        return Value.result(self.data**n, [self], rule)

    def __radd__(self, other):
        return as_value(other) + self

    def __rsub__(self, other):
        return as_value(other) - self

    def __rmul__(self, other):
        return as_value(other) * self

    def __rtruediv__(self, other):
        return as_value(other) / self

    def tanh(self):
        def rule(v):
            self.grad += (1 - v.data**2) * v.grad

        return Value.result(math.tanh(self.data), [self], rule)

    def exp(self):
        def rule(v):
            self.grad += v.data * v.grad

        return Value.result(math.e**self.data, [self], rule)

    def relu(self):
        def rule(v):
            if v.data > 0:
                self.grad += v.grad

        return Value.result(max(0.0, self.data), [self], rule)

    def backward(self):
        ordered, visited = [], []

        def build(v):
            if v not in visited:
                visited.append(v)
                for p in v.parents:
                    build(p)
                ordered.insert(0, v)

        build(self)
        self.grad = 1.0
        for v in ordered:
            if v.rule:
                v.rule(v)


def as_value(x):
    return x if isinstance(x, Value) else Value(x)


def add_rule(v):
    for parent in v.parents:
        parent.grad += v.grad


def mul_rule(v):
    a, b = v.parents
    a.grad += b.data * v.grad
    b.grad += a.data * v.grad


def neg_rule(v):
    v.parents[0].grad -= v.grad


def reciprocal_rule(v):
    v.parents[0].grad -= v.data**2 * v.grad
