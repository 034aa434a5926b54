"""Labels that say how a result came about, cut off where they grow long; parents in a set, rules as methods by name."""

import math

LONGEST = 60


class Value:
    def __init__(self, data, label=None, parents=(), rule="nothing", extra=None):
        self.data = data
        self.label = str(data) if label is None else label if len(label) <= LONGEST else label[:LONGEST] + "…"
        self.grad = 0.0
        self.operands = tuple(parents)
        self.parents = set(parents)
        self.rule = rule
        self.extra = extra

    def __repr__(self):
        return f"{self.label} = {self.data}"

    def joined(self, symbol, other, number, rule):
        return Value(number, f"({self.label} {symbol} {other.label})", (self, other), rule)

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        return self.joined("+", other, self.data + other.data, "sum")

    def __sub__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        return self.joined("-", other, self.data - other.data, "difference")

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        return self.joined("*", other, self.data * other.data, "product")

    def __truediv__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        return self.joined("/", other, self.data / other.data, "quotient")

    def __radd__(self, other):
        return Value(other) + self

    def __rsub__(self, other):
        return Value(other) - self

    def __rmul__(self, other):
        return Value(other) * self

    def __rtruediv__(self, other):
        return Value(other) / self

    def __neg__(self):
        return Value(-self.data, f"-{self.label}", (self,), "slope", -1.0)

    def __pow__(self, n):
        return Value(self.data**n, f"{self.label}^{n}", (self,), "slope", n * self.data ** (n - 1))

    def tanh(self):
        t = math.tanh(self.data)
        return Value(t, f"tanh {self.label}", (self,), "slope", 1 - t * t)

    def exp(self):
        e = math.exp(self.data)
        return Value(e, f"exp {self.label}", (self,), "slope", e)

    def relu(self):
        return Value(max(0.0, self.data), f"relu {self.label}", (self,), "slope", float(self.data > 0))

    def pass_nothing(self):
        pass

    def pass_sum(self):
        for operand in self.operands:
            operand.grad += self.grad

    def pass_difference(self):
        self.operands[0].grad += self.grad
        self.operands[1].grad -= self.grad

    def pass_product(self):
        a, b = self.operands
        a.grad += self.grad * b.data
        b.grad += self.grad * a.data

    def pass_quotient(self):
        a, b = self.operands
        a.grad += self.grad / b.data
        b.grad -= self.grad * a.data / b.data**2

    def pass_slope(self):
        self.operands[0].grad += self.grad * self.extra

    def backward(self):
        order, known = [], set()

        def visit(value):
            if value not in known:
                known.add(value)
                for parent in value.parents:
                    visit(parent)
                order.append(value)

        visit(self)
        self.grad = 1.0
        while order:
            value = order.pop()
            getattr(value, f"pass_{value.rule}")()
