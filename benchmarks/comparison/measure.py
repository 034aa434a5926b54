"""Runs a command, with a limit, and says what it took: wall and CPU seconds, memory, and how it ended."""

from __future__ import annotations

import contextlib
import math
import os
import re
import shutil
import signal
import statistics
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

_PRLIMIT = shutil.which("prlimit")
_LIMITED = [_PRLIMIT, f"--as={12 << 30}", "--"] if _PRLIMIT else []  # a submission must not take the whole machine


@dataclass(frozen=True)
class Run:
    """What one command took, all processes that it waited for included."""

    wall: float
    cpu: float
    peak_mb: float  # of the largest process
    started_mb: float  # of the process that was started: of a class, the coordinator
    status: int  # -1 if it was still running at the limit and was killed
    said: str  # the end of what it printed

    @property
    def hung(self) -> bool:
        """Return True if the run was ended at the limit."""
        return self.status == -1


def run(command: Sequence[str], cwd: Path, *, limit: float = 600, environment: dict[str, str] | None = None) -> Run:
    """Run `command` in `cwd`, in a session of its own that is killed after `limit` seconds."""
    variables = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    variables |= {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", **(environment or {})}
    with tempfile.TemporaryFile() as said:
        started = time.perf_counter()
        process = subprocess.Popen(
            [*_LIMITED, *command],
            cwd=cwd,
            env=variables,
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
            start_new_session=True,
        )
        late = threading.Event()
        ended = threading.Timer(limit, _end, [process.pid, late])
        ended.start()
        started_mb = _watched(process.pid)
        _, status, usage = os.wait4(process.pid, 0)
        wall, hung = time.perf_counter() - started, late.is_set()
        ended.cancel()
        largest = started_mb()
        process.returncode = os.waitstatus_to_exitcode(status)
        _kill(process.pid)  # what it left behind in its session
        said.seek(max(0, said.seek(0, os.SEEK_END) - 4000))
        text = said.read().decode("utf-8", "replace")
    peak = usage.ru_maxrss / 1024
    return Run(wall, usage.ru_utime + usage.ru_stime, peak, largest, -1 if hung else process.returncode, text)


def _watched(process: int) -> Callable[[], float]:
    """Watch the memory of a process; return what ends that and gives its high-water mark in MB, 0 where /proc is not.

    It is read ten times a second: what a process takes in its last tenth is missed.
    """
    over, seen = threading.Event(), [0.0]

    def watch() -> None:
        while not over.wait(0.1):
            with contextlib.suppress(OSError):
                found = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{process}/status").read_text("ascii"))
                seen.append(int(found[1]) / 1024 if found else 0.0)

    thread = threading.Thread(target=watch)
    thread.start()

    def ended() -> float:
        over.set()
        thread.join()
        return max(seen)

    return ended


def _end(session: int, late: threading.Event) -> None:
    late.set()  # first: whoever waits for the process must find it set
    _kill(session)


def _kill(session: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(session, signal.SIGKILL)


def exponent(points: Sequence[tuple[float, float]]) -> float:
    """Return the slope of a straight line through the logarithms: 1 for a cost that grows as fast as its cause."""
    xs, ys = ([math.log(pair[place]) for pair in points] for place in (0, 1))
    return statistics.linear_regression(xs, ys).slope


def ratio(pairs: Sequence[tuple[float, float]]) -> tuple[float, float, float]:
    """Return the median, least and largest of the quotients of pairs that were measured in turn."""
    quotients = sorted(first / second for first, second in pairs)
    return statistics.median(quotients), quotients[0], quotients[-1]
