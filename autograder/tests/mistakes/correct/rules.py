"""Rules are classes: each operation is one, with its forward and its backward side by side."""

import abc
import math


class Function(abc.ABC):
    def __init__(self, *inputs):
        self.inputs = inputs

    @abc.abstractmethod
    def forward(self, *numbers): ...

    @abc.abstractmethod
    def backward(self, grad): ...

    @classmethod
    def apply(cls, *inputs, **settings):
        inputs = [x if isinstance(x, Value) else Value(x) for x in inputs]
        function = cls(*inputs)
        vars(function).update(settings)
        return Value(function.forward(*(x.data for x in inputs)), function)


class Add(Function):
    def forward(self, x, y):
        return x + y

    def backward(self, grad):
        return grad, grad


class Sub(Function):
    def forward(self, x, y):
        return x - y

    def backward(self, grad):
        return grad, -grad


class Mul(Function):
    def forward(self, x, y):
        self.x, self.y = x, y
        return x * y

    def backward(self, grad):
        return self.y * grad, self.x * grad


class Div(Function):
    def forward(self, x, y):
        self.x, self.y = x, y
        return x / y

    def backward(self, grad):
        return grad / self.y, -self.x * grad / self.y**2


class Neg(Function):
    def forward(self, x):
        return -x

    def backward(self, grad):
        return (-grad,)


class Pow(Function):
    def forward(self, x):
        self.x = x
        return x**self.n

    def backward(self, grad):
        return (grad * self.n * self.x ** (self.n - 1),)


class Tanh(Function):
    def forward(self, x):
        self.y = math.tanh(x)
        return self.y

    def backward(self, grad):
        return (grad * (1 - self.y**2),)


class Exp(Function):
    def forward(self, x):
        self.y = math.exp(x)
        return self.y

    def backward(self, grad):
        return (grad * self.y,)


class ReLU(Function):
    def forward(self, x):
        self.active = x > 0
        return x if self.active else 0.0

    def backward(self, grad):
        return (grad if self.active else 0.0,)


class Value:
    def __init__(self, data, function=None):
        self.data = float(data)
        self.grad = 0.0
        self.function = function

    def backward(self):
        self.grad = 1.0
        for value in self.sweep():
            if value.function is not None:
                for x, grad in zip(value.function.inputs, value.function.backward(value.grad)):
                    x.grad += grad

    def sweep(self):
        found = {}
        agenda = [(self, iter(self.function.inputs if self.function else ()))]
        found[id(self)] = self
        finished = []
        while agenda:
            value, rest = agenda[-1]
            for x in rest:
                if id(x) not in found:
                    found[id(x)] = x
                    agenda.append((x, iter(x.function.inputs if x.function else ())))
                    break
            else:
                finished.append(value)
                agenda.pop()
        return finished[::-1]

    def __add__(self, other):
        return Add.apply(self, other)

    def __radd__(self, other):
        return Add.apply(other, self)

    def __sub__(self, other):
        return Sub.apply(self, other)

    def __rsub__(self, other):
        return Sub.apply(other, self)

    def __mul__(self, other):
        return Mul.apply(self, other)

    def __rmul__(self, other):
        return Mul.apply(other, self)

    def __truediv__(self, other):
        return Div.apply(self, other)

    def __rtruediv__(self, other):
        return Div.apply(other, self)

    def __neg__(self):
        return Neg.apply(self)

    def __pow__(self, n):
        return Pow.apply(self, n=n)

    def tanh(self):
        return Tanh.apply(self)

    def exp(self):
        return Exp.apply(self)

    def relu(self):
        return ReLU.apply(self)
