"""Is a gradient right? Compare it with differences of the function itself. Part 6: going further, worth no points.

A central difference (f(x + eps) - f(x - eps)) / 2 eps needs no derivative, so it cannot repeat a mistake in one. It is
for small inputs, 64-bit floats and finding mistakes: two evaluations for every number that f depends on.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Array: TypeAlias = npt.NDArray[Any]
Differentiated: TypeAlias = Callable[..., tuple[float, dict[str, Array]]]  # of parameters and data: loss and gradients

AGREE = 1e-6  # relative errors below it come from rounding
BUG = 1e-2  # relative errors above it come from a mistake: in the gradient, or in how it is checked
TINY = 1e-8  # gradients below it say little in relative terms
KINK = 0.1  # slopes on the two sides that differ by so much, relative to their sizes, are those of a kink

ADVICE = {
    "": "",
    "float32": "float32 has too few digits for so small an eps: check in float64.",
    "near zero": "Both gradients are near zero: the absolute gap is tiny, and the relative error says little.",
    "kink": "The slopes on the two sides differ: there is a kink within eps. Shrink eps, or move away from it.",
}


def cube(x: float) -> float:  # given
    """Return x³, a function to try a difference on."""
    return x**3


def sum_of_cubes(x: Array) -> float:  # given
    """Return the sum of x³ over all entries, a function of an array to try."""
    return float((x**3).sum())


def central_difference(f: Callable[[float], float], x: float, eps: float = 1e-5) -> float:  # task 6.1
    """Return an estimate of f′(x). Its error grows as eps² where f is smooth; rounding adds some 1e-16 · f / eps."""
    return (f(x + eps) - f(x - eps)) / (2.0 * eps)


def numerical_gradient(f: Callable[[Array], float], x: Array, eps: float = 1e-5) -> Array:  # task 6.1
    """Return the estimate for every entry of the array x, in an array of its shape. Afterwards x is as it was."""
    gradient = np.zeros_like(x)
    for index in np.ndindex(x.shape):
        kept = x[index]
        x[index] = kept + eps
        above = f(x)
        x[index] = kept - eps
        below = f(x)
        x[index] = kept
        gradient[index] = (above - below) / (2.0 * eps)
    return gradient


def relative_error(a: Array, b: Array) -> Array:  # task 6.2
    """Return |a - b| / (|a| + |b|), entry by entry: from 0, equal, to 1, of opposite signs or only one of them zero.

    The divisor is at least 1e-8, so that two zeros agree.
    """
    return np.asarray(np.abs(a - b) / np.maximum(TINY, np.abs(a) + np.abs(b)))


def verdict(error: float) -> str:  # task 6.3
    """Return what a relative error means in 64-bit floats: "agree" below 1e-6, "bug" above 1e-2, else "vary eps"."""
    if error < AGREE:
        return "agree"
    return "bug" if error > BUG else "vary eps"


def advice(dtype: str, gap: float, left: float, right: float) -> str:  # task 6.4
    """Return why a large relative error may mislead: "float32", "near zero", "kink", or "" for no excuse.

    In this order: `dtype` has too few digits; the absolute `gap` is below 1e-8; the slopes to the `left` and to the
    `right` of the entry differ by more than a tenth of the sum of their sizes.
    """
    if dtype != "float64":
        return "float32"
    if gap < TINY:
        return "near zero"
    return "kink" if abs(right - left) > KINK * (abs(right) + abs(left)) else ""


def check(
    f: Differentiated, parameters: dict[str, Array], *data: Any, eps: float = 1e-5, dtype: str = "float64"
) -> dict[str, dict[str, Any]]:  # task 6.5
    """Return, for each array of `parameters`, how well the gradients that f(parameters, *data) returns agree.

    Each report holds the largest relative "error", the "index" of the entry that has it, the absolute "gap" there, the
    "verdict" and, unless they agree, an "advice" from ADVICE. All is computed in `dtype`, and the arrays that are given
    stay as they are.
    """
    held = {name: array.astype(dtype) for name, array in parameters.items()}
    given = [converted(part, dtype) for part in data]
    _, gradients = f(held, *given)

    def loss(_: Array) -> float:  # given
        return f(held, *given)[0]

    reports = {}
    for name, array in held.items():
        numeric = numerical_gradient(loss, array, eps)
        errors = relative_error(numeric, gradients[name])
        index = tuple(int(i) for i in np.unravel_index(errors.argmax(), errors.shape))
        error, gap = float(errors[index]), float(abs(numeric[index] - gradients[name][index]))
        excuse = "" if verdict(error) == "agree" else advice(dtype, gap, *two_slopes(loss, array, index, eps))
        reports[name] = {
            "error": error,
            "index": index,
            "gap": gap,
            "verdict": verdict(error),
            "advice": ADVICE[excuse],
        }
    return reports


def converted(part: Any, dtype: str) -> Any:  # given
    """Return an array of floats in `dtype`, and anything else, such as labels or a function, as it is."""
    floating = isinstance(part, np.ndarray) and part.dtype.kind == "f"
    return part.astype(dtype) if floating else part


def two_slopes(
    f: Callable[[Array], float], x: Array, index: tuple[int, ...], eps: float
) -> tuple[float, float]:  # given
    """Return the slopes of f to the left and to the right of one entry of x."""
    kept, middle = x[index], f(x)
    x[index] = kept - eps
    left = (middle - f(x)) / eps
    x[index] = kept + eps
    right = (f(x) - middle) / eps
    x[index] = kept
    return float(left), float(right)
