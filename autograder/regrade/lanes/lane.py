"""One lane: a process that collects the suites once, grades the solution, and then submissions in forks of itself.

    coordinator ── deliveries ──→ lane (suites collected) ── fork ──→ grader of a few submissions ⇄ zygote → workers
                ←── answers ─────                         ←─ answers ─

The lane waits while its grader gives the zygote commands: nobody else does. All of them stay on one core, since a
question that crosses cores waits several times as long for its answer.

Usage (by lanes.py only): python -m autograder.regrade.lanes.lane, with the settings as the first message
"""

from __future__ import annotations

import os
import shutil
import sys
import time
import traceback
from importlib.metadata import version
from pathlib import Path

import msgspec
from msgspec.structs import replace

from ... import __version__, quiet_collector
from ...assignment import load_assignment
from ...errors import AutograderError, SandboxError
from ...grading import Grading, last
from ...model import FilmChoice, Level
from ...remote.preload import preload
from ...results.gradescope import results_bytes
from ...sandbox import isolation
from ...sandbox.sandbox import Sandbox
from ...sandbox.watchdog import SLACK_SECONDS, Journal
from ...streams import refusal
from ...submission.folder import folder_entries
from ...submission.submission import Submission, materialise
from ...suites.manifest import suites_digest
from ...suites.runner import Suites, collected_suites
from ..records.class_report import Run
from ..records.record import film_bytes, record_of
from ..sources.delivery import Delivery
from .fork import Fork, ForkEnded
from .frames import Inbox, write_message
from .messages import Answer, Hello, Settings
from .solution_check import prove

_PACKAGES = ("pytest", "msgspec")


class Lane:
    """The lane's own process."""

    def __init__(self, settings: Settings, inbox: Inbox, outbox: int) -> None:
        self._settings, self._inbox, self._outbox = settings, inbox, outbox
        self._pid = os.getpid()
        self._assignment = replace(load_assignment(Path(settings.root)), limits=settings.limits)
        # Records with and without the tests that carry no points are of different suites.
        self._digest = suites_digest(self._assignment) + ("-scored" if settings.scored_only else "")
        self._sandbox = self._new_sandbox()  # to be ready when the suites are collected
        self._journal = Journal()  # of what a grader, which is a fork, has under way
        self.greeted = False

    def run(self) -> None:
        """Collect the suites, say so, and grade until no more deliveries come."""
        try:
            with collected_suites(self._assignment) as suites:
                self._serve(suites.scored() if self._settings.scored_only else suites)
        finally:
            self._sandbox.close()

    def _serve(self, suites: Suites) -> None:
        self._warm(suites)
        if not self._settings.trial:
            prove(self._assignment, Grading(self._assignment, self._sandbox), suites, self._directory)
        self._send(
            Hello(
                run=Run(
                    assignment=self._assignment.name,
                    version=__version__,
                    python=sys.version.partition(" ")[0],
                    packages={name: version(name) for name in _PACKAGES},
                    suites=self._digest,
                    isolation=self._sandbox.verified.isolation(self._assignment.required_level),
                    tests=suites.tests,
                )
            )
        )
        self.greeted = True
        while self._shared(suites):
            pass

    def _shared(self, suites: Suites) -> bool:
        """Grade what arrives, with one grader, until that has done its share; return True if more may arrive."""
        grader, problem = self._new_grader(suites), ""
        try:
            while not grader.used_up and not problem:
                message = self._inbox.wait()
                if message is None:
                    return False
                answer = self._answered(grader, message)
                self._send(answer)
                problem = answer.problem
        finally:
            grader.end()
        if problem:
            self._renew(suites)  # the zygote may wait for the rest of a command
        return True

    def _new_grader(self, suites: Suites) -> Fork:
        # A film costs a wrong submission a few hundredths of its time, and feedback may be asked for later.
        films = FilmChoice.NONE if self._settings.trial else FilmChoice.FIRST_WRONG
        grading = Grading(self._assignment, self._sandbox, films=films, journal=self._journal)

        def work(message: bytes) -> bytes:
            delivery = msgspec.msgpack.decode(message, type=Delivery)
            return msgspec.msgpack.encode(self._graded(grading, suites, delivery))

        return Fork(work, name="the grader's process", doing="grading it")

    def _answered(self, grader: Fork, message: bytes) -> Answer:
        """Return the grader's answer, or how it ended instead."""
        try:
            data = grader.ask(message, self._assignment.limits.run_seconds, self._inbox, slack=SLACK_SECONDS)
            return msgspec.msgpack.decode(data, type=Answer)
        except ForkEnded as problem:
            delivery = msgspec.msgpack.decode(message, type=Delivery)
            test = self._journal.under_way
            where = f", in {test}" if test else ""
            return Answer(id=delivery.id, problem=f"{problem}{where}", again=not problem.late)
        finally:
            shutil.rmtree(self._directory, ignore_errors=True)

    def _graded(self, grading: Grading, suites: Suites, delivery: Delivery) -> Answer:
        """Grade one delivery. What is not the submission's fault becomes a problem, never a score."""
        started = time.monotonic()
        taken: list[Submission] = []

        def take() -> Submission:
            taken.append(materialise(delivery.handed(), assignment=self._assignment, into=self._directory))
            return taken[0]

        try:
            report = last(grading.reports(suites, take))
            report = replace(report, suites_digest=self._digest, seconds=time.monotonic() - started)
            record = record_of(delivery.id, delivery.digest, report, taken[0] if taken else None, self._assignment)
            results = results_bytes(report, self._assignment)
        except AutograderError as problem:
            return Answer(id=delivery.id, problem=str(problem), again=isinstance(problem, SandboxError))
        except Exception as problem:  # noqa: BLE001 - a mistake of ours costs one submission its grade, not the class
            frame = traceback.extract_tb(problem.__traceback__)[-1]
            words = f"the grader failed at {Path(frame.filename).name}:{frame.lineno} with {type(problem).__name__}"
            return Answer(id=delivery.id, problem=f"{words}: {problem}")
        whole = msgspec.msgpack.encode(report) if self._settings.trial else b""
        film = film_bytes(report)
        return Answer(id=delivery.id, record=msgspec.json.encode(record), results=results, film=film, report=whole)

    @property
    def _directory(self) -> Path:
        # Of this process alone: a lane that was killed may have left one. Of one length, whatever the process: where
        # in memory a submission's objects lie must not depend on it.
        return Path(self._settings.directory) / f"{self._pid:010}"

    def _renew(self, suites: Suites) -> None:
        self._sandbox.close()
        self._sandbox = self._new_sandbox()
        self._warm(suites)

    def _warm(self, suites: Suites) -> None:
        """Have the zygote import what most submissions will, as the starter does. Wait for it and the self-test.

        A fork that read the answer of the self-test first would keep it to itself.
        """
        starter = self._assignment.starter_path
        files = [entry.path for entry in folder_entries(starter)] if starter.is_dir() else []
        preload(self._sandbox, starter, files, self._assignment, packages=suites.packages)

    def _new_sandbox(self) -> Sandbox:
        level = self._settings.level
        tried, needed = (isolation.strongest(), Level.PROCESS) if level is None else (level, level)
        hidden = isolation.hidden_files(self._assignment)
        seed = self._settings.hash_seed
        return Sandbox(tried, self._assignment.limits, at_least=needed, hidden=hidden, hash_seed=seed)

    def _send(self, message: Hello | Answer) -> None:
        write_message(self._outbox, msgspec.msgpack.encode(message), inbox=self._inbox)


def main() -> None:
    """Serve the coordinator at the other end of standard input and output."""
    quiet_collector()
    outbox = os.dup(1)
    os.dup2(2, 1)  # what a suite prints is not a message
    inbox = Inbox(os.dup(0))
    settings = msgspec.msgpack.decode(inbox.wait() or b"", type=Settings)
    lane: Lane | None = None
    try:
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        if settings.core is not None:
            os.sched_setaffinity(0, {settings.core})
        lane = Lane(settings, inbox, outbox)
        lane.run()
    except AutograderError as problem:
        if lane and lane.greeted:
            raise
        hello = Hello(error=str(problem), exit_status=problem.exit_status)
        write_message(outbox, msgspec.msgpack.encode(hello))
    except BrokenPipeError:
        pass  # the coordinator is gone, and nobody waits for an answer
    except OSError as problem:
        if lane and lane.greeted:
            raise
        hello = Hello(error=refusal(problem), exit_status=AutograderError.exit_status)
        write_message(outbox, msgspec.msgpack.encode(hello))


if __name__ == "__main__":
    main()
