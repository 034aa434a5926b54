"""From a failed test to its diagnosis, in the worker that performs the test again.

The worker is questioned for half a second at most. A test that passed costs nothing here.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable

from ..errors import OwnTimeout, ProtocolError, RemoteError, WorkerCrash, WorkerError, WorkerTimeout
from ..model import Diagnosis
from ..remote.replay import Replay
from .codes import diagnosis_of
from .evidence import WorkerWitness
from .reasoning.found import Found
from .reasoning.raised import Halt
from .reasoning.reason import reason_of
from .recorded import program_of, subject_of
from .stopped import why_stopped

MOST_STEPS = 2_000  # of a test whose numbers are looked at


def diagnose(tape: Replay, anew: Callable[[str, str], Replay | None] = lambda *_: None) -> Diagnosis | None:
    """Return what is wrong with the submission that made the test of `tape` fail; None if nothing can be said.

    The tape's worker must still live, unless it is what ended. If the line is wanted that makes the mistake of
    a code and a subject, `anew` returns what the same test did, with a worker that has performed nothing.
    """
    broken = tape.broken
    if isinstance(broken, (WorkerTimeout, WorkerCrash)):
        return why_stopped(broken, tape, program_of(tape))
    if isinstance(broken, (ProtocolError, OwnTimeout)) or len(tape.steps) > MOST_STEPS:
        return None
    program = program_of(tape)

    def other(found: Found) -> WorkerWitness | None:
        again = anew(found.code, found.subject) if program.class_name else None
        return WorkerWitness(again, program) if again else None

    with contextlib.suppress(WorkerError):  # it does not survive being questioned, or cannot answer in time
        found = reason_of(program, WorkerWitness(tape, program), _halt(tape), other)
        return diagnosis_of(found) if found else None
    return None


def _halt(tape: Replay) -> Halt | None:
    """Return the step of a test that raised, as data; None if none did."""
    error = tape.broken
    if not isinstance(error, RemoteError) or tape.performed >= len(tape.steps):
        return None
    step = tape.steps[tape.performed]
    subject, reflected = subject_of(step, tape)
    inner = error.frames[-1][2] if error.frames else ""
    number = any(type(each) in (int, float) for each in step.arguments)
    return Halt(error.kind, error.message, subject, reflected, number, inner)
