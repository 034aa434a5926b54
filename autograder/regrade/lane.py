"""One lane: a process that collects the suites once, grades the solution, and then each submission in a fork of itself.

    coordinator ── deliveries ──→ lane (suites collected) ── fork ──→ grader of one submission ⇄ zygote → workers
                ←── answers ─────                         ←─ answer ─

A crash in the fork is that submission's alone, and what the fork used of memory goes with it. The lane is the zygote's
only customer: it waits while its fork gives the orders. It stays on one core with its zygote and its workers, since a
question that crosses cores waits several times as long for its answer.

Usage (by lanes.py only): python -m autograder.regrade.lane, with the settings as the first message
"""

from __future__ import annotations

import ctypes
import gc
import os
import platform
import shutil
import signal
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

import msgspec

from .. import GARBAGE, __version__, isolation
from ..assignment import load_assignment
from ..errors import AutograderError, SandboxError
from ..gradescope import results_bytes
from ..grading import Grading
from ..manifest import suites_digest
from ..model import GradeReport, Level
from ..runner import Suites, with_suites
from ..sandbox import Sandbox
from ..submission import Submission, place
from .class_report import Run
from .delivery import Delivery
from .frames import Inbox, framed, read_ready, write_all
from .messages import Answer, Hello, Settings
from .proof import prove
from .record import record_of

_PDEATHSIG = 1  # prctl's option
_PACKAGES = ("pytest", "msgspec")


class Lane:
    """The lane's own process."""

    def __init__(self, settings: Settings, inbox: Inbox, outbox: int) -> None:
        self._settings, self._inbox, self._outbox = settings, inbox, outbox
        self._pid = os.getpid()
        self._assignment = load_assignment(Path(settings.root))
        self._sandbox = self._new_sandbox()
        self.greeted = False

    def run(self) -> None:
        """Collect the suites, say so, and grade until no more deliveries come."""
        try:
            with_suites(self._assignment, self._serve)
        finally:
            self._sandbox.close()

    def _serve(self, suites: Suites) -> None:
        grading = Grading(self._assignment, self._sandbox)
        prove(self._assignment, grading, suites, self._directory)
        verified = self._sandbox.verified  # asked for once, here: every fork inherits the answer
        self._send(
            Hello(
                run=Run(
                    assignment=self._assignment.name,
                    version=__version__,
                    python=platform.python_version(),
                    packages={name: version(name) for name in _PACKAGES},
                    suites=suites_digest(self._assignment),
                    isolation=verified.isolation(self._assignment.required_level),
                    tests=suites.tests,
                )
            )
        )
        self.greeted = True
        while (message := self._inbox.wait()) is not None:
            delivery = msgspec.msgpack.decode(message, type=Delivery)
            answer = self._forked(lambda: self._graded(grading, suites, delivery))  # noqa: B023 - called before the next
            if isinstance(answer, str):
                self._sandbox.close()
                self._sandbox = self._new_sandbox()
                self._sandbox.verified  # noqa: B018 - waited for here: a fork that asks keeps the answer to itself
                grading = Grading(self._assignment, self._sandbox)
                answer = Answer(id=delivery.id, problem=answer, again=not answer.startswith(_TOO_LONG))
            self._send(answer)

    def _forked(self, work: Callable[[], Answer]) -> Answer | str:
        """Return what `work` returns in a fork of this process, or how the fork ended instead."""
        reader, writer = os.pipe()
        lane = os.getpid()
        pid = os.fork()
        if pid == 0:
            status = 1
            try:
                _end_with(lane)
                os.close(reader)
                write_all(writer, msgspec.msgpack.encode(work()))
                status = 0
            except BaseException:  # noqa: BLE001 - whatever it is, this process must end here
                traceback.print_exc()
            finally:
                os._exit(status)
        os.close(writer)
        data = self._read(reader)
        if data is None:
            os.kill(pid, signal.SIGKILL)
        os.close(reader)
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        shutil.rmtree(self._directory, ignore_errors=True)
        if self._inbox.closed and data is None:
            raise BrokenPipeError  # the coordinator is gone
        if data is None:
            return f"{_TOO_LONG} {self._assignment.limits.run_seconds:g} s"
        if status != 0:
            return f"the grader's process ended with {_how(status)}"
        return msgspec.msgpack.decode(data, type=Answer)

    def _read(self, reader: int) -> bytes | None:
        """Return all that the fork writes; None when its time is over, or nobody waits for it any more."""
        deadline = time.monotonic() + self._assignment.limits.run_seconds + _SLACK
        data = bytearray()
        while not self._inbox.closed:
            if time.monotonic() > deadline:
                return None
            if read_ready(reader, self._inbox, deadline - time.monotonic()):
                part = os.read(reader, 1 << 16)
                if not part:
                    return bytes(data)
                data += part
        return None

    def _graded(self, grading: Grading, suites: Suites, delivery: Delivery) -> Answer:
        """Grade one delivery. What is not the submission's fault becomes a problem, never a score."""
        started = time.monotonic()
        taken: list[Submission] = []
        reports: list[GradeReport] = []

        def take() -> Submission:
            taken.append(place(delivery.handed(), assignment=self._assignment, into=self._directory))
            return taken[0]

        try:
            grading.judge(suites, take, reports.append)
            report = replace(reports[-1], seconds=time.monotonic() - started)
            record = record_of(delivery.id, delivery.digest, report, taken[0] if taken else None, self._assignment)
            results = results_bytes(report, self._assignment)
        except AutograderError as problem:
            return Answer(id=delivery.id, problem=str(problem), again=isinstance(problem, SandboxError))
        except Exception as problem:  # noqa: BLE001 - a mistake of ours costs one submission its grade, not the class
            frame = traceback.extract_tb(problem.__traceback__)[-1]
            words = f"the grader failed at {Path(frame.filename).name}:{frame.lineno} with {type(problem).__name__}"
            return Answer(id=delivery.id, problem=f"{words}: {problem}")
        return Answer(id=delivery.id, record=msgspec.json.encode(record), results=results)

    @property
    def _directory(self) -> Path:
        # Of this process alone: a lane that was killed may have left one.
        return Path(self._settings.directory) / str(self._pid)

    def _new_sandbox(self) -> Sandbox:
        level = self._settings.level
        tried, needed = (isolation.strongest(), Level.PROCESS) if level is None else (level, level)
        hidden = isolation.hidden_files(self._assignment)
        return Sandbox(tried, self._assignment.limits, at_least=needed, hidden=hidden)

    def _send(self, message: Hello | Answer) -> None:
        write_all(self._outbox, framed(msgspec.msgpack.encode(message)), inbox=self._inbox)


_SLACK = 10.0  # seconds beyond the run's own limit, at which a fork that still works has reported by itself
_TOO_LONG = "grading it took longer than"


def _how(status: int) -> str:
    return f"signal {-status}" if status < 0 else f"exit code {status}"


def _end_with(parent: int) -> None:
    """Have this process killed when its parent ends, where the system can."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != parent:
            os._exit(1)


def main() -> None:
    """Serve the coordinator at the other end of standard input and output."""
    gc.set_threshold(GARBAGE)
    outbox = os.dup(1)
    os.dup2(2, 1)  # what a suite prints is no message
    inbox = Inbox(os.dup(0))
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    settings = msgspec.msgpack.decode(inbox.wait() or b"", type=Settings)
    if settings.core is not None:
        os.sched_setaffinity(0, {settings.core})
    lane: Lane | None = None
    try:
        lane = Lane(settings, inbox, outbox)
        lane.run()
    except AutograderError as problem:
        if lane and lane.greeted:
            raise
        hello = Hello(error=str(problem), exit_status=problem.exit_status)
        write_all(outbox, framed(msgspec.msgpack.encode(hello)))
    except BrokenPipeError:
        pass  # the coordinator is gone, and nobody waits for an answer


if __name__ == "__main__":
    main()
