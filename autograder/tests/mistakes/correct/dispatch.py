"""One rule for all: a node knows the name of its operation, and a chain of ifs knows what each one passes on."""

import math


class Value:
    def __init__(self, data, op=None, args=(), const=None):
        self.data = data
        self.grad = 0.0
        self.op = op
        self.args = args
        self.const = const

    def __add__(self, other):
        other = self.lift(other)
        return Value(self.data + other.data, "add", (self, other))

    def __radd__(self, other):
        return self.lift(other) + self

    def __sub__(self, other):
        other = self.lift(other)
        return Value(self.data - other.data, "sub", (self, other))

    def __rsub__(self, other):
        return self.lift(other) - self

    def __mul__(self, other):
        other = self.lift(other)
        return Value(self.data * other.data, "mul", (self, other))

    def __rmul__(self, other):
        return self.lift(other) * self

    def __truediv__(self, other):
        other = self.lift(other)
        return Value(self.data / other.data, "div", (self, other))

    def __rtruediv__(self, other):
        return self.lift(other) / self

    def __neg__(self):
        return Value(-self.data, "neg", (self,))

    def __pow__(self, n):
        return Value(self.data**n, "pow", (self,), n)

    def tanh(self):
        return Value(math.tanh(self.data), "tanh", (self,))

    def exp(self):
        return Value(math.exp(self.data), "exp", (self,))

    def relu(self):
        return Value(max(0.0, self.data), "relu", (self,))

    @staticmethod
    def lift(x):
        if isinstance(x, Value):
            return x
        return Value(x)

    def propagate(self):
        g = self.grad
        if self.op is None:
            return
        a = self.args[0]
        if self.op == "add":
            b = self.args[1]
            a.grad += g
            b.grad += g
        elif self.op == "sub":
            b = self.args[1]
            a.grad += g
            b.grad -= g
        elif self.op == "mul":
            b = self.args[1]
            da, db = g * b.data, g * a.data
            a.grad += da
            b.grad += db
        elif self.op == "div":
            b = self.args[1]
            da, db = g / b.data, -g * self.data / b.data
            a.grad += da
            b.grad += db
        elif self.op == "neg":
            a.grad -= g
        elif self.op == "pow":
            a.grad += g * self.const * a.data ** (self.const - 1)
        elif self.op == "tanh":
            a.grad += g * (1 - self.data * self.data)
        elif self.op == "exp":
            a.grad += g * self.data
        elif self.op == "relu" and self.data > 0:
            a.grad += g

    def backward(self):
        order = []
        done = set()
        stack = [(self, False)]
        while stack:
            node, expanded = stack.pop()
            if expanded:
                order.append(node)
            elif id(node) not in done:
                done.add(id(node))
                stack.append((node, True))
                for arg in node.args:
                    stack.append((arg, False))
        self.grad = 1.0
        while order:
            order.pop().propagate()
