"""Properties: `.data` and `.grad` can be read and not written; what a rule changes lies behind them."""

import math


class Value:
    def __init__(self, data, parents=(), rule=None):
        self.__data = float(data)
        self.__grad = 0.0
        self.__parents = parents
        self.__rule = rule

    @property
    def data(self):
        return self.__data

    @property
    def grad(self):
        return self.__grad

    @classmethod
    def of(cls, x):
        return x if isinstance(x, cls) else cls(x)

    def __add__(self, other):
        other = Value.of(other)
        return Value(self.data + other.data, (self, other), lambda g: (g, g))

    def __mul__(self, other):
        other = Value.of(other)
        return Value(self.data * other.data, (self, other), lambda g: (g * other.data, g * self.data))

    def __pow__(self, n):
        return Value(self.data**n, (self,), lambda g: (g * n * self.data ** (n - 1),))

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + Value.of(other) * -1

    def __truediv__(self, other):
        return self * Value.of(other) ** -1

    def __radd__(self, other):
        return self + other

    def __rmul__(self, other):
        return self * other

    def __rsub__(self, other):
        return Value.of(other) - self

    def __rtruediv__(self, other):
        return Value.of(other) / self

    def tanh(self):
        t = 1 - 2 / (math.exp(2 * self.data) + 1)
        return Value(t, (self,), lambda g: (g * (1 - t * t),))

    def exp(self):
        e = math.exp(self.data)
        return Value(e, (self,), lambda g: (g * e,))

    def relu(self):
        return Value(max(self.data, 0.0), (self,), lambda g: (g if self.data > 0 else 0.0,))

    def __consumers_first(self):
        found, known = [], set()

        def visit(value):
            known.add(id(value))
            for parent in value.__parents:
                if id(parent) not in known:
                    visit(parent)
            found.insert(0, value)

        visit(self)
        return found

    def backward(self):
        self.__grad = 1.0
        for value in self.__consumers_first():
            if value.__rule:
                for parent, share in zip(value.__parents, value.__rule(value.__grad)):
                    parent.__grad += share
