"""Starts workers and ends them: the grader's handle on the zygote and on each confined process."""

from __future__ import annotations

import contextlib
import mmap
import os
import sys
import tempfile
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from ..assignment import Limits
from ..errors import IsolationError, ProtocolError
from ..model import Level
from ..wire import format as wire
from ..wire import reader
from ..wire.batch import encode_batch
from ..worker import confinement
from . import isolation, remedies
from .channel import Channel
from .users import reserve_users, tasks_of
from .zygote_client import ZygoteClient


class Ending(msgspec.Struct, frozen=True, kw_only=True):
    """How a worker's process ended."""

    exit_code: int  # negative: the signal that ended it
    killed: bool  # by the grader
    cpu_seconds: float
    peak_mb: float


class Worker:
    """One confined process that holds one copy of the submission's modules."""

    def __init__(self, pid: int, uid: int, channel: Channel, progress: int) -> None:
        self.pid, self.uid, self.channel = pid, uid, channel
        self._progress = progress
        self.loading = ""  # the module whose import was begun last
        self.modules: dict[str, tuple[int, dict[str, int]]] = {}  # handle and names of each that is loaded

    def exchange(self, operations: bytes, seconds: float) -> Any:
        """Return the value or the RaisedError that a batch of operations ends with.

        Raises WorkerTimeout, WorkerCrash or ProtocolError; after any of them the worker is of no more use.
        """
        self.channel.send(operations)
        return self.receive(seconds)

    def load(self, name: str, handle: int) -> None:
        """Begin to import a module of the submission, under `handle`; `receive` returns its names."""
        self.loading = name
        self.channel.send(encode_batch([(wire.LOAD, handle, (name,))]))

    def receive(self, seconds: float) -> Any:
        """Return what `exchange` returns, for what was sent last: one worker is made ready while another is asked."""
        frame = self.channel.receive(seconds)
        try:
            return reader.decode_reply(frame, self.channel.sequence)
        except wire.MalformedError as problem:
            raise ProtocolError(str(problem)) from None

    @property
    def used(self) -> float:
        """Return the seconds that it has used, as limits count them."""
        return self.channel.meter.used

    @property
    def position(self) -> int:
        """Return the position, in the last batch, of the operation that the worker says it was at."""
        # Read as a file: the worker may truncate it, and a page that is mapped and gone would kill the grader.
        return int.from_bytes(os.pread(self._progress, 4, 0), "little")

    def close(self) -> None:
        """Close the pipes; the process sees the end of its requests and leaves."""
        self.channel.close()
        os.close(self._progress)


class Sandbox:
    """The zygote of one run, and the workers that come from it."""

    def __init__(
        self,
        level: Level,
        limits: Limits,
        *,
        at_least: Level = Level.PROCESS,
        hidden: Iterable[Path] = (),
        python: str = sys.executable,
        hash_seed: int = 0,
    ) -> None:
        """Start the zygote and its canary. They need some 50 ms to be ready; nothing waits for them here.

        The mechanisms of `level` are tried, and what they come to must be `at_least` as much; the canary also tries to
        open the paths in `hidden`. Raises SandboxError where no zygote can run.
        """
        self._level, self._at_least, self._limits = level, at_least, limits
        self._users = reserve_users() if level is Level.STRONG else None
        self._decoys: isolation.Decoys | None = None
        self._verified: isolation.Verified | None = None
        self._tasks: int | None = None
        self._zygote = ZygoteClient(python, hash_seed)
        if isolation.LINUX:
            self._send_canary(tuple(hidden))
            confinement.protect_grader()

    @property
    def verified(self) -> isolation.Verified:
        """Return what the canary found; the first time, wait for it. No worker starts before.

        Raises IsolationError when that is less than was insisted on.
        """
        if self._verified is None:
            self._verified = self._ask_canary()
        if self._verified.level < self._at_least:
            raise IsolationError(remedies.too_weak(self._verified, self._at_least))
        return self._verified

    @contextlib.contextmanager
    def forked_zygote(self) -> Iterator[None]:
        """Within it, workers come from a copy of the zygote as it is now, which forgets what it preloads at the end."""
        self._order({"do": "begin"})
        self._tasks = None
        try:
            yield
        finally:
            self._order({"do": "finish"})

    def preload(self, modules: Iterable[str], *, beside: Iterable[Path] = ()) -> tuple[str, ...]:
        """Import modules into the zygote, for workers that will not be able to; return what it has not got.

        `beside` names the directories that hold those which are not of the standard library.
        """
        order = {"do": "preload", "modules": list(modules), "beside": [str(directory) for directory in beside]}
        reply = self._order(order)
        return tuple(reader.Reader(reply).value())

    def spawn(
        self, directory: Path, files: Iterable[str], imports: Iterable[str], *, arrays: Collection[str] = ()
    ) -> Worker:
        """Return a new confined worker for the submission in `directory`; it has imported nothing yet.

        `imports` may be imported by all of it, NumPy by its modules named in `arrays`.
        """
        mechanisms = self.verified.mechanisms
        uid = self._users.next() if self._users and "user" in mechanisms else None
        order = {
            "do": "spawn",
            "files": list(files),
            "imports": list(imports),
            "arrays": list(arrays),
            "confinement": isolation.plan(mechanisms, directory, self._limits, uid, tasks=self._running()),
        }
        with contextlib.ExitStack() as theirs:
            request_end, requests = _pipe(theirs, keep_reader=False)
            replies, reply_end = _pipe(theirs, keep_reader=True)
            output, output_end = _pipe(theirs, keep_reader=True)
            progress = _shared_page()
            reply = self._order(order, [request_end, reply_end, output_end, progress])
        pid = int.from_bytes(reply, "little")
        channel = Channel(requests, replies, output, output_limit=self._limits.output_kb << 10, pid=pid)
        if arrays:
            channel.max_reply += wire.MAX_ARRAY_REPLY
        # Where no worker can fork, nothing of its user can be left when it has ended.
        left = 0 if uid is None or "seccomp" in mechanisms else uid
        return Worker(pid, left, channel, progress)

    def end(self, worker: Worker) -> Ending:
        """Kill a worker if it still runs, with all that shares its user, and return how it ended."""
        reply = self._order({"do": "end", "pid": worker.pid, "uid": worker.uid})
        worker.close()
        exit_code, killed, cpu, peak = wire.ENDED.unpack(reply)
        return Ending(exit_code=exit_code, killed=bool(killed), cpu_seconds=cpu / 1000, peak_mb=peak / 1024)

    def close(self) -> None:
        """End the zygote and every worker it still has."""
        self._zygote.close()
        if self._decoys:
            self._decoys.close()
        if self._users:
            self._users.close()

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _order(self, order: dict[str, Any], descriptors: Iterable[int] = ()) -> bytes:
        """Send one order to the zygote and return its answer, or raise SandboxError."""
        self.verified  # noqa: B018 - the canary's answer comes before any other
        self._zygote.send(order, descriptors)
        return self._zygote.receive()

    def _running(self) -> int:
        """Return how many tasks of this user run, counted once a submission; 0 if each worker has its own user."""
        if self._users or not isolation.LINUX:
            return 0
        if self._tasks is None:
            self._tasks = tasks_of(os.getuid())
        return self._tasks

    def _send_canary(self, hidden: tuple[Path, ...]) -> None:
        """Have the zygote try what a submission could try; the answer is read when it is needed."""
        self._decoys = isolation.Decoys()
        names = isolation.mechanisms(self._level, has_users=self._users is not None)
        uid = self._users.next() if self._users else None
        plan = isolation.plan(
            names, self._decoys.root / "submission", self._limits, uid, tasks=self._running(), insist=False
        )
        scene = self._decoys.scene(self._limits, hidden) | {"leave_network": "namespaces" in names}
        with contextlib.ExitStack() as ours:
            descriptors = [os.open(os.devnull, os.O_RDWR) for _ in range(3)] + [_shared_page()]
            for descriptor in descriptors:
                ours.callback(os.close, descriptor)
            self._zygote.send({"do": "rehearse", "scene": scene, "confinement": plan}, descriptors)

    def _ask_canary(self) -> isolation.Verified:
        if self._decoys is None:
            return isolation.unverified(f"not tried on {sys.platform}")
        return isolation.judged(reader.Reader(self._zygote.receive()).value())


def _pipe(theirs: contextlib.ExitStack, *, keep_reader: bool) -> tuple[int, int]:
    """Return a pipe's (read, write) ends; the worker's end is closed here when it has been handed over."""
    reader, writer = os.pipe()
    theirs.callback(os.close, writer if keep_reader else reader)
    return reader, writer


def _shared_page() -> int:
    """Return a descriptor of a page that the worker maps into its memory, and writes its progress to."""
    with tempfile.TemporaryFile() as file:
        file.truncate(mmap.PAGESIZE)
        return os.dup(file.fileno())
