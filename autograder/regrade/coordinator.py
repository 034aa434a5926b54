"""The desk: takes a class, has graded what is not graded yet, and lays out what came of it.

sources → recognised → keys → lanes or a cluster → ledger → tables
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol

import click
import msgspec

from ..errors import AssignmentError, AutograderError
from ..text import counted, listed
from .lanes.messages import Answer
from .progress import progress
from .records.class_report import ClassEntry, Key, Run
from .records.ledger import Ledger
from .sources.delivery import Delivery
from .sources.recognition import Located


class Graders(Protocol):
    """Whoever grades deliveries: the lanes of this machine, or a cluster."""

    def __enter__(self) -> Graders:
        """Return itself, started."""

    def __exit__(self, *_: object) -> None:
        """End it."""

    def run(self) -> Run:
        """Return what all submissions of the run share."""

    def answers(self, deliveries: Iterable[Delivery]) -> Iterator[Answer]:
        """Yield an answer for each delivery, in any order."""

    def stop(self) -> None:
        """Take no more deliveries; those under way are finished."""


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What one call did, in numbers."""

    graded: int = 0
    kept: int = 0  # from an earlier call
    failed: tuple[str, ...] = ()  # ids that could not be graded
    waiting: int = 0  # not graded yet

    @property
    def exit_status(self) -> int:
        """Return 0 when everything is graded, else 3."""
        return AutograderError.exit_status if self.failed or self.waiting else 0


class Coordinator:
    """One class, and the graders that it is given to."""

    def __init__(
        self, placed: Sequence[Located], members: Sequence[ClassEntry], graders: Graders, ledger: Ledger
    ) -> None:
        self._placed = {each.found.id: each for each in placed}
        self._members, self._graders, self._ledger = members, graders, ledger
        self._keys: dict[str, Key] = {}
        self._unread: dict[str, str] = {}
        self._stopped = threading.Event()

    def grade(self, only: Collection[str] = ()) -> Outcome:
        """Grade what has no record under today's key, and those named in `only` in any case; then only those.

        Raises AutograderError when the output cannot be written; what was finished stays.
        """
        run = self._graders.run()
        self._read_all(run)
        self._ledger.begin(run, self._members, self._keys)
        done = {each for each in self._placed if each not in self._unread and self._ledger.has(each, self._keys[each])}
        wanted = [each for each in self._placed if (each in only if only else each not in done)]
        if done and not only:
            click.echo(f"{counted(len(done), 'submission')} of {len(self._placed)} are graded already", err=True)
        failed = self._grade(wanted)
        left = [each for each in self._placed if each not in failed and not self._ledger.has(each, self._keys[each])]
        kept = len(done - set(wanted))
        return Outcome(
            graded=len(self._placed) - len(failed) - len(left) - kept,
            kept=kept,
            failed=tuple(failed),
            waiting=len(left),
        )

    def _read_all(self, run: Run) -> None:
        """Find the key of every submission; what cannot be read has none that any record could have."""
        level = run.isolation.level.name.lower()
        for identity, placed in self._placed.items():
            digest = ""
            try:
                digest = self._delivery(placed).digest
            except OSError as problem:
                self._unread[identity] = _vanished(problem)
            except AutograderError as problem:
                self._unread[identity] = str(problem)
            self._keys[identity] = Key(submission=digest, suites=run.suites, version=run.version, level=level)

    def _grade(self, wanted: Sequence[str]) -> list[str]:
        """Grade those `wanted`, and keep each answer as it comes. Return the ids that could not be graded, in order."""
        failed: set[str] = set()
        with progress(len(wanted)) as shown, _interruptible(self._stop, shown.say):
            for identity in (each for each in wanted if each in self._unread):
                self._fail(identity, self._unread[identity], failed)
                shown.advance()
            readable = [each for each in wanted if each not in self._unread]
            for answer in self._graders.answers(self._deliveries(readable)) if readable else ():
                if answer.problem:
                    self._fail(answer.id, answer.problem, failed)
                else:
                    self._ledger.keep(answer.id, answer.record, answer.results)
                shown.advance()
            for identity in self._unread.keys() & set(readable):  # they were there when the run began
                self._fail(identity, self._unread[identity], failed)
        return [each for each in self._placed if each in failed]

    def _deliveries(self, wanted: Iterable[str]) -> Iterator[Delivery]:
        for identity in wanted:
            if self._stopped.is_set():
                return
            try:
                yield self._delivery(self._placed[identity])
            except (OSError, AutograderError) as problem:
                self._unread[identity] = _vanished(problem) if isinstance(problem, OSError) else str(problem)

    def _delivery(self, placed: Located) -> Delivery:
        if placed.found.missing:
            raise AutograderError(placed.found.missing)
        return placed.delivery()

    def _fail(self, identity: str, problem: str, failed: set[str]) -> None:
        failed.add(identity)
        self._ledger.fail(identity, self._keys[identity], problem)

    def _stop(self) -> None:
        self._stopped.set()
        self._graders.stop()


def chosen(members: Iterable[ClassEntry], names: Iterable[str]) -> frozenset[str]:
    """Return the ids that `names` mean: an id, an SID or an email each.

    Raises AssignmentError for one that nobody has.
    """
    known: dict[str, set[str]] = {}
    for member in members:
        keys = [member.id, *(key for person in member.submitters for key in (person.sid, person.email))]
        for key in keys:
            known.setdefault(key.casefold(), set()).add(member.id)
    missing = [name for name in names if name.casefold() not in known]
    if missing:
        raise AssignmentError(f"nobody in these sources is {listed(missing)}; known are {listed(sorted(known)[1:])}")
    return frozenset(identity for name in names for identity in known[name.casefold()])


def _vanished(problem: OSError) -> str:
    return f"its files cannot be read: {problem.strerror or problem}"


@contextmanager
def _interruptible(stop: Callable[[], None], say: Callable[[str], None]) -> Iterator[None]:
    """Let the first Ctrl-C finish what is under way, and the second end at once."""

    def finish(number: int, _frame: object) -> None:
        signal.signal(number, signal.default_int_handler)
        stop()
        say("Finishing what is under way; Ctrl-C again ends at once. The same command goes on from here.")

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    kept = {number: signal.signal(number, finish) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in kept.items():
            signal.signal(number, handler)
