"""Lazy: an operation computes nothing; `.data` is worked out, and kept, when it is read for the first time."""

import math


class Value:
    def __init__(self, data):
        self._data = float(data)
        self.grad = 0.0
        self.inputs = ()

    @classmethod
    def later(cls, compute, slopes, *inputs):
        value = cls(math.nan)
        value._data = None
        value.compute, value.slopes, value.inputs = compute, slopes, inputs
        return value

    @property
    def data(self):
        if self._data is None:
            self._data = self.compute(*(each.data for each in self.inputs))
        return self._data

    def __add__(self, other):
        return Value.later(lambda x, y: x + y, lambda x, y: (1.0, 1.0), self, lifted(other))

    def __sub__(self, other):
        return Value.later(lambda x, y: x - y, lambda x, y: (1.0, -1.0), self, lifted(other))

    def __mul__(self, other):
        return Value.later(lambda x, y: x * y, lambda x, y: (y, x), self, lifted(other))

    def __truediv__(self, other):
        return Value.later(lambda x, y: x / y, lambda x, y: (1 / y, -x / (y * y)), self, lifted(other))

    def __pow__(self, n):
        return Value.later(lambda x: x**n, lambda x: (n * x ** (n - 1),), self)

    def __neg__(self):
        return Value.later(lambda x: -x, lambda x: (-1.0,), self)

    def __radd__(self, other):
        return lifted(other) + self

    def __rsub__(self, other):
        return lifted(other) - self

    def __rmul__(self, other):
        return lifted(other) * self

    def __rtruediv__(self, other):
        return lifted(other) / self

    def tanh(self):
        return Value.later(math.tanh, lambda x: (1 - math.tanh(x) ** 2,), self)

    def exp(self):
        return Value.later(math.exp, lambda x: (math.exp(x),), self)

    def relu(self):
        return Value.later(lambda x: x if x > 0 else 0.0, lambda x: (1.0 if x > 0 else 0.0,), self)

    def backward(self):
        shares = {self: 1.0}
        for node in reversed(postorder(self)):
            node.grad += shares[node]
            if node.inputs:
                for each, slope in zip(node.inputs, node.slopes(*(one.data for one in node.inputs))):
                    shares[each] = shares.get(each, 0.0) + slope * shares[node]


def lifted(x):
    return x if isinstance(x, Value) else Value(x)


def postorder(output):
    order, seen, stack = [], set(), [(output, iter(output.inputs))]
    seen.add(output)
    while stack:
        node, inputs = stack[-1]
        following = next((each for each in inputs if each not in seen), None)
        if following is None:
            order.append(stack.pop()[0])
        else:
            seen.add(following)
            stack.append((following, iter(following.inputs)))
    return order
