"""From a failed test to its diagnosis: values first, then gradients; the nearest cause, or none.

The work is bounded: at most MOST_NODES nodes of at most MOST_PASSES backward passes are looked at, and the worker is
questioned for half a second at most. A test that passed costs nothing here.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable

from msgspec.structs import replace

from ..errors import OwnTimeout, ProtocolError, RemoteError, WorkerCrash, WorkerError, WorkerTimeout
from ..model import Diagnosis
from ..remote.replay import Replay
from .backward import wrong_gradients
from .blame import line_of
from .drawing import drawing
from .evidence import Witness
from .forward import wrong_values
from .probes import Laboratory
from .program import UNKNOWN, Place, TracedProgram, program_of
from .raised import why_raised
from .reference import reference_of
from .scene import scene_of
from .stopped import why_stopped

MOST_STEPS = 2_000  # of a test whose numbers are looked at
MOST_NODES = 400
MOST_PASSES = 3


def diagnose(tape: Replay, anew: Callable[[Diagnosis], Replay | None] = lambda _: None) -> Diagnosis | None:
    """Return what is wrong with the submission that made the test of `tape` fail; None when nothing can be said.

    The tape's worker must still live, unless it is what ended. If the line that makes the mistake is wanted, `anew`
    returns what the same test did, with a worker that has performed nothing.
    """
    broken = tape.broken
    if isinstance(broken, (WorkerTimeout, WorkerCrash)):
        return why_stopped(broken, tape, program_of(tape))
    if isinstance(broken, (ProtocolError, OwnTimeout)) or len(tape.steps) > MOST_STEPS:
        return None
    program = program_of(tape)
    witness = Witness(tape, program)
    try:
        if isinstance(broken, RemoteError) and tape.performed < len(tape.steps):
            untouched = broken.kind == "NotImplementedError"
            found = None if untouched else _of_numbers(program, witness, sweeps=False)
            if found is None:
                return why_raised(broken, tape, program, witness)
        else:
            found = _of_numbers(program, witness, sweeps=True)
    except WorkerError:  # it does not survive being questioned, or cannot answer in time
        return None
    return _located(*found, program, anew(found[0])) if found else None


def _located(found: Diagnosis, places: tuple[Place, ...], program: TracedProgram, anew: Replay | None) -> Diagnosis:
    """Return a diagnosis with the line that makes the mistake in the program of `places`, if one shows it."""
    if anew is None:
        return found
    with contextlib.suppress(WorkerError):
        witness = Witness(anew, program)
        return replace(found, line=line_of(found, program, places, reference_of(program, places), witness))
    return found


def _of_numbers(
    program: TracedProgram, witness: Witness, *, sweeps: bool
) -> tuple[Diagnosis, tuple[Place, ...]] | None:
    """Return why numbers are wrong, and where: those of the last backward passes, or without any, of the last nodes."""
    if not program.nodes or program.touched:
        return None
    groups = [program.before(sweep.root) for sweep in reversed(program.sweeps[-MOST_PASSES:])]
    apart = len({place for group in groups for place in group}) == sum(map(len, groups))
    if not groups:
        groups = [tuple(node.place for node in program.nodes[-MOST_NODES:])]
    for places in groups:
        if len(places) <= MOST_NODES:
            found = _of_group(program, places, witness, sweeps=sweeps and apart and bool(program.sweeps))
            if found is not None:
                return found, places
    return None


def _of_group(program: TracedProgram, places: tuple[Place, ...], witness: Witness, *, sweeps: bool) -> Diagnosis | None:
    if any(program.nodes[place].operation == UNKNOWN for place in places):
        return None
    reference = reference_of(program, places)
    held = dict(zip(places, witness.numbers([program.nodes[place].handle for place in places]), strict=True))
    scene = scene_of(program, places, reference, held) if sweeps else None
    found = wrong_values(program, places, reference, held, witness)
    if found is None and scene is not None:
        found = wrong_gradients(scene, Laboratory(witness, scene))
    data: dict[Place, float | None] = {place: each.data for place, each in held.items()}
    return replace(found, drawing=drawing(program, places, reference, data, scene)) if found else None
