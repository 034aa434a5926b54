"""What a worker has used, read from outside: the CPU seconds of all its threads, or a share of the wall's.

A limit in CPU seconds gives the same result on a busy machine as on an idle one. Wall time counts for a worker that
sleeps: a tenth of it, so that one that waits for a core which others hold is not charged for them. Where a process's
clock cannot be read from outside (macOS, Windows), wall time alone counts, and a busy machine may change a result.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

WALL_PER_SECOND = 10.0  # wall seconds that count as much as one CPU second
_PROCESS_CLOCK = 2  # Linux, CPUCLOCK_SCHED: of all threads together


class Meter:
    """Adds up what one worker uses while the grader waits for it."""

    def __init__(self, pid: int | None) -> None:
        """Read the clock of the process `pid`; without one, or where there is no such clock, wall time."""
        self._read = clock_of(pid)
        self._last = self._read() if self._read else 0.0
        self.used = 0.0  # seconds, as limits count them

    def start(self) -> None:
        """Begin to wait: what the process used since the last wait counts too."""
        self._used_before, self._cpu, self._began = self.used, 0.0, time.monotonic()

    def read(self) -> float:
        """Return the seconds that count for this wait so far."""
        wall = time.monotonic() - self._began
        if self._read is None:
            since = wall
        else:
            try:
                now = self._read()
            except OSError:  # it has ended
                now = self._last
            self._cpu += max(now - self._last, 0.0)
            self._last = now
            since = max(self._cpu, wall / WALL_PER_SECOND)
        self.used = self._used_before + since
        return since

    def next_look(self, seconds: float) -> float:
        """Return after how many wall seconds to read again, if `seconds` are left."""
        return seconds if self._read is None else min(max(seconds, 0.01), 0.25)


def clock_of(pid: int | None) -> Callable[[], float] | None:
    """Return a function that reads the CPU seconds of a process, another user's as well; None where there is none."""
    if pid is None or sys.platform != "linux":
        return None
    identity = (~pid << 3) | _PROCESS_CLOCK
    try:
        time.clock_gettime(identity)
    except OSError:
        return None
    return lambda: time.clock_gettime(identity)
