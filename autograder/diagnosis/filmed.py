"""The film of a failed test: its last backward pass, performed once more by a worker that has performed nothing.

The numbers right for it are those of the diagnosis: formulas over the recorded program. The worker's word is the log.
"""

from __future__ import annotations

from ..errors import WorkerError
from ..film.frames import MOST_BOXES, Film, film_of
from ..film.graph import Box, Change
from ..remote.replay import Replay
from ..wire import format as wire
from .evidence import WorkerWitness
from .reasoning.drawing import formula, name_of
from .reasoning.line_log import DATA, LineLog
from .reasoning.program import UNKNOWN, Place, TracedProgram
from .reasoning.reference import Reference, factors, gradients_of, reference_of
from .recorded import RecordedProgram, program_of

_BROKE_OFF = "The pass did not come to its end: it raised, or it ran longer than is followed."


def film_of_test(title: str, anew: Replay) -> Film | None:
    """Return the film of the last backward pass of a test, without the source; None if it has none that can be shown.

    `anew` is what the test did, with a worker that has performed nothing.
    """
    program = program_of(anew)
    root = _output(program, anew)
    places = program.before(root) if root is not None else ()
    if not 0 < len(places) <= MOST_BOXES or any(program.nodes[place].operation == UNKNOWN for place in places):
        return None
    reference = reference_of(program, places)
    if program.touched or not program.class_name or any(place not in reference.values for place in places):
        return None
    try:
        run = WorkerWitness(anew, program).traced([program.nodes[place] for place in places])
    except WorkerError:  # it did not survive, or was not done in time
        return None
    if run is None or not run.log.steps:
        return None
    return _film(title, program, places, reference, run.log)


def _output(program: RecordedProgram, tape: Replay) -> Place | None:
    """Return from where the last pass went backwards, one that raised included."""
    broken = tape.steps[tape.performed] if tape.performed < len(tape.steps) else None
    if broken is not None and broken.code == wire.METHOD and broken.arguments[1] == "backward":
        target = int(broken.arguments[0])
        return next((node.place for node in program.nodes if node.handle == target), None)
    return program.outputs[-1] if program.outputs else None


def _film(title: str, program: TracedProgram, places: tuple[Place, ...], reference: Reference, log: LineLog) -> Film:
    gradients = gradients_of(program, places, reference)
    at: dict[int, int] = {place: position for position, place in enumerate(places)}
    boxes = []
    for place in places:
        uses = factors(program.nodes[place], reference)
        operands, slopes = tuple(at[operand] for operand, _ in uses), tuple(slope for _, slope in uses)
        name, how = name_of(place), formula(program.nodes[place])
        boxes.append(Box(name, how, operands, slopes, reference.values[place], gradients[place]))
    made = {step.place: step.after for step in reversed(log.steps) if step.attribute == DATA and step.before is None}
    changes = [
        Change(step.line, at[step.place], step.attribute, step.before, step.after, step.file)
        for step in log.steps
        if step.place in at and (step.attribute != DATA or step.before is not None)
    ]
    data = [made.get(place) for place in places]
    return film_of(title, boxes, data, changes, "" if log.complete else _BROKE_OFF)
