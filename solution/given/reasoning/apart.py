# Copied by `autograder starter` from autograder/diagnosis/reasoning/apart.py: edit that file.
"""One operator's wrong derivative, in a program whose numbers tell where they come from: the line it was computed at.

Some engines add all shares at one line, whatever operator they are of. There the wrong number is looked for: the line
at which it is first seen computed it, unless that line also computes the numbers of other operators.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from .line_log import DATA, GRAD, LineStep, TracedRun
from .program import LEAF, Node, Place, TracedProgram
from .reference import close
from .sample import SPECIAL, Sample, elsewhere
from .witness import Witness

_FACTOR, _SUMMAND, _OUTER = 2.3, 1.1, 1.3  # numbers that nothing else in the program has
_F, _K, _T, _Z, _S, _M, _ROOT = (Place(20 + i) for i in range(7))


@dataclass(frozen=True)
class _Setting:
    """A program with one operator f in it, and what is known of the rest of it."""

    nodes: tuple[Node, ...]
    arriving: float  # the gradient of f's result
    control: tuple[float, ...]  # numbers of the backward pass that belong to other operators
    written: dict[str, tuple[Place, ...]]  # the values to whose gradients each of the other operators adds


@dataclass(frozen=True)
class Apart:
    """What one operator did beside others: the lines that serve others too, and where its wrong number came from."""

    shared: frozenset[int]  # lines that add shares of other operators
    in_common: bool  # all shares are added at one line, whatever operator they are of
    source: LineStep | None  # the line at which the wrong number was first seen
    made: LineStep | None  # the line that made the operator's result
    added: LineStep | None  # the last change of the gradient that is wrong
    share: float  # that gradient
    due: float
    arriving: float  # the gradient of the operator's result

    @property
    def got(self) -> float:
        """Return the wrong local derivative."""
        return self.share / self.arriving

    @property
    def right(self) -> float:
        """Return the right one."""
        return self.due / self.arriving


def apart(sample: Sample, witness: Witness) -> Apart | None:
    """Return what an operator does that is wrong where the scene uses it, or elsewhere; None if it shows nothing."""
    for each in (elsewhere(sample), sample, *SPECIAL.get(sample.operation, ())):
        setting = _setting(each)
        held = witness.replayed(setting.nodes)
        got = [one.gradient for one in held[: len(each.values)]] if held else []
        due = [right * setting.arriving for right in each.right]
        wrong = [i for i, share in enumerate(got) if share is not None and not close(share, due[i])]
        if wrong:
            share = got[wrong[0]] or 0.0
            computed = [each for i, each in enumerate(due) if i not in wrong]
            known = [*each.x, each.y, *each.right, *computed, 0.0, 1.0]  # seen elsewhere, for good reasons
            sought = [x for x in (share, share / setting.arriving) if not any(close(x, one) for one in known)]
            run = witness.traced(setting.nodes, [*setting.control, *sought])
            return _read(each, setting, run, wrong[0], share, due[wrong[0]]) if run and run.log.complete else None
    return None


def _setting(sample: Sample) -> _Setting:
    """Return (f(x) · k + z) · m; for a product f, exp(f(x) + z), so that no other product is there."""
    leaves = sample.leaves()
    f = [*leaves, sample.node(_F, range(len(leaves)))]
    z = Node(_Z, LEAF, (_SUMMAND,))
    if sample.operation == "mul":
        root = math.exp(sample.y + _SUMMAND)
        nodes = [*f, z, Node(_S, "add", (_F, _Z)), Node(_ROOT, "exp", (_S,))]
        return _Setting(tuple(nodes), root, (root,), {"exp": (_S,), "add": (_F, _Z)})
    k, m = Node(_K, LEAF, (_FACTOR,)), Node(_M, LEAF, (_OUTER,))
    t, total = Node(_T, "mul", (_F, _K)), Node(_S, "add", (_T, _Z))
    nodes = [*f, k, t, z, total, m, Node(_ROOT, "mul", (_S, _M))]
    arriving = _FACTOR * _OUTER
    return _Setting(tuple(nodes), arriving, (_FACTOR, arriving), {"mul": (_F, _K, _S, _M), "add": (_T, _Z)})


def _read(sample: Sample, setting: _Setting, run: TracedRun, at: int, share: float, due: float) -> Apart:
    written = {
        operation: frozenset(step.line for place in places for step in run.log.of(place, GRAD))
        for operation, places in setting.written.items()
    }
    shared = frozenset[int]().union(*(lines for name, lines in written.items() if name != sample.operation))
    serving = {step.line for step in run.sightings if step.place < len(setting.control)}
    found = (step for step in run.sightings if step.place >= len(setting.control) and step.line)
    return Apart(
        shared=shared,
        in_common=bool(frozenset.intersection(*written.values())),
        source=next((step for step in found if step.line not in serving | shared), None),
        made=next(iter(run.log.of(_F, DATA)), None),
        added=next(reversed(run.log.of(at, GRAD)), None),
        share=share,
        due=due,
        arriving=setting.arriving,
    )


def used_twice(sample: Sample, at: int) -> TracedProgram:
    """Return f(x) · 2.3 + f(x) · 1.3, whose two shares differ: x is the operand `at`, the others are apart."""
    first, again = sample.leaves(), sample.leaves()
    count = len(first)
    again = [replace(leaf, place=Place(count + n)) for n, leaf in enumerate(again)]
    end = 2 * count
    places = [at if n == at else count + n for n in range(count)]
    nodes = [
        *first,
        *again,
        sample.node(end, range(count)),
        sample.node(end + 1, places),
        Node(Place(end + 2), "mul", (Place(end), _FACTOR)),
        Node(Place(end + 3), "mul", (Place(end + 1), _OUTER)),
        Node(Place(end + 4), "add", (Place(end + 2), Place(end + 3))),
    ]
    return TracedProgram(tuple(nodes), (Place(end + 4),))
