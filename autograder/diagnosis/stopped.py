"""Why the worker did not answer, or ended: from the step at which it was, and the shape of the graph by then."""

from __future__ import annotations

from ..errors import WorkerCrash, WorkerTimeout
from ..model import Diagnosis
from ..remote.replay import Replay
from .codes import diagnosed
from .reasoning.program import MANY_PATHS, TracedProgram, most_paths
from .recorded import subject_of

_MANY_NODES = 500  # so many that looking each up in a list is slow


def why_stopped(error: Exception, tape: Replay, program: TracedProgram) -> Diagnosis | None:
    """Return why no answer came to the step of `tape` that follows those performed."""
    if tape.performed >= len(tape.steps) or not isinstance(error, (WorkerTimeout, WorkerCrash)):
        return None
    subject, _ = subject_of(tape.steps[tape.performed], tape)
    paths = most_paths(program)
    if subject == "backward" and isinstance(error, WorkerTimeout):
        if paths >= MANY_PATHS:
            return diagnosed("exponential-backward")
        return diagnosed("slow-backward") if len(program.nodes) >= _MANY_NODES else diagnosed("timed-out")
    if subject != "backward" and paths >= MANY_PATHS:
        return diagnosed("exponential-forward")
    return diagnosed("timed-out" if isinstance(error, WorkerTimeout) else "crashed")
