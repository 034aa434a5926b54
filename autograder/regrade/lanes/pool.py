"""The lanes of this machine: started, given deliveries, started again when one dies, ended."""

from __future__ import annotations

import os
import queue
import threading
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec
from msgspec.structs import replace

from ...assignment import Assignment
from ...errors import AssignmentError, AutograderError, IsolationError, SandboxError
from ...model import Level
from ...temporary import HeldDirectory, remove_left
from ..records.class_report import Run
from ..sources.delivery import Delivery
from .messages import Answer, Hello, Settings
from .process import Process

_START_SECONDS = 120.0  # a machine that swaps is slow; one that needs longer is broken
_AHEAD = 2  # deliveries that a lane has: the one being graded and the next
_TRIES = 2


class Lanes:
    """A lane for each core, fed from one stream of deliveries."""

    def __init__(
        self,
        assignment: Assignment,
        *,
        jobs: int,
        level: Level | None = None,
        first_core: int = 0,
        scored_only: bool = False,
        trial_seed: int | None = None,
    ) -> None:
        """Start the lanes, from the core `first_core` on; nothing waits here for the half second that they need.

        A class is graded only if the solution earns every point. With a `trial_seed`, that of hashes, known engines are
        graded whatever the solution earns, and each answer holds the whole report.
        """
        self._assignment, self._stopping = assignment, threading.Event()
        remove_left()
        self._directory = HeldDirectory("autograder-class-")
        Path(self._directory.name).chmod(0o711)
        self._common = Settings(
            root=str(assignment.root_path),
            directory="",
            level=level,
            limits=assignment.limits,
            hash_seed=trial_seed or 0,
            scored_only=scored_only,
            trial=trial_seed is not None,
        )
        self._settings = [self._settings_of(number, core) for number, core in enumerate(_cores(jobs, first_core))]
        self._processes: list[Process | None] = [_started(settings) for settings in self._settings]
        self._runs: dict[int, Run] = {}

    def run(self) -> Run:
        """Return what all submissions of this run share, as the first lane says it.

        Raises AssignmentError, IsolationError or SandboxError if the lanes cannot grade.
        """
        return self._ready(0)

    def answers(self, deliveries: Iterable[Delivery]) -> Iterator[Answer]:
        """Yield an answer for each delivery, in the order in which they come.

        `deliveries` is read a few ahead, and only by one thread at a time. An error that it raises is raised here.
        """
        jobs, done = _Shared(iter(deliveries)), queue.Queue[Answer | BaseException | None](maxsize=64)
        threads = [
            threading.Thread(target=self._feed, args=(number, jobs, done), daemon=True)
            for number in range(len(self._settings))
        ]
        for thread in threads:
            thread.start()
        left = len(threads)
        while left:
            item = done.get()
            if item is None:
                left -= 1
            elif isinstance(item, Answer):
                yield item
            else:
                self.stop()
                raise item

    def stop(self) -> None:
        """Take no more deliveries; those under way are finished."""
        self._stopping.set()

    def close(self) -> None:
        """End every lane, at once."""
        self.stop()
        running = [process for process in self._processes if process]
        for process in running:
            process.finish()
        for process in running:
            process.close()
        self._directory.cleanup()

    def __enter__(self) -> Lanes:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _feed(self, number: int, jobs: _Shared, done: queue.Queue[Answer | BaseException | None]) -> None:
        """Keep one lane busy, and put what it answers into `done`; None at the end."""
        under_way: deque[Delivery] = deque()
        tries: Counter[str] = Counter()
        try:
            self._ready(number)
            while True:
                while len(under_way) < _AHEAD and not self._stopping.is_set() and (job := jobs.next()) is not None:
                    self._send(number, job)
                    under_way.append(job)
                if not under_way:
                    return
                job = under_way.popleft()
                answer = self._answer(number, job, under_way)
                tries[job.id] += 1
                if answer.again and tries[job.id] < _TRIES:
                    self._send(number, job)
                    under_way.append(job)
                else:
                    done.put(answer)
        except BaseException as problem:  # noqa: BLE001 - handed to the thread that waits
            done.put(problem)
        finally:
            done.put(None)

    def _answer(self, number: int, job: Delivery, others: Iterable[Delivery]) -> Answer:
        """Return the lane's answer to `job`; if the lane has ended, start it again and give it the `others`."""
        process = self._processes[number]
        assert process is not None
        message = process.receive(self._assignment.limits.run_seconds + _START_SECONDS)
        if message is not None:
            return msgspec.msgpack.decode(message, type=Answer)
        words = process.last_words()
        self._processes[number] = _started(self._settings[number])
        self._runs.pop(number, None)
        self._ready(number)
        for other in others:
            self._send(number, other)
        return Answer(id=job.id, problem=f"the grader ended ({words})", again=True)

    def _send(self, number: int, job: Delivery) -> None:
        process = self._processes[number]
        assert process is not None
        process.send(msgspec.msgpack.encode(job))

    def _ready(self, number: int) -> Run:
        """Wait for a lane's first message, once."""
        if number not in self._runs:
            process = self._processes[number]
            assert process is not None
            message = process.receive(_START_SECONDS)
            if message is None:
                words = process.last_words()
                self._processes[number] = None
                raise SandboxError(f"a grader did not start ({words})")
            hello = msgspec.msgpack.decode(message, type=Hello)
            if hello.run is None:
                raise error_of(hello.error, hello.exit_status)
            self._runs[number] = hello.run
        return self._runs[number]

    def _settings_of(self, number: int, core: int | None) -> Settings:
        directory = Path(self._directory.name) / f"{number:04}"  # of one length for all
        directory.mkdir(0o711)
        directory.chmod(0o711)
        return replace(self._common, directory=str(directory), core=core)


class _Shared:
    """An iterator that several threads take from."""

    def __init__(self, deliveries: Iterator[Delivery]) -> None:
        self._deliveries, self._lock = deliveries, threading.Lock()

    def next(self) -> Delivery | None:
        with self._lock:
            return next(self._deliveries, None)


def _started(settings: Settings) -> Process:
    return Process("autograder.regrade.lanes.lane", msgspec.msgpack.encode(settings))


def usable_cores() -> list[int]:
    """Return the cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))


def _cores(jobs: int, first: int) -> list[int | None]:
    """Return the core of each lane; None if the system takes no such wish, or has one core."""
    cores = usable_cores()
    if not hasattr(os, "sched_setaffinity") or len(cores) < 2:
        return [None] * jobs
    return [cores[(first + number) % len(cores)] for number in range(jobs)]


def error_of(text: str, exit_status: int) -> AutograderError:
    """Return the error that another process ended with, as far as its exit status tells them apart."""
    kind = AssignmentError if exit_status == AssignmentError.exit_status else IsolationError
    return kind(text)
