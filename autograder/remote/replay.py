"""A test that is over, performed again by a worker that serves no test: what a diagnosis may question.

A worker that was questioned about a failure knows that its answers were wrong, and could give others from then on. So
questions are asked of a worker that performs the same operations as the test did and serves nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

from ..errors import WorkerError
from ..sandbox.handle import Worker
from ..wire import format as wire
from ..wire.batch import encode_batch
from .tape import Tape

_LEAST_SECONDS = 0.5  # to perform a test again, and to import what it needs


class Respondent:
    """The worker that diagnoses question: one for each suite, replaced after anything goes wrong."""

    def __init__(
        self, spawn: Callable[[], Worker], load: Callable[[Worker, str], object], end: Callable[[Worker], None]
    ) -> None:
        self._spawn, self._load, self._end = spawn, load, end
        self._worker: Worker | None = None
        self._suite = ""

    def ready(self, tape: Tape, suite: str) -> Worker:
        """Return a worker that has imported what the test of `tape` did, and saw tests of its suite alone."""
        if self._suite != suite:
            self.close()
        if self._worker is None:
            self._worker, self._suite = self._spawn(), suite
        for name in tape.modules:
            self._load(self._worker, name)
        return self._worker

    def close(self) -> None:
        """End the worker, if there is one."""
        worker, self._worker = self._worker, None
        if worker is not None:
            self._end(worker)


class Replay:
    """What one test did, and a worker to ask what its objects hold: it performs the test before the first question."""

    def __init__(
        self,
        tape: Tape,
        worker: Callable[[], Worker],
        lose: Callable[[WorkerError], None],
        *,
        files: tuple[str, ...] = (),
        performs: bool = True,
    ) -> None:
        """Perform `tape` again on what `worker` returns; `lose` is called if that worker is of no more use.

        Without `performs` the worker has done nothing but import the submission when the first question comes. `files`
        are those of the submission.
        """
        self.steps, self.performed, self.broken = tape.steps, tape.performed, tape.broken
        self.files = files
        self.raised = frozenset(stop for end, stop in tape.sent if stop < end)  # the steps that raised
        self.seconds = 0.0  # that performing it again took
        self.questioned = 0.0  # and that the questions took
        self._ready, self._lose = worker, lose
        self._sent = tape.sent if performs else []
        self._allowance = 2 * tape.seconds + _LEAST_SECONDS
        self._given = len(tape.steps)
        self._worker: Worker | None = None

    @property
    def unused(self) -> wire.Handle:
        """Return the handle that the next operation's result will have."""
        return wire.Handle(wire.FIRST_OBJECT + self._given)

    def reserved(self, count: int) -> list[wire.Handle]:
        """Return the next handles, which the results of operations within the next operation are to have."""
        self._given += count
        return [wire.Handle(self.unused - count + i) for i in range(count)]

    def ask(self, operations: list[tuple[int, tuple[Any, ...]]], seconds: float) -> Any:
        """Perform operations after those of the test; return the last one's value or its RaisedError.

        The first of them gets the handle `unused`, and so on. Raises WorkerError if the worker does not survive it,
        or did not do the same again.
        """
        batch = encode_batch([(code, self.unused + i, arguments) for i, (code, arguments) in enumerate(operations)])
        worker = self._performing()
        self._given += len(operations)
        before = worker.used
        try:
            return worker.exchange(batch, seconds)
        except WorkerError as problem:
            self._lose(problem)
            raise
        finally:
            self.questioned += worker.used - before

    def abandon(self, problem: WorkerError) -> None:
        """Give up the worker, which may be in the middle of a reply."""
        self._lose(problem)

    def _performing(self) -> Worker:
        """Return the worker, which has performed the test."""
        if self._worker is None:
            try:
                worker = self._ready()
                self._perform(worker)
            except WorkerError as problem:
                self._lose(problem)
                raise
            self._worker = worker
        return self._worker

    def _perform(self, worker: Worker) -> None:
        """Send the batches of the test once more; raise WorkerError if they do not end as they did."""
        before = worker.used
        try:
            for (start, _), (end, stop) in pairwise(((0, 0), *self._sent)):
                batch = encode_batch([step[:3] for step in self.steps[start:end]])
                last = worker.exchange(batch, self._allowance - (worker.used - before))
                stopped = start + last.position if isinstance(last, wire.RaisedError) else end
                if stopped != stop:
                    raise WorkerError("the submission did not do the same again")
        finally:
            self.seconds = worker.used - before
