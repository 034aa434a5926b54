# Copied by `autograder starter` from autograder/worker/line_trace.py: edit that file.
"""Writes down which line of the engine's file changed which number, while a backward pass runs.

After every line, the `.data` and `.grad` of a few values are read. So it does not matter how an engine is written:
closures, a tape, slots, properties. The work is bounded in lines and seconds.

The handout has a copy of this file: it uses the standard library alone, and knows nothing of the grader.
"""

from __future__ import annotations

import math
import sys
import time

TYPE_CHECKING = False  # typing's own constant costs its import, 8 ms in every worker
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from types import FrameType
    from typing import Any

    Number = float | str | None  # the name of a type for what is not a number; None if reading raises
    Entry = tuple[int, int, str, Number, Number]  # line, position of the value, attribute, before, after

ATTRIBUTES = ("data", "grad")
MOST_LINES = 20_000  # that are run
MOST_CHANGES = 1_000
SECONDS = 2.0


class TraceEnded(BaseException):
    """The trace came to one of its bounds: the pass is ended with it, for it may have no end of its own."""


class LineTrace:
    """The changes of the numbers of a few values, each with the line that made it."""

    def __init__(self, values: Sequence[Any], files: Collection[str], seconds: float = SECONDS) -> None:
        """Watch `values` while lines of `files` run, which are named as their code names them."""
        self.changes: list[Entry] = []
        self.lines = 0  # that were run
        self.ended = ""  # which bound ended the trace, "lines", "changes" or "seconds"; or ""
        self._values, self._files, self._seconds = values, files, seconds
        self._held = [_numbers(value) for value in values]
        self._line = 0  # the line that runs now
        self._deadline = 0.0

    def run(self, action: Callable[[], Any]) -> None:
        """Perform `action` and write down what it changes; what it raises is raised here too.

        A trace that comes to a bound ends the action, and says in `ended` which bound it was.
        """
        before = sys.gettrace()  # a debugger's, or one that measures coverage
        self._deadline = time.perf_counter() + self._seconds
        sys.settrace(self._entered)
        try:
            action()
        except TraceEnded:
            return
        finally:
            sys.settrace(before)
            self._note()

    def _entered(self, frame: FrameType, _event: str, _: Any) -> Callable[..., Any] | None:
        """Follow a function of the files; a generator that goes on is at the line where it stopped."""
        if frame.f_code.co_filename not in self._files:
            return None
        self._note()
        self._line = frame.f_lineno
        return self._followed

    def _followed(self, frame: FrameType, event: str, _: Any) -> Callable[..., Any]:
        if event == "line":
            self._note()
            self._line = frame.f_lineno
            self.lines += 1
            self._check()
        elif event == "return":
            self._note()
            self._line = self._calling(frame)
        return self._followed

    def _calling(self, frame: FrameType) -> int:
        """Return the line of the files that waits for the function that returns; 0 if there is none."""
        outer = frame.f_back
        while outer is not None:
            if outer.f_code.co_filename in self._files:
                return outer.f_lineno
            outer = outer.f_back
        return 0

    def _check(self) -> None:
        """End the action at a bound."""
        if self.lines >= MOST_LINES:
            self.ended = "lines"
        elif len(self.changes) >= MOST_CHANGES:
            self.ended = "changes"
        elif time.perf_counter() > self._deadline:
            self.ended = "seconds"
        if self.ended:
            sys.settrace(None)
            raise TraceEnded

    def _note(self) -> None:
        """Write down what differs from what the values held before."""
        for position, value in enumerate(self._values):
            held, now = self._held[position], _numbers(value)
            if held != now:
                for name, before, after in zip(ATTRIBUTES, held, now):  # noqa: B905 - the same length
                    if before != after and len(self.changes) < MOST_CHANGES:
                        self.changes.append((self._line, position, name, before, after))
                self._held[position] = now


def _numbers(value: Any) -> tuple[Number, ...]:
    return tuple([_number(value, name) for name in ATTRIBUTES])


def _number(value: Any, name: str) -> Number:
    """Return what an attribute holds: a float, the name of another type, or None if reading it raises."""
    try:
        held = getattr(value, name)
        if not isinstance(held, (int, float)):
            return type(held).__name__[:60]
        number = float(held)
        return "nan" if math.isnan(number) else number  # a float that is not equal to itself would change at every line
    except OverflowError:  # an integer beyond any float
        return "int"
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001 - the student's property may raise anything
        return None
