"""A test's limits on our own side: what it may compute with the values that a submission returned.

The values are bounded one by one, but a test adds, multiplies and compares them. So while a test's own code runs, two
timers can interrupt it wherever it is: one counts the CPU time of this process, which a busy machine does not change,
the other the wall time that the whole run has left. And memory beyond a limit is refused. Reaching a limit loses that
test, never the result.
"""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

from ..errors import OwnTimeout

_AGAIN_SECONDS = 1.0  # between two interrupts, where a test swallows the first
_LONGEST_SECONDS = 86_400.0  # setitimer takes no infinity

if sys.platform != "win32":
    import resource


@contextlib.contextmanager
def limited(cpu_seconds: float, wall_seconds: float, memory_mb: int) -> Iterator[None]:
    """Within it, raise OwnTimeout once either time is used up, and MemoryError beyond the memory.

    Signals reach Python in the main thread alone: elsewhere, and on Windows, there is no limit.
    """
    if sys.platform == "win32" or threading.current_thread() is not threading.main_thread():
        yield
        return
    timers = ((signal.ITIMER_PROF, signal.SIGPROF, cpu_seconds), (signal.ITIMER_REAL, signal.SIGALRM, wall_seconds))
    before = [signal.signal(number, _interrupt) for _, number, _ in timers]
    try:
        with _limited_memory(memory_mb):
            for timer, _, seconds in timers:
                signal.setitimer(timer, min(max(seconds, 0.001), _LONGEST_SECONDS), _AGAIN_SECONDS)
            yield
    finally:
        for timer, _, _ in timers:
            signal.setitimer(timer, 0)
        for (_, number, _), handler in zip(timers, before, strict=True):
            signal.signal(number, handler)


def _interrupt(_signal: int, _frame: FrameType | None) -> None:
    raise OwnTimeout("the test used up its time on the grader's side")


@contextlib.contextmanager
def _limited_memory(megabytes: int) -> Iterator[None]:
    """Let this process map at most so much more; there is no limit if the system does not say what it has mapped."""
    mapped = _mapped_bytes()
    if mapped is None:
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    wanted = mapped + (megabytes << 20)
    ceilings = [limit for limit in (soft, hard) if limit != resource.RLIM_INFINITY]
    resource.setrlimit(resource.RLIMIT_AS, (min([wanted, *ceilings]), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def _mapped_bytes() -> int | None:
    """Return how much this process has mapped; None where the system does not say."""
    try:
        return int(Path("/proc/self/statm").read_text("ascii").split()[0]) * resource.getpagesize()
    except OSError:
        return None
