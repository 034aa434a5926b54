"""Starts workers and ends them: the grader's handle on the zygote."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from ..assignment import Limits
from ..errors import IsolationError
from ..model import Level
from ..wire import format as wire
from ..wire import reader
from ..worker import confinement
from . import isolation, remedies
from .channel import Channel
from .commands import Begin, Command, End, Findings, Finish, Preload, SelfTest, Spawn, Trial, Watch
from .decoys import DecoyFiles
from .handle import Ending, Worker, pipe, shared_page
from .users import reserve_users, tasks_of
from .zygote_client import ZygoteClient


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
        """Start the zygote and the self-test. They need some 50 ms to be ready; nothing waits for them here.

        The self-test tries the mechanisms of `level`, and must reach `at_least`; it also tries to open the paths in
        `hidden`. Raise SandboxError if no zygote can run.
        """
        self._level, self._at_least, self._limits = level, at_least, limits
        self._users = reserve_users() if level is Level.STRONG else None
        self._decoys: DecoyFiles | None = None
        self._verified: isolation.Verified | None = None
        self._tasks: int | None = None
        self._zygote = ZygoteClient(python, hash_seed)
        if isolation.LINUX:
            self._begin_self_test(tuple(hidden))
            confinement.protect_grader()

    @property
    def verified(self) -> isolation.Verified:
        """Return what the self-test found; the first time, wait for it. No worker starts before.

        Raise IsolationError below the level that was insisted on.
        """
        if self._verified is None:
            self._verified = self._self_tested()
        if self._verified.level < self._at_least:
            raise IsolationError(remedies.too_weak(self._verified, self._at_least))
        return self._verified

    @contextlib.contextmanager
    def forked_zygote(self) -> Iterator[None]:
        """Within it, workers come from a copy of the zygote as it is now, which forgets what it preloads at the end."""
        self._ask(Begin())
        self._tasks = None
        try:
            yield
        finally:
            self._ask(Finish())

    def preload(self, modules: Iterable[str], *, beside: Iterable[Path] = ()) -> tuple[str, ...]:
        """Import modules into the zygote, for workers that will not be able to; return what it has not got.

        `beside` names the directories that hold those which are not of the standard library.
        """
        command = Preload(modules=tuple(modules), beside=tuple(str(directory) for directory in beside))
        return tuple(reader.Reader(self._ask(command)).value())

    def spawn(
        self,
        directory: Path,
        files: Iterable[str],
        imports: Iterable[str],
        *,
        packages: Mapping[str, Sequence[str]] | None = None,
        arrays: bool = False,
    ) -> Worker:
        """Return a new confined worker for the submission in `directory`; it has imported nothing yet.

        `imports` may be imported by all of it, and `packages` by the module that each is listed for. With `arrays`,
        they may come back.
        """
        mechanisms = self.verified.mechanisms
        uid = self._users.next() if self._users and "user" in mechanisms else None
        command = Spawn(
            files=tuple(files),
            imports=tuple(imports),
            packages={name: tuple(each) for name, each in (packages or {}).items()},
            confinement=isolation.plan(mechanisms, directory, self._limits, uid, tasks=self._running()),
        )
        with contextlib.ExitStack() as theirs:
            request_end, requests = pipe(theirs, keep_reader=False)
            replies, reply_end = pipe(theirs, keep_reader=True)
            output, output_end = pipe(theirs, keep_reader=True)
            progress = shared_page()
            reply = self._ask(command, [request_end, reply_end, output_end, progress])
        number, named = wire.SPAWNED.unpack(reply)
        pid = self._zygote.named if named else number
        channel = Channel(requests, replies, output, output_limit=self._limits.output_kb << 10, pid=pid)
        if arrays:
            channel.max_reply += wire.MAX_ARRAY_REPLY
        # Where no worker can fork, nothing of its user can be left when it has ended.
        left = 0 if uid is None or "seccomp" in mechanisms else uid
        return Worker(pid, number, left, channel, progress)

    def end(self, worker: Worker) -> Ending:
        """Kill a worker if it still runs, with all that shares its user, and return how it ended."""
        reply = self._ask(End(pid=worker.number, uid=worker.uid))
        worker.close()
        exit_code, killed, cpu, peak = wire.ENDED.unpack(reply)
        return Ending(exit_code=exit_code, killed=bool(killed), cpu_seconds=cpu / 1000, peak_mb=peak / 1024)

    def watch(self, descriptors: Iterable[int]) -> None:
        """Have the zygote start what watches over this process, with the descriptors of the watchdog."""
        self._ask(Watch(), descriptors)

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

    def _ask(self, command: Command, descriptors: Iterable[int] = ()) -> bytes:
        """Send one command to the zygote and return its answer, or raise SandboxError."""
        self.verified  # noqa: B018 - the self-test's answer comes before any other
        self._zygote.send(command, descriptors)
        return self._zygote.receive()

    def _running(self) -> int:
        """Return how many tasks of this user run, counted once a submission; 0 if each worker has its own user."""
        if self._users or not isolation.LINUX:
            return 0
        if self._tasks is None:
            self._tasks = tasks_of(os.getuid())
        return self._tasks

    def _begin_self_test(self, hidden: tuple[Path, ...]) -> None:
        """Have the zygote try what a submission could try; the answer is read when it is needed."""
        self._decoys = DecoyFiles()
        decoys = self._decoys.described(self._limits, hidden)
        names = isolation.mechanisms(self._level, has_users=self._users is not None)
        uid = self._users.next() if self._users else None
        directory = Path(decoys.submission)
        plan = isolation.plan(names, directory, self._limits, uid, tasks=self._running(), insist=False)
        with contextlib.ExitStack() as ours:
            trial = ours.enter_context(tempfile.TemporaryFile(buffering=0))
            trial.write(Trial(decoys=decoys, confinement=plan).encoded())
            null, progress = os.open(os.devnull, os.O_RDWR), shared_page()
            for descriptor in (null, progress):
                ours.callback(os.close, descriptor)
            command = SelfTest(namespaces="namespaces" in names)
            self._zygote.send(command, [trial.fileno(), null, null, null, progress])

    def _self_tested(self) -> isolation.Verified:
        if self._decoys is None:
            return isolation.unverified(f"not tried on {sys.platform}")
        return isolation.judged(msgspec.convert(reader.Reader(self._zygote.receive()).value(), Findings))
