# Copied by `autograder starter` from autograder/diagnosis/reasoning/reason.py: edit that file.
"""From the program of a failed test to the mistake: values first, then gradients; the nearest cause, or none.

The work is bounded: at most MOST_NODES nodes of at most MOST_PASSES backward passes are looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from .backward import wrong_gradients
from .between import wrong_between_graphs
from .blame import line_of
from .drawing import drawing
from .forward import wrong_values
from .found import Found
from .probes import Laboratory
from .program import UNKNOWN, Place, TracedProgram
from .raised import Halt, why_raised
from .reference import reference_of
from .scene import scene_of
from .sentences import RANK
from .witness import Witness

MOST_NODES = 400
MOST_PASSES = 3


def reason_of(
    program: TracedProgram, witness: Witness, halt: Halt | None, anew: Callable[[Found], Witness | None]
) -> Found | None:
    """Return the mistake that made a test fail, which raised at `halt` or had wrong numbers; None if none shows.

    If the line that makes the mistake is wanted, `anew` returns a witness that has performed nothing yet.
    """
    untouched = halt is not None and halt.kind == "NotImplementedError"
    group = None if untouched else _of_numbers(program, witness, sweeps=halt is None)
    if group is None:
        return why_raised(halt, program, witness) if halt else _of_graphs(program, witness)
    found, places = group
    other = anew(found)
    if other is None:
        return found
    return replace(found, line=line_of(found, program, places, reference_of(program, places), other))


def _of_graphs(program: TracedProgram, witness: Witness) -> Found | None:
    """Return why graphs are wrong together that are right alone, unless the test itself set a number."""
    return None if program.touched else wrong_between_graphs(program, witness)


def _of_numbers(program: TracedProgram, witness: Witness, *, sweeps: bool) -> tuple[Found, tuple[Place, ...]] | None:
    """Return why numbers are wrong, and where: those of the last backward passes, or without any, of the last nodes."""
    if not program.nodes or program.touched:
        return None
    groups = [program.before(output) for output in reversed(program.outputs[-MOST_PASSES:])]
    apart = len({place for group in groups for place in group}) == sum(map(len, groups))
    if not groups:
        groups = [tuple(node.place for node in program.nodes[-MOST_NODES:])]
    for places in groups:
        if len(places) <= MOST_NODES:
            found = _of_group(program, places, witness, sweeps=sweeps and apart and bool(program.outputs))
            if found is not None:
                return found, places
    return None


def _of_group(program: TracedProgram, places: tuple[Place, ...], witness: Witness, *, sweeps: bool) -> Found | None:
    if any(program.nodes[place].operation == UNKNOWN for place in places):
        return None
    reference = reference_of(program, places)
    held = dict(zip(places, witness.numbers([program.nodes[place] for place in places]), strict=True))
    scene = scene_of(program, places, reference, held) if sweeps else None
    found = wrong_values(program, places, reference, held, witness)
    if found is None and scene is not None:
        found = wrong_gradients(scene, Laboratory(witness, scene))
    data: dict[Place, float | None] = {place: each.data for place, each in held.items()}
    return replace(found, drawing=drawing(program, places, reference, data, scene)) if found else None


def ranked(found: Iterable[tuple[str, str]]) -> list[tuple[str, list[str]]]:
    """Return each code with all that it is about, the most fundamental mistake first."""
    subjects: dict[str, dict[str, None]] = {}
    for code, subject in found:
        subjects.setdefault(code, {}).update({subject: None} if subject else {})
    return [(code, list(subjects[code])) for code in sorted(subjects, key=lambda code: RANK.get(code, len(RANK)))]
