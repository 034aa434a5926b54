"""A small engine, the mistakes that are made in it by editing, and what is said after a test of it."""

from typing import Any

from autograder.diagnosis.diagnose import diagnose
from autograder.errors import AutograderError
from autograder.interface import RemoteInterface
from autograder.remote.module import RemoteModule
from autograder.remote.replay import Replay
from autograder.remote.tape import Tape

from .near import Near

INTERFACE = RemoteInterface(
    file="engine.py",
    numbers=("data", "grad"),
    deferred=("constructors", "operators", "tanh", "relu", "exp", "backward"),
)
RULES = ("+", "*", "**", "-", "/", "tanh", "exp", "relu")


def after(source, test):
    """Return the diagnosis after `test` was performed with the engine in `source`, as if it had failed."""
    return diagnose(recorded(Near(source), test))


def after_line_by_line(source, test):
    """Return the diagnosis after `test`, with the line of engine.py that is to blame for it."""

    worker: Any = lambda: Near(source)  # noqa: E731 - a new one each time
    tape = performed(Near(source), test)
    return diagnose(
        Replay(tape, worker, lambda _: None),
        lambda *_: Replay(tape, worker, lambda _: None, files=("engine.py",), performs=False),
    )


def recorded(near, test):
    """Return what `test` did, performed by a worker in this process, which may be questioned."""
    return Replay(performed(near, test), lambda: near, lambda _: None)


def performed(near, test):
    """Return the tape of a test that was performed by a worker in this process."""
    tape = Tape(near, lambda: 1.0)
    tape.reset()
    try:
        test(RemoteModule(tape, INTERFACE, 1, near.names))
        tape.flush()
    except AutograderError:
        pass
    return tape


def edited(*edits, source=""):
    """Return the engine with texts replaced, each of which must be there."""
    text = source or ENGINE
    for old, new in edits:
        assert old in text, old
        text = text.replace(old, new)
    return text


def assigning(operator):
    """Return the engine in which the rule of one operator assigns its gradients."""
    lines = ENGINE.split("\n")
    return "\n".join(line.replace("+=", "=") if line.endswith(f"# {operator}") else line for line in lines)


ENGINE = """
import math
class Value:
    def __init__(self, data, _children=()):
        self.data = data
        self.grad = 0.0
        self._backward = lambda: None
        self._prev = set(_children)
    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other))
        def _backward():
            self.grad += out.grad  # +
            other.grad += out.grad  # +
        out._backward = _backward
        return out
    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other))
        def _backward():
            self.grad += other.data * out.grad  # *
            other.grad += self.data * out.grad  # *
        out._backward = _backward
        return out
    def __pow__(self, n):
        out = Value(self.data ** n, (self,))
        def _backward():
            self.grad += n * self.data ** (n - 1) * out.grad  # **
        out._backward = _backward
        return out
    def __neg__(self):
        return self * -1
    def __sub__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data - other.data, (self, other))
        def _backward():
            self.grad += out.grad  # -
            other.grad += -out.grad  # -
        out._backward = _backward
        return out
    def __truediv__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data / other.data, (self, other))
        def _backward():
            self.grad += out.grad / other.data  # /
            other.grad += -self.data / other.data ** 2 * out.grad  # /
        out._backward = _backward
        return out
    def __radd__(self, other):
        return self + other
    def __rmul__(self, other):
        return self * other
    def __rsub__(self, other):
        return Value(other) - self
    def __rtruediv__(self, other):
        return Value(other) / self
    def tanh(self):
        t = math.tanh(self.data)
        out = Value(t, (self,))
        def _backward():
            self.grad += (1 - t ** 2) * out.grad  # tanh
        out._backward = _backward
        return out
    def exp(self):
        out = Value(math.exp(self.data), (self,))
        def _backward():
            self.grad += out.data * out.grad  # exp
        out._backward = _backward
        return out
    def relu(self):
        out = Value(self.data if self.data > 0 else 0.0, (self,))
        def _backward():
            self.grad += (self.data > 0) * out.grad  # relu
        out._backward = _backward
        return out
    def backward(self):
        topo = []
        visited = set()
        def build(v):
            if v not in visited:
                visited.add(v)
                for c in v._prev:
                    build(c)
                topo.append(v)
        build(self)
        self.grad = 1.0
        for v in reversed(topo):
            v._backward()
"""
