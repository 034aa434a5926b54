"""A cluster of dask.distributed in place of this machine's lanes: the same work, and to the byte the same answers.

A task is a batch of deliveries. It carries the bytes to grade, and the worker that takes it needs no file of this
machine: the assignment travels once, as a zip. The task runs lanes of its own in processes beside the dask worker, so
that no submission's code comes near it. The batch of a worker that dies is graded by another.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import msgspec

from ... import __version__
from ...assignment import Assignment
from ...errors import AssignmentError, AutograderError, SandboxError
from ...model import Level
from ..records.class_report import Run
from ..sources.delivery import Delivery
from .cluster_worker import Graded, Terms, end_lanes, graded, packed
from .messages import Answer

if TYPE_CHECKING:
    from distributed import Client, Future

BATCH = 8  # deliveries in a task: what is lost with a worker costs a second, and a task costs dask some milliseconds
_AHEAD = 2  # tasks for each thread of the cluster: the one that runs and the next
RETRIES = 3  # of a task whose worker died
_CONNECT_SECONDS = 10.0


class Cluster:
    """The workers behind one scheduler."""

    def __init__(
        self, assignment: Assignment, address: str, *, level: Level | None = None, scored_only: bool = False
    ) -> None:
        """Connect. Raises AutograderError if there is no such scheduler, or dask is not installed."""
        try:
            from distributed import Client
        except ImportError:
            raise AssignmentError(
                "--scheduler needs dask.distributed: pip install 'micro-autograd-autograder[cluster]'"
            ) from None
        try:
            self._client: Client = Client(address, timeout=_CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as problem:
            raise AutograderError(f"no scheduler answers at {address} ({type(problem).__name__}: {problem})") from None
        self._packed, self._stopped = packed(assignment), False
        self._terms = Terms(level=level, scored_only=scored_only, version=__version__)
        self._run: Run | None = None

    def run(self) -> Run:
        """Return what all submissions of this run share, as a worker says it.

        Raises SandboxError if there is no worker, and what a worker's lanes raise.
        """
        if self._run is None:
            try:
                self._client.wait_for_workers(1, timeout=_CONNECT_SECONDS)
            except TimeoutError:
                raise SandboxError("the cluster has no workers; start some with `dask worker ADDRESS`") from None
            self._run = self._submit(()).result().checked()
        return self._run

    def answers(self, deliveries: Iterable[Delivery]) -> Iterator[Answer]:
        """Yield an answer for each delivery, in the order in which batches are done."""
        from distributed import as_completed

        batches = _batches(iter(deliveries))
        under_way = as_completed([], loop=self._client.loop)
        asked: dict[Any, tuple[Delivery, ...]] = {}
        while True:
            while len(asked) < self._room() and not self._stopped and (batch := next(batches, None)):
                future = self._submit(batch)
                asked[future.key] = batch
                under_way.add(future)
            if not asked:
                return
            future = next(under_way)
            yield from self._collected(future, asked.pop(future.key))

    def stop(self) -> None:
        """Take no more deliveries; batches under way are finished."""
        self._stopped = True

    def close(self) -> None:
        """Disconnect; the cluster goes on, without the lanes that were started for this run."""
        with contextlib.suppress(OSError, TimeoutError):  # a scheduler that is gone needs no tidying
            self._client.run(end_lanes)
        self._client.close()

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _room(self) -> int:
        workers = self._client.scheduler_info(n_workers=-1)["workers"].values()
        return _AHEAD * max(1, sum(int(worker["nthreads"]) for worker in workers))

    def _submit(self, batch: tuple[Delivery, ...]) -> Future:
        message = msgspec.msgpack.encode(batch)
        return self._client.submit(graded, self._packed, self._terms, message, pure=False, retries=RETRIES)

    def _collected(self, future: Future, batch: tuple[Delivery, ...]) -> Iterator[Answer]:
        """Yield the answers of one task; of one that the cluster gave up, a problem for each of its deliveries."""
        problem = future.exception()
        if problem is None:
            done: Graded = future.result()
            run = done.checked()
            if run != self.run():
                raise AutograderError(
                    f"the workers differ, so grades would depend on who gave them: {_difference(run, self.run())}"
                )
            yield from msgspec.msgpack.decode(done.answers, type=tuple[Answer, ...])
        else:
            words = f"the cluster could not grade it ({type(problem).__name__}: {problem})"
            yield from (Answer(id=delivery.id, problem=words) for delivery in batch)
        future.release()


def _batches(deliveries: Iterator[Delivery]) -> Iterator[tuple[Delivery, ...]]:
    while batch := tuple(itertools.islice(deliveries, BATCH)):
        yield batch


def _difference(one: Run, other: Run) -> str:
    """Return the first field in which two runs differ, with both values."""
    name = next(name for name in Run.__struct_fields__ if getattr(one, name) != getattr(other, name))
    return f"{name} is {getattr(one, name)} here and {getattr(other, name)} there"
