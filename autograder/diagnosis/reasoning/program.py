"""The recorded program: what a test computed with the submission's values.

Only the arithmetic that the handout asks for is understood. A step of another kind gives a node that is unknown, and
so does every step that builds on it: of those a diagnosis says nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

BINARY = ("add", "sub", "mul", "truediv", "pow")
UNARY = ("neg", "tanh", "exp", "relu")
LEAF, UNKNOWN = "leaf", "unknown"
VALUE = "Value"  # the class of the values, as the handout names it
MANY_PATHS = 1_000_000  # an engine that follows each of them cannot come to an end
_SYMBOLS = {"add": "+", "sub": "-", "mul": "*", "truediv": "/", "pow": "**", "neg": "unary -"}

Numbers = tuple[float, ...]
Operand = int | float  # the index of a node is a Place, so that it is told from the number 2


class Place(int):
    """The index of a node in its program, where a plain number might stand too."""

    __slots__ = ()


@dataclass(frozen=True)
class Node:
    """One value of a test: how it was made, and a handle of it."""

    place: Place
    operation: str  # one of BINARY and UNARY, LEAF or UNKNOWN
    operands: tuple[Operand, ...]  # of a leaf: its number
    handle: int = 0  # by which whoever performed it knows the result
    in_place: bool = False  # written as `x += y`

    @property
    def parents(self) -> tuple[Place, ...]:
        """Return the operands that are nodes, each as often as it is used."""
        return tuple(operand for operand in self.operands if type(operand) is Place)

    @property
    def reflected(self) -> bool:
        """Return True if a plain number stands on the left."""
        return len(self.operands) == 2 and type(self.operands[0]) is not Place

    @property
    def subject(self) -> str:
        """Return the name of the operator as a student knows it: `*`, `tanh`, `__rsub__`."""
        if self.operation == LEAF:
            return VALUE
        return f"__r{self.operation}__" if self.reflected else symbol(self.operation)


def leaves_of(*numbers: float) -> list[Node]:
    """Return a leaf for each number, numbered from 0."""
    return [Node(Place(n), LEAF, (number,)) for n, number in enumerate(numbers)]


def symbol(operation: str) -> str:
    """Return how an operation is written: `*` for mul."""
    return _SYMBOLS.get(operation, operation)


@dataclass(frozen=True)
class TracedProgram:
    """All nodes of a test in the order in which they were made, and the outputs of its backward passes."""

    nodes: tuple[Node, ...]
    outputs: tuple[Place, ...]
    touched: bool = False  # the test itself set an attribute, so that gradients need not be those of one pass

    def before(self, root: Place) -> tuple[Place, ...]:
        """Return the nodes that `root` is computed from, itself included, in the order of their making."""
        found: set[Place] = set()
        waiting = [root]
        while waiting:
            place = waiting.pop()
            if place not in found:
                found.add(place)
                waiting += self.nodes[place].parents
        return tuple(sorted(found))


def uses(program: TracedProgram, places: tuple[Place, ...]) -> dict[Place, list[tuple[Place, int]]]:
    """Return for every node among `places` where it is used: the consumer and the position of the operand."""
    found: dict[Place, list[tuple[Place, int]]] = {place: [] for place in places}
    for place in places:
        for position, operand in _positions(program.nodes[place]):
            found[operand].append((place, position))
    return found


def _positions(node: Node) -> Iterator[tuple[int, Place]]:
    for position, operand in enumerate(node.operands):
        if type(operand) is Place:
            yield position, operand


def most_paths(program: TracedProgram) -> int:
    """Return how many ways lead from the node that has most of them down to the leaves."""
    paths: dict[Place, int] = {}
    for node in program.nodes:
        paths[node.place] = sum(paths[parent] for parent in node.parents) or 1
    return max(paths.values(), default=0)
