"""A dataclass without comparison by value; one `local` method looks the derivative up by the operation's symbol."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

DERIVATIVES = {
    "+": lambda out, a, b: (1.0, 1.0),
    "-": lambda out, a, b: (1.0, -1.0),
    "*": lambda out, a, b: (b, a),
    "/": lambda out, a, b: (1 / b, -out / b),
    "neg": lambda out, a: (-1.0,),
    "tanh": lambda out, a: (1 - out * out,),
    "exp": lambda out, a: (out,),
    "relu": lambda out, a: (1.0 if a > 0 else 0.0,),
}


@dataclass(eq=False)
class Value:
    data: float
    operands: tuple[Value, ...] = ()
    symbol: str = ""
    exponent: float = 1
    grad: float = field(default=0.0, init=False)

    def combine(self, symbol: str, other: Value | float, number) -> Value:
        if not isinstance(other, Value):
            other = Value(other)
        return Value(number(self.data, other.data), (self, other), symbol)

    def __add__(self, other):
        return self.combine("+", other, lambda a, b: a + b)

    def __sub__(self, other):
        return self.combine("-", other, lambda a, b: a - b)

    def __mul__(self, other):
        return self.combine("*", other, lambda a, b: a * b)

    def __truediv__(self, other):
        return self.combine("/", other, lambda a, b: a / b)

    def __radd__(self, other):
        return Value(other) + self

    def __rsub__(self, other):
        return Value(other) - self

    def __rmul__(self, other):
        return Value(other) * self

    def __rtruediv__(self, other):
        return Value(other) / self

    def __neg__(self):
        return Value(-self.data, (self,), "neg")

    def __pow__(self, exponent):
        return Value(self.data**exponent, (self,), "**", exponent)

    def tanh(self):
        return Value(math.tanh(self.data), (self,), "tanh")

    def exp(self):
        return Value(math.exp(self.data), (self,), "exp")

    def relu(self):
        return Value(max(0.0, self.data), (self,), "relu")

    def local(self):
        if self.symbol == "**":
            return (self.exponent * self.operands[0].data ** (self.exponent - 1),)
        return DERIVATIVES[self.symbol](self.data, *(operand.data for operand in self.operands))

    def backward(self):
        order: list[Value] = []
        known: set[Value] = set()

        def build(node: Value) -> None:
            if node in known or not node.symbol:
                return
            known.add(node)
            for operand in node.operands:
                build(operand)
            order.append(node)

        build(self)
        self.grad = 1.0
        while order:
            node = order.pop()
            for operand, slope in zip(node.operands, node.local()):
                operand.grad += slope * node.grad
