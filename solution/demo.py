"""Shows your engine at work. Run `python demo.py` once it works, and `python demo.py --help` for what else there is.

film   writes film.html, to open in a browser: each step of your backward pass, beside the line that does it;
       of a*a + a, or of what you like: python demo.py film "tanh(a*b) + a" a=0.5 b=2
graph  writes graph.svg: the graph alone, with values and gradients
xor    trains a small network to compute exclusive or; it needs engine.py only
line   fits the line y = 2x - 1 to five points; it needs nn.py, part 4
sine   fits sin(πx) with a network of 16 hidden neurons in 2,000 steps, some ten seconds; it needs nn.py too
"""

from __future__ import annotations

import argparse
import importlib
import io
import math
import random
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from engine import Value

EXAMPLES = (((0, 0), -1), ((0, 1), 1), ((1, 0), 1), ((1, 1), -1))  # two inputs, and -1 for equal or 1 for different
HIDDEN = 4
STEPS = 150
RATE = 0.1

BREAKABLE = {"add": "+", "mul": "*", "tanh": "tanh", "exp": "exp", "relu": "relu"}  # and how each is written
EXPRESSIONS = (
    *("a + b", "a + a", "a * b", "a * a", "a * a + a", "(a + b) * (a * 3)", "b * a + a * b"),
    *("(a * b).tanh()", "a.tanh() + a.tanh()", "3 * (2 * a).exp()", "a.exp() * b + a.exp()"),
    *("(a * b).relu()", "a.relu() + a.relu()"),
)

Neuron = list[Value]  # one weight for each input, then the bias


def new_neuron(inputs: int, generator: random.Random) -> Neuron:  # given
    """Return a neuron with random weights."""
    return [Value(generator.uniform(-1, 1)) for _ in range(inputs + 1)]


def output(neuron: Neuron, inputs: list[Value]) -> Value:  # given
    """Return tanh(w · x + b)."""
    *weights, bias = neuron
    return sum([w * x for w, x in zip(weights, inputs, strict=True)], bias).tanh()


def prediction(hidden: list[Neuron], last: Neuron, inputs: tuple[int, int]) -> Value:  # given
    """Return what the network answers, between -1 and 1."""
    leaves = [Value(x) for x in inputs]
    return output(last, [output(neuron, leaves) for neuron in hidden])


def loss_of(hidden: list[Neuron], last: Neuron) -> Value:  # given
    """Return the sum of squared errors over all examples."""
    return sum([(prediction(hidden, last, inputs) - target) ** 2 for inputs, target in EXAMPLES], Value(0))


def draw(name: str, arguments: list[str]) -> None:  # given
    """Write the graph or the film of an expression beside this file."""
    filming = importlib.import_module("given.filming")
    make, suffix = (filming.film_page, "html") if name == "film" else (filming.graph, "svg")
    file = Path(__file__).with_name(f"{name}.{suffix}")
    file.write_text(make(importlib.import_module("engine"), arguments), encoding="utf-8", newline="\n")
    print(f"{file.name} is written: open it in a browser")


def xor() -> None:  # given
    """Train by gradient descent: a new graph at each step, and all gradients cleared before it."""
    generator = random.Random(7)
    hidden = [new_neuron(2, generator) for _ in range(HIDDEN)]
    last = new_neuron(HIDDEN, generator)
    parameters = [parameter for neuron in (*hidden, last) for parameter in neuron]
    for step in range(STEPS + 1):
        for parameter in parameters:
            parameter.grad = 0.0  # otherwise this step would add to the gradients of the last
        loss = loss_of(hidden, last)
        loss.backward()
        if step % 50 == 0:
            print(f"step {step:3}   loss {loss.data:.4f}")
        for parameter in parameters:
            parameter.data -= RATE * parameter.grad
    for inputs, target in EXAMPLES:
        print(f"{inputs}   answer {prediction(hidden, last, inputs).data:+.2f}   wanted {target:+}")


def line() -> None:  # given
    """Fit a line to five points of y = 2x - 1, with `fit_line` of nn.py."""
    xs = [-2.0, -1.0, 0.0, 1.0, 2.0]
    ys = [2 * x - 1 for x in xs]
    for steps in (0, 10, 100):
        w, b = network_module().fit_line(xs, ys, steps, RATE)
        print(f"step {steps:3}   y = {w:.4f} x {b:+.4f}")


def sine() -> None:  # given
    """Fit sin(πx) at 13 points from -1 to 1, with `MLP` and `fit` of nn.py."""
    nn = network_module()
    xs = [[i / 6 - 1] for i in range(13)]
    ys = [[math.sin(math.pi * x)] for (x,) in xs]
    model = nn.MLP([1, 16, 1], seed=0)
    print(f"step    0   mean squared error {nn.squared_error(model, xs, ys).data:.4f}")
    for step in range(200, 2001, 200):
        losses = nn.fit(model, xs, ys, 200, RATE)
        print(f"step {step:4}   mean squared error {losses[-1]:.6f}")


def network_module() -> Any:  # given
    """Return nn.py, or end the program with a sentence."""
    try:
        return importlib.import_module("nn")
    except ModuleNotFoundError as missing:
        sys.exit(f"This needs nn.py, of part 4: {missing}.")


def overwrites(copy: Value, original: Value) -> None:  # given
    """Make `copy`, in its place, write to the gradient of `original` with `=`."""

    def overwrite(_: Value, gradient: float) -> None:  # given
        original.grad = gradient

    copy.__class__ = type("Overwriting", (Value,), {"__slots__": (), "grad": property(lambda _: 0.0, overwrite)})


@contextmanager
def broken(operator: str) -> Iterator[None]:  # given
    """Break the rule of an operator of your engine: `=` in place of `+=`, for the right operand if there are two."""
    name = f"__{operator}__" if operator in {"add", "mul"} else operator
    right: Callable[..., Value] = getattr(Value, name)

    def wrong(*operands: Any) -> Value:  # given
        *others, last = operands
        setattr(Value, name, right)  # what your engine does inside is left alone
        copy = last * 1.0 if isinstance(last, Value) else last
        result = right(*others, copy)
        setattr(Value, name, wrong)
        if isinstance(last, Value):
            overwrites(copy, last)
        return result

    setattr(Value, name, wrong)
    try:
        yield
    finally:
        setattr(Value, name, right)


def gradients(expression: str) -> tuple[float, float]:  # given
    """Return the derivatives of an expression of a and b, at a = 3 and b = 2."""
    a, b = Value(3.0), Value(2.0)
    eval(expression, {"a": a, "b": b}).backward()  # noqa: S307 - typed by whoever runs this, on their own computer
    return a.grad, b.grad


def compare(operator: str, expressions: list[str]) -> None:  # given
    """Print which expressions show the broken rule, and which hide it."""
    chosen = expressions or [each for each in EXPRESSIONS if BREAKABLE[operator] in each]
    print(f"`=` in place of `+=` in the rule of {BREAKABLE[operator]}, at a = 3 and b = 2\n")
    print(f"{'expression':24}{'d/da':>12}{'broken':>12}{'d/db':>12}{'broken':>12}")
    for expression in chosen:
        right = gradients(expression)
        with broken(operator):
            wrong = gradients(expression)
        pairs = "".join(f"{r:12.5g}{w:12.5g}" for r, w in zip(right, wrong, strict=True))
        print(f"{expression:24}{pairs}   {'hides it' if right == wrong else 'shows it'}")
    print("\nWhy? And which is the smallest expression that shows it? Try others:")
    print(f'python demo.py --break {operator} "a * (a + b)"')


def show() -> None:  # given
    """Show what the command line names."""
    shows: dict[str, Callable[[], None]] = {"graph": partial(draw, "graph", []), "xor": xor, "line": line, "sine": sine}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="*", help="film, or some of graph, xor, line, sine [all four]; see above")
    parser.add_argument("--break", dest="operator", choices=BREAKABLE, help="show what `=` for `+=` does to its rule")
    arguments = parser.parse_args()
    unknown = [name for name in arguments.what if name not in shows]
    if unknown and not arguments.operator:
        parser.error(f"there is no demonstration `{unknown[0]}`: choose from film, {', '.join(shows)}")
    if arguments.operator:
        compare(arguments.operator, arguments.what)
    for name in () if arguments.operator else arguments.what or shows:
        print(f"\n{name}")
        shows[name]()


def main() -> None:  # given
    """Do what the command line says; name the task that is still to be written."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # on Windows, a file or a pipe may have no letter for π
    first, rest = sys.argv[1:2], sys.argv[2:]
    drawn = first in (["film"], ["graph"]) and not any(each in ("-h", "--help", "xor", "line", "sine") for each in rest)
    try:
        if drawn:
            draw(first[0], rest)
        else:
            show()
    except NotImplementedError as untouched:
        sys.exit(f"This needs {untouched}, which is not written yet. README.md says what belongs there.")


if __name__ == "__main__":
    main()
