"""Numbers stay what they were given as: ints remain ints, a fresh gradient is the int 0, the output's is the int 1."""

import math


class Value:
    def __init__(self, data, prev=()):
        self.data = data
        self.grad = 0
        self.prev = tuple(prev)
        self.pull = None

    @classmethod
    def of(cls, x):
        return x if isinstance(x, cls) else cls(x)

    def __add__(self, other):
        other = Value.of(other)
        out = Value(self.data + other.data, (self, other))

        def pull(g):
            return g, g

        out.pull = pull
        return out

    def __mul__(self, other):
        other = Value.of(other)
        out = Value(self.data * other.data, (self, other))
        out.pull = lambda g: (g * other.data, g * self.data)
        return out

    def __neg__(self):
        out = Value(-self.data, (self,))
        out.pull = lambda g: (-g,)
        return out

    def __sub__(self, other):
        other = Value.of(other)
        out = Value(self.data - other.data, (self, other))
        out.pull = lambda g: (g, -g)
        return out

    def __truediv__(self, other):
        other = Value.of(other)
        out = Value(self.data / other.data, (self, other))
        out.pull = lambda g: (g / other.data, -g * self.data / other.data**2)
        return out

    def __pow__(self, n):
        out = Value(self.data**n, (self,))
        out.pull = lambda g: (g * n * self.data ** (n - 1),)
        return out

    def __radd__(self, other):
        return Value.of(other) + self

    def __rmul__(self, other):
        return Value.of(other) * self

    def __rsub__(self, other):
        return Value.of(other) - self

    def __rtruediv__(self, other):
        return Value.of(other) / self

    def tanh(self):
        out = Value(math.tanh(self.data), (self,))
        out.pull = lambda g: (g * (1 - out.data**2),)
        return out

    def exp(self):
        out = Value(math.exp(self.data), (self,))
        out.pull = lambda g: (g * out.data,)
        return out

    def relu(self):
        out = Value(self.data if self.data > 0 else 0, (self,))
        out.pull = lambda g: (g if self.data > 0 else 0,)
        return out

    def backward(self):
        topo, seen = [], set()

        def walk(v):
            seen.add(v)
            for p in v.prev:
                if p not in seen:
                    walk(p)
            topo.append(v)

        walk(self)
        self.grad = 1
        for v in reversed(topo):
            if v.pull:
                for p, g in zip(v.prev, v.pull(v.grad)):
                    p.grad = p.grad + g
