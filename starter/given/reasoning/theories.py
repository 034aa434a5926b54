# Copied by `autograder starter` from autograder/diagnosis/reasoning/theories.py: edit that file.
"""Theories of what a backward pass did wrong, each with what a node's gradient would then be.

A theory is held against every node that can be judged. It stands when it gives the gradient that each of them holds,
right or wrong; one number that does not fit refutes it.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from .program import LEAF, Numbers, Place
from .reference import close
from .scene import Scene, Use
from .slopes import partials_of
from .values import value_of

MOST_SUMS = 2_000  # possible gradients of one node, beyond which a theory could explain anything
Contribution = Callable[[Use], float]


@dataclass(frozen=True)
class Theory:
    """A mistake, the operators it is about, and the gradients that a node could then hold."""

    code: str
    subject: str
    predict: Callable[[Place], Iterable[float]]

    def fits(self, scene: Scene) -> bool:
        """Return True if every node that can be judged holds a gradient that the theory allows."""
        return all(
            any(close(scene.held[place], each) for each in itertools.islice(self.predict(place), MOST_SUMS))
            for place in scene.judged
        )


def theories(scene: Scene) -> Iterator[Theory]:
    """Yield every theory about one pass: of each operator's rule, of accumulation and of order."""
    subjects = {use.consumer.subject: use.consumer.operation for shares in scene.shares.values() for use in shares}
    for subject, operation in subjects.items():
        yield from _of_a_rule(scene, subject, operation)
        yield Theory("overwrites-gradient", subject, lambda p, s=subject: _overwritten(scene, p, {s}))  # type: ignore[misc]  # mypy infers no default of a lambda
    yield Theory("overwrites-gradient", "", lambda p: _overwritten(scene, p, set(subjects)))
    yield Theory("gradient-lost", "", lambda p: _lost(scene.shares[p]))
    yield Theory("visited-again", "", lambda p: _passed_on(scene, p, _again))
    yield Theory("backward-order", "", lambda p: _passed_on(scene, p, _early))
    yield Theory("equal-values-merge", "", lambda p: _passed_on(scene, p, _merged))


def any_order(scene: Scene) -> Theory:
    """Return the theory that values pass their gradients on at any time and any number of times."""
    return Theory("backward-order", "", lambda p: _passed_on(scene, p, lambda s, c: [*_early(s, c), *_again(s, c)]))


def _of_a_rule(scene: Scene, subject: str, operation: str) -> Iterator[Theory]:
    """Yield the theories that one operator contributes something else than it should."""

    def theory(code: str, contribution: Contribution) -> Theory:
        def predict(place: Place) -> Iterable[float]:
            shares = scene.shares[place]
            try:
                return [sum(contribution(u) if u.consumer.subject == subject else u.share for u in shares)]
            except ArithmeticError:
                return []

        return Theory(code, subject, predict)

    yield theory("graph-cut", lambda use: 0.0)
    yield theory("forgets-out-grad", lambda use: use.partial)
    for code, local in local_patterns(operation):
        yield theory(code, lambda use, local=local: local(*_point(scene, use)) * use.arriving)  # type: ignore[misc]  # the same


def _point(scene: Scene, use: Use) -> tuple[tuple[float, ...], float, int]:
    return scene.reference.inputs(use.consumer), scene.reference.values[use.consumer.place], use.position


Local = Callable[[tuple[float, ...], float, int], float]


def local_patterns(operation: str) -> list[tuple[str, Local]]:
    """Return the wrong local derivatives of an operation that are known: of operands x, result y, by operand i."""
    return [(code, local) for code, names, local in _PATTERNS if operation in names]


def _right(operation: str) -> Local:
    return lambda x, y, i: partials_of(operation, x, y)[i]


def _swapped(operation: str, x: Numbers, i: int) -> float:
    """Return a local derivative where each operand is taken for the other."""
    other = x[::-1]
    return partials_of(operation, other, value_of(operation, other))[i]


def _of_all(
    code: str, operations: tuple[str, ...], wrong: Callable[[str], Local]
) -> list[tuple[str, tuple[str, ...], Local]]:
    return [(code, (operation,), wrong(operation)) for operation in operations]


_ALL = ("add", "sub", "mul", "truediv", "pow", "neg", "tanh", "exp", "relu")
_TWO = ("add", "sub", "mul", "truediv")
_PATTERNS: list[tuple[str, tuple[str, ...], Local]] = [
    *_of_all("wrong-sign", _ALL, lambda o: lambda x, y, i: -_right(o)(x, y, i)),
    *_of_all("wrong-sign", _TWO, lambda o: lambda x, y, i: _right(o)(x, y, i) * (-1 if i else 1)),
    *_of_all("wrong-sign", _TWO, lambda o: lambda x, y, i: _right(o)(x, y, i) * (1 if i else -1)),
    *_of_all("operand-forgotten", _TWO, lambda o: lambda x, y, i: _right(o)(x, y, i) * (0 if i else 1)),
    *_of_all("operand-forgotten", _TWO, lambda o: lambda x, y, i: _right(o)(x, y, i) * (1 if i else 0)),
    ("input-for-output", ("exp",), lambda x, y, i: x[0]),
    ("input-for-output", ("tanh",), lambda x, y, i: 1 - x[0] ** 2),
    *_of_all("wrong-operand", ("mul", "truediv"), lambda o: lambda x, y, i: _swapped(o, x, i)),
    *_of_all("wrong-exponent", ("pow",), lambda o: lambda x, y, i: _right(o)(x, y, i) * x[0]),
    *_of_all("wrong-exponent", ("pow",), lambda o: lambda x, y, i: _right(o)(x, y, i) * x[0] ** 2),
    *_of_all("wrong-exponent", ("pow",), lambda o: lambda x, y, i: _right(o)(x, y, i) / x[0]),
    ("derivative-at-kink", ("relu",), lambda x, y, i: float(x[0] >= 0)),
]


def _overwritten(scene: Scene, place: Place, by: set[str]) -> Iterator[float]:
    """Yield the sums that are left when the operators of `by` assign: the last to do so, and what others add later."""
    shares = scene.shares[place]
    assigning = [use for use in shares if use.consumer.subject in by]
    if not assigning:
        yield sum(use.share for use in shares)
    for last in assigning:
        above = scene.above(last.consumer.place)
        later = [u for u in shares if u.consumer.subject not in by and u.consumer.place not in above]
        for added in _subsets(later):
            yield last.share + sum(use.share for use in added)


def _lost(shares: list[Use]) -> list[float]:
    """Return the sums when one use of several is all that counts, once or for each of them."""
    if len(shares) < 2:
        return [sum(use.share for use in shares)]
    return [use.share * times for use in shares for times in (1, len(shares))]


def _passed_on(scene: Scene, place: Place, arriving: Callable[[Scene, Place], list[float]]) -> Iterator[float]:
    """Yield the sums when each consumer passes on one of the gradients that `arriving` gives for it."""
    slopes: dict[Place, float] = {}
    for use in scene.shares[place]:
        slopes[use.consumer.place] = slopes.get(use.consumer.place, 0.0) + use.partial
    for choice in itertools.product(*[arriving(scene, consumer) for consumer in slopes]):
        yield sum(slope * gradient for slope, gradient in zip(slopes.values(), choice, strict=True))


def _early(scene: Scene, consumer: Place) -> list[float]:
    """Return what a node could pass on before all its shares are there."""
    if consumer == scene.root:
        return [scene.right[consumer]]
    return [sum(use.share for use in some) for some in _subsets(scene.shares[consumer])]


def _again(scene: Scene, consumer: Place) -> list[float]:
    """Return what a node could pass on in all, if it did so again after each share or several times at the end."""
    whole = scene.right[consumer]
    shares = [use.share for use in scene.shares[consumer]]
    if len(shares) < 2:
        return [whole]
    visits = [sum(itertools.accumulate(order)) for order in itertools.permutations(shares[:4])]
    return [whole, *(whole * times for times in range(2, 9)), *(visits if len(shares) <= 4 else [])]


def _merged(scene: Scene, consumer: Place) -> list[float]:
    """Return what a node could pass on if it, or another that holds an equal number, is left out."""
    value, whole = scene.reference.values[consumer], scene.right[consumer]
    twins = [p for p in scene.places if p != consumer and scene.reference.values[p] == value]
    return [whole, 0.0] if twins and scene.program.nodes[consumer].operation != LEAF else [whole]


def _subsets(shares: list[Use]) -> Iterator[tuple[Use, ...]]:
    several = shares[:10]  # 1,024 subsets: beyond, the sums would explain anything
    return itertools.chain.from_iterable(itertools.combinations(several, size) for size in range(len(several) + 1))
