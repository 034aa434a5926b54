"""Indices: a Value is a place in global lists of numbers and operations; walking the places downwards is the order."""

import math

DATA, GRADS, EDGES = [], [], []  # of every place: its number, its gradient, its (place of an operand, slope)


class Value:
    __slots__ = ("index",)

    def __init__(self, number, edges=()):
        self.index = len(DATA)
        DATA.append(float(number))
        GRADS.append(0.0)
        EDGES.append(tuple(edges))

    @property
    def data(self):
        return DATA[self.index]

    @property
    def grad(self):
        return GRADS[self.index]

    def __add__(self, other):
        i, j = self.index, place(other)
        return Value(DATA[i] + DATA[j], [(i, 1.0), (j, 1.0)])

    def __sub__(self, other):
        i, j = self.index, place(other)
        return Value(DATA[i] - DATA[j], [(i, 1.0), (j, -1.0)])

    def __mul__(self, other):
        i, j = self.index, place(other)
        return Value(DATA[i] * DATA[j], [(i, DATA[j]), (j, DATA[i])])

    def __truediv__(self, other):
        i, j = self.index, place(other)
        return Value(DATA[i] / DATA[j], [(i, 1 / DATA[j]), (j, -DATA[i] / DATA[j] ** 2)])

    def __pow__(self, n):
        i = self.index
        return Value(DATA[i] ** n, [(i, n * DATA[i] ** (n - 1))])

    def __neg__(self):
        return Value(-DATA[self.index], [(self.index, -1.0)])

    __radd__, __rmul__ = __add__, __mul__

    def __rsub__(self, other):
        return Value(other) - self

    def __rtruediv__(self, other):
        return Value(other) / self

    def tanh(self):
        t = math.tanh(self.data)
        return Value(t, [(self.index, 1 - t * t)])

    def exp(self):
        e = math.exp(self.data)
        return Value(e, [(self.index, e)])

    def relu(self):
        positive = self.data > 0
        return Value(self.data * positive, [(self.index, float(positive))])

    def backward(self):
        shares = {self.index: 1.0}
        for at in range(self.index, -1, -1):
            share = shares.pop(at, 0.0)
            GRADS[at] += share
            for operand, slope in EDGES[at] if share else ():
                shares[operand] = shares.get(operand, 0.0) + slope * share
            if not shares:
                break


def place(x):
    return x.index if isinstance(x, Value) else Value(x).index
