"""A test's limits on our own side: what it may compute with the values that a submission returned.

The values are bounded one by one, but a test adds, multiplies and compares them. So while a test's own code runs, two
timers can interrupt it wherever it is: one counts the CPU time of this process, which a busy machine does not change,
the other the wall time that the whole run has left. And memory beyond a limit is refused. Reaching a limit loses that
test, never the result.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Iterator
from types import FrameType
from typing import Any

from ..errors import OwnTimeout

_AGAIN_SECONDS = 1.0  # between two interrupts, where a test swallows the first
_LONGEST_SECONDS = 86_400.0  # setitimer takes no infinity

if sys.platform != "win32":
    import resource

    _TIMERS = ((signal.ITIMER_PROF, signal.SIGPROF), (signal.ITIMER_REAL, signal.SIGALRM))
    _PAGE = resource.getpagesize()


class OwnLimits:
    """What each test of a run may use on our own side; entered for the run, since setting handlers costs 20 µs.

    Signals reach Python in the main thread alone: elsewhere, and on Windows, there is no limit.
    """

    def __init__(self, cpu_seconds: float, memory_mb: int) -> None:
        self._cpu_seconds, self._memory = cpu_seconds, memory_mb << 20
        self._handlers: list[Any] = []  # that were in force before
        self._armed = False

    def __enter__(self) -> OwnLimits:
        if sys.platform != "win32" and threading.current_thread() is threading.main_thread():
            self._handlers = [signal.signal(number, self._interrupt) for _, number in _TIMERS]
        return self

    def __exit__(self, *_exception: object) -> None:
        if sys.platform != "win32":
            for (_, number), handler in zip(_TIMERS, self._handlers, strict=False):
                signal.signal(number, handler)
            self._handlers = []

    @contextlib.contextmanager
    def of_test(self, wall_seconds: float) -> Iterator[None]:
        """Within it, raise OwnTimeout once either time is used up, and MemoryError beyond the memory."""
        if sys.platform == "win32" or not self._handlers:
            yield
            return
        soft, hard = resource.getrlimit(resource.RLIMIT_AS)
        wanted, self._armed = self._most_mapped(soft, hard), True
        try:
            resource.setrlimit(resource.RLIMIT_AS, (wanted, hard))
            for (timer, _), seconds in zip(_TIMERS, (self._cpu_seconds, wall_seconds), strict=True):
                signal.setitimer(timer, min(max(seconds, 0.001), _LONGEST_SECONDS), _AGAIN_SECONDS)
            try:
                yield
            finally:
                self._disarm((soft, hard))
        except OwnTimeout:
            self._disarm((soft, hard))  # an interrupt in the line before: the next comes a second later
            raise

    def _interrupt(self, _signal: int, _frame: FrameType | None) -> None:
        if self._armed:
            raise OwnTimeout("the test used up its time on the grader's side")

    if sys.platform != "win32":

        def _disarm(self, memory: tuple[int, int]) -> None:
            self._armed = False
            for timer, _ in _TIMERS:
                signal.setitimer(timer, 0)
            resource.setrlimit(resource.RLIMIT_AS, memory)

        def _most_mapped(self, soft: int, hard: int) -> int:
            """Return how much this process may map; what it may now, if the system does not say what it has mapped."""
            mapped = _mapped_bytes()
            if mapped is None:
                return soft
            return min([mapped + self._memory, *(each for each in (soft, hard) if each != resource.RLIM_INFINITY)])


if sys.platform != "win32":

    def _mapped_bytes() -> int | None:
        """Return how much this process has mapped; None where the system does not say."""
        try:
            file = os.open("/proc/self/statm", os.O_RDONLY)  # 8 µs; by a Path, 35
        except OSError:
            return None
        try:
            return int(os.read(file, 64).split()[0]) * _PAGE
        finally:
            os.close(file)
