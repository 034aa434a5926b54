"""Operation classes, each with a forward that keeps what its backward needs, as in large frameworks."""

import math


class Operation:
    def __call__(self, *arguments):
        self.inputs = [x if isinstance(x, Value) else Value(x) for x in arguments]
        result = Value(self.forward(*(x.data for x in self.inputs)))
        result.creator = self
        result.generation = 1 + max(x.generation for x in self.inputs)
        return result


class Add(Operation):
    def forward(self, a, b):
        return a + b

    def backward(self, g):
        return g, g


class Sub(Operation):
    def forward(self, a, b):
        return a - b

    def backward(self, g):
        return g, -g


class Mul(Operation):
    def forward(self, a, b):
        self.saved = a, b
        return a * b

    def backward(self, g):
        a, b = self.saved
        return g * b, g * a


class Div(Operation):
    def forward(self, a, b):
        self.saved = a, b
        return a / b

    def backward(self, g):
        a, b = self.saved
        return g / b, -g * a / b**2


class Neg(Operation):
    def forward(self, a):
        return -a

    def backward(self, g):
        return (-g,)


class Pow(Operation):
    def __init__(self, n):
        self.n = n

    def forward(self, a):
        self.saved = a
        return a**self.n

    def backward(self, g):
        return (g * self.n * self.saved ** (self.n - 1),)


class Tanh(Operation):
    def forward(self, a):
        self.saved = math.tanh(a)
        return self.saved

    def backward(self, g):
        return (g * (1 - self.saved**2),)


class Exp(Operation):
    def forward(self, a):
        self.saved = math.exp(min(a, 700.0))  # a guard against overflow, where doubles end
        return self.saved

    def backward(self, g):
        return (g * self.saved,)


class Relu(Operation):
    def forward(self, a):
        self.saved = a > 0
        return a if self.saved else 0.0

    def backward(self, g):
        return (g if self.saved else 0.0,)


class Value:
    def __init__(self, data):
        self.data = data
        self.grad = 0.0
        self.creator = None
        self.generation = 0

    def __add__(self, other):
        return Add()(self, other)

    def __radd__(self, other):
        return Add()(other, self)

    def __sub__(self, other):
        return Sub()(self, other)

    def __rsub__(self, other):
        return Sub()(other, self)

    def __mul__(self, other):
        return Mul()(self, other)

    def __rmul__(self, other):
        return Mul()(other, self)

    def __truediv__(self, other):
        return Div()(self, other)

    def __rtruediv__(self, other):
        return Div()(other, self)

    def __neg__(self):
        return Neg()(self)

    def __pow__(self, n):
        return Pow(n)(self)

    def tanh(self):
        return Tanh()(self)

    def exp(self):
        return Exp()(self)

    def relu(self):
        return Relu()(self)

    def backward(self):
        self.grad = 1.0
        waiting, met = [self], {id(self)}
        while waiting:
            waiting.sort(key=lambda value: value.generation)
            value = waiting.pop()
            if value.creator is None:
                continue
            for x, g in zip(value.creator.inputs, value.creator.backward(value.grad)):
                x.grad += g
                if id(x) not in met:
                    met.add(id(x))
                    waiting.append(x)
