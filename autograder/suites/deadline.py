"""A test's limits on our own side: what it may compute with the values that a submission returned.

The values are bounded one by one, but a test adds, multiplies and compares them. So while a test's own code runs, two
timers can interrupt it wherever it is: one counts the CPU time of this process, which a busy machine does not change,
the other the wall time that the whole run has left. And memory beyond a limit is refused. Reaching a limit loses that
test, never the result.
"""

from __future__ import annotations

import contextlib
import math
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from types import FrameType
from typing import Any

from ..errors import OwnTimeout

_AGAIN_SECONDS = 1.0  # between two interrupts, where a test swallows the first
_LONGEST_SECONDS = 86_400.0  # setitimer takes no infinity
_SAME_MOMENT = 0.01  # seconds, within which two ends of a run are the same

if sys.platform != "win32":
    import resource

    _TIMERS = ((signal.ITIMER_PROF, signal.SIGPROF), (signal.ITIMER_REAL, signal.SIGALRM))
    _PAGE = resource.getpagesize()


class OwnLimits:
    """What each test of a run may use on our own side; entered for the run, since handlers and files cost it 50 µs.

    Signals reach Python in the main thread alone: elsewhere, and on Windows, there is no limit.
    """

    def __init__(self, cpu_seconds: float, memory_mb: int) -> None:
        self._cpu_seconds, self._memory = cpu_seconds, memory_mb << 20
        self._handlers: list[Any] = []  # that were in force before
        self._armed = False  # else a timer that runs interrupts nothing
        self._run_end = math.inf  # by time.monotonic: when the timer of the wall interrupts

    def __enter__(self) -> OwnLimits:
        if sys.platform != "win32" and threading.current_thread() is threading.main_thread():
            self._handlers = [signal.signal(number, self._interrupt) for _, number in _TIMERS]
            self._usual = resource.getrlimit(resource.RLIMIT_AS)
            self._statm, self._run_end = _opened_statm(), math.inf
        return self

    def __exit__(self, *_exception: object) -> None:
        if sys.platform != "win32" and self._handlers:
            for (timer, number), handler in zip(_TIMERS, self._handlers, strict=True):
                signal.setitimer(timer, 0)
                signal.signal(number, handler)
            self._handlers = []
            if self._statm is not None:
                os.close(self._statm)

    @contextlib.contextmanager
    def of_test(self, wall_seconds: float) -> Iterator[None]:
        """Within it, raise OwnTimeout once either time is used up, and MemoryError beyond the memory.

        The wall's is the same moment for all tests of a run, so that its timer is set once.
        """
        if sys.platform == "win32" or not self._handlers:
            yield
            return
        try:
            resource.setrlimit(resource.RLIMIT_AS, (self._most_mapped(), self._usual[1]))
            self._set_timers(wall_seconds)
            self._armed = True
            try:
                yield
            finally:
                self._disarm()
        except OwnTimeout:
            self._disarm()  # an interrupt in the line before: the next comes a second later
            raise

    def _interrupt(self, _signal: int, _frame: FrameType | None) -> None:
        if self._armed:
            raise OwnTimeout("the test used up its time on the grader's side")

    if sys.platform != "win32":

        def _set_timers(self, wall_seconds: float) -> None:
            signal.setitimer(signal.ITIMER_PROF, _in_range(self._cpu_seconds), _AGAIN_SECONDS)
            end = time.monotonic() + wall_seconds
            if not abs(end - self._run_end) < _SAME_MOMENT:
                signal.setitimer(signal.ITIMER_REAL, _in_range(wall_seconds), _AGAIN_SECONDS)
                self._run_end = end

        def _disarm(self) -> None:
            self._armed = False
            resource.setrlimit(resource.RLIMIT_AS, self._usual)

        def _most_mapped(self) -> int:
            """Return how much this process may map; what it may now, if the system does not say what it has mapped."""
            soft = self._usual[0]
            if self._statm is None:
                return soft
            mapped = int(os.pread(self._statm, 64, 0).split()[0]) * _PAGE
            return min([mapped + self._memory, *(each for each in self._usual if each != resource.RLIM_INFINITY)])


def _in_range(seconds: float) -> float:
    return min(max(seconds, 0.001), _LONGEST_SECONDS)


def _opened_statm() -> int | None:
    """Return a descriptor of what the system says this process has mapped; None where it does not say."""
    try:
        return os.open("/proc/self/statm", os.O_RDONLY)
    except OSError:
        return None
