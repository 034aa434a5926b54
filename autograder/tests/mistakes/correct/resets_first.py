"""backward() first sets every gradient of the graph to zero, the inputs' too, so that it can be called again."""

import math
from typing import Callable, List, Union

Number = Union[int, float]


class Value:
    data: float
    grad: float

    def __init__(self, data: Number, children: "List[Value]" = None) -> None:
        self.data = data
        self.grad = 0.0
        self.children = children or []
        self._backward: Callable[[], None] = self._nothing

    def _nothing(self) -> None:
        pass

    def __add__(self, other: "Union[Value, Number]") -> "Value":
        other = _v(other)
        out = Value(self.data + other.data, [self, other])

        def _backward() -> None:
            self.grad += 1.0 * out.grad
            other.grad += 1.0 * out.grad

        out._backward = _backward
        return out

    def __mul__(self, other: "Union[Value, Number]") -> "Value":
        other = _v(other)
        out = Value(self.data * other.data, [self, other])

        def _backward() -> None:
            self.grad += out.grad * other.data
            other.grad += out.grad * self.data

        out._backward = _backward
        return out

    def __pow__(self, k: Number) -> "Value":
        if not isinstance(k, (int, float)):
            raise TypeError("only plain numbers as exponents")
        out = Value(pow(self.data, k), [self])

        def _backward() -> None:
            self.grad += out.grad * k * pow(self.data, k - 1)

        out._backward = _backward
        return out

    def exp(self) -> "Value":
        out = Value(math.exp(self.data), [self])

        def _backward() -> None:
            self.grad += out.grad * out.data

        out._backward = _backward
        return out

    def tanh(self) -> "Value":
        out = Value(math.tanh(self.data), [self])

        def _backward() -> None:
            self.grad += out.grad / math.cosh(self.data) ** 2

        out._backward = _backward
        return out

    def relu(self) -> "Value":
        out = Value(self.data * (self.data > 0), [self])

        def _backward() -> None:
            self.grad += out.grad * (self.data > 0)

        out._backward = _backward
        return out

    def __neg__(self) -> "Value":
        return Value(0.0) - self

    def __sub__(self, other: "Union[Value, Number]") -> "Value":
        other = _v(other)
        out = Value(self.data - other.data, [self, other])

        def _backward() -> None:
            self.grad += out.grad
            other.grad -= out.grad

        out._backward = _backward
        return out

    def __truediv__(self, other: "Union[Value, Number]") -> "Value":
        other = _v(other)
        return self * other**-1

    def __radd__(self, other: Number) -> "Value":
        return self + other

    def __rmul__(self, other: Number) -> "Value":
        return self * other

    def __rsub__(self, other: Number) -> "Value":
        return -self + other

    def __rtruediv__(self, other: Number) -> "Value":
        return self**-1 * other

    def zero_grad(self) -> None:
        for node in self._nodes():
            node.grad = 0.0

    def _nodes(self) -> "List[Value]":
        nodes: List[Value] = []
        seen = set()

        def dfs(node: "Value") -> None:
            if node in seen:
                return
            seen.add(node)
            for child in node.children:
                dfs(child)
            nodes.append(node)

        dfs(self)
        return nodes

    def backward(self) -> None:
        self.zero_grad()
        self.grad = 1.0
        for node in reversed(self._nodes()):
            node._backward()


def _v(x: Union[Value, Number]) -> Value:
    return x if isinstance(x, Value) else Value(x)
