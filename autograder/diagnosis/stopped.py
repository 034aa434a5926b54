"""Why the worker did not answer, or ended: from the step at which it was, and the shape of the graph by then."""

from __future__ import annotations

from ..errors import WorkerCrash, WorkerTimeout
from ..model import Diagnosis
from ..tape import Tape
from .codes import diagnosed
from .program import Place, Program
from .raised import subject_of

_MANY_PATHS = 1_000_000  # an engine that follows each of them cannot come to an end
_MANY_NODES = 500  # so many that looking each up in a list is slow


def why_stopped(error: Exception, tape: Tape, program: Program) -> Diagnosis | None:
    """Return why no answer came to the step of `tape` that follows those performed."""
    if tape.performed >= len(tape.steps) or not isinstance(error, (WorkerTimeout, WorkerCrash)):
        return None
    subject, _ = subject_of(tape.steps[tape.performed])
    paths = most_paths(program)
    if subject == "backward" and isinstance(error, WorkerTimeout):
        if paths >= _MANY_PATHS:
            return diagnosed("exponential-backward")
        return diagnosed("slow-backward" if len(program.nodes) >= _MANY_NODES else "timed-out")
    if subject != "backward" and paths >= _MANY_PATHS:
        return diagnosed("exponential-forward")
    return diagnosed("timed-out" if isinstance(error, WorkerTimeout) else "crashed")


def most_paths(program: Program) -> int:
    """Return how many ways lead from the node that has most of them down to the leaves."""
    paths: dict[Place, int] = {}
    for node in program.nodes:
        paths[node.place] = sum(paths[parent] for parent in node.parents) or 1
    return max(paths.values(), default=0)
