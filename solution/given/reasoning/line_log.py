# Copied by `autograder starter` from autograder/diagnosis/reasoning/line_log.py: edit that file.
"""What the lines of a submission did to a small program's values: the log of one traced run.

A worker, or the student's own machine, performs the program once more and reads `.data` and `.grad` of its values after
every line of the submission. The numbers are the submission's own word: only their types and ranges are checked.
"""

from __future__ import annotations

from dataclasses import dataclass

DATA, GRAD = "data", "grad"


@dataclass(frozen=True)
class LineStep:
    """One change of one number: the line that had just run, which value, and the number before and after.

    A value that an operation makes is a change of its `data` from None. None stands for what is not a number, too.
    """

    line: int  # of `file`, counted from 1
    place: int  # the value's index in the program that was traced
    attribute: str  # DATA or GRAD
    before: float | None
    after: float | None
    file: str = "engine.py"  # a file of the submission


@dataclass(frozen=True)
class LineLog:
    """The changes of one run in the order in which they came."""

    steps: tuple[LineStep, ...]
    complete: bool = True  # False if the run raised, or was longer than a trace may be

    def of(self, place: int, attribute: str = GRAD) -> tuple[LineStep, ...]:
        """Return the changes of one number of one value."""
        return tuple(step for step in self.steps if step.place == place and step.attribute == attribute)


@dataclass(frozen=True)
class TracedRun:
    """One traced run: its log, and the lines at which numbers that were looked for were first seen."""

    log: LineLog
    sightings: tuple[LineStep, ...] = ()  # `after` is the number, `before` how many calls of the submission are outside
