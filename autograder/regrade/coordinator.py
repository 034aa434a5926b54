"""The coordinator: has the graders grade what is missing of a class, and keeps each outcome.

sources → recognised → keys → lanes or a cluster → ledger → tables
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Protocol

import msgspec
from msgspec.structs import replace

from ..errors import AssignmentError, AutograderError
from ..text import counted, listed
from .lanes.messages import Answer
from .lanes.reader import Reader
from .progress import Progress, interruptible, progress, say
from .records.best import attempt_id, keep_best
from .records.class_report import ClassEntry, Key, Run
from .records.ledger import Ledger
from .sources.delivery import Delivery
from .sources.recognition import Located

_BEST = "the best of them"


class Graders(Protocol):
    """What grades deliveries: the lanes of this machine, or a cluster."""

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
    failed_before: int = 0  # could not be graded in an earlier call, and were not asked for in this one

    @property
    def exit_status(self) -> int:
        """Return 0 if everything is graded, else 3."""
        return AutograderError.exit_status if self.failed or self.waiting or self.failed_before else 0


class Coordinator:
    """Grades one class with the graders that it is given."""

    def __init__(
        self, placed: Sequence[Located], members: Sequence[ClassEntry], graders: Graders, ledger: Ledger
    ) -> None:
        self._attempts = {each.found.id: _attempts(each) for each in placed}
        self._placed = {identity: each for attempts in self._attempts.values() for identity, each in attempts.items()}
        self._members = {member.id: member for member in members}
        self._graders, self._ledger = graders, ledger
        self._keys: dict[str, Key] = {}
        self._unread: dict[str, str] = {}
        self._stopped = threading.Event()

    def grade(self, only: Collection[str] = ()) -> Outcome:
        """Grade what has no record under today's key, and those named in `only` in any case; then only those.

        Raises AutograderError if the output cannot be written; what was finished stays.
        """
        with Reader() as self._reader, interruptible(self._stop), progress(len(self._placed)) as shown:
            run = self._graders.run()
            self._read_all(run)
            self._begin(run)
            done = {
                name for name in self._placed if name not in self._unread and self._ledger.has(name, self._keys[name])
            }
            named = {attempt for identity in only for attempt in self._attempts[identity]}
            wanted = [each for each in self._placed if (each in named if only else each not in done)]
            kept = len(done - set(wanted))
            shown.begin(len(self._placed) - len(wanted))
            if kept:
                say(f"{counted(kept, 'submission')} of {len(self._placed)} are graded already")
            failed = self._grade(wanted, shown)
        self._keep_best(run)
        left = [each for each in self._placed if each not in failed and not self._ledger.has(each, self._keys[each])]
        failed_before = sum(1 for each in left if (record := self._ledger.record(each)) and record.problem)
        return Outcome(
            graded=len(self._placed) - len(failed) - len(left) - kept,
            kept=kept,
            failed=tuple(failed),
            waiting=len(left) - failed_before,
            failed_before=failed_before,
        )

    def _begin(self, run: Run) -> None:
        """Write whose submissions these are. The last of several attempts stands for all until the best is known."""
        keys = {identity: self._keys[list(attempts)[-1]] for identity, attempts in self._attempts.items()}
        keys |= self._chosen()
        self._ledger.begin(run, tuple(self._members.values()), keys)

    def _chosen(self) -> dict[str, Key]:
        """Keep the best of each student's attempts that are all graded; return the keys of the best."""
        keys = {}
        for identity, attempts in self._attempts.items():
            if len(attempts) > 1:
                index = keep_best(self._ledger, identity, list(attempts), self._keys)
                if index is not None:
                    best, member = list(attempts)[index], self._members[identity]
                    keys[identity] = self._keys[best]
                    of_one = {_BEST, *(remark for each in attempts.values() for remark in each.found.remarks)}
                    of_all = [remark for remark in member.remarks if remark not in of_one]
                    self._members[identity] = replace(
                        member,
                        original=attempts[best].found.member.original,
                        remarks=(*attempts[best].found.remarks, _BEST, *of_all),
                    )
        return keys

    def _keep_best(self, run: Run) -> None:
        """Let the best of several attempts count; name a failed attempt in its student's record."""
        if all(len(attempts) == 1 for attempts in self._attempts.values()):
            return
        self._begin(run)
        for identity, attempts in self._attempts.items():
            problems = [(each, record.problem) for each in attempts if (record := self._ledger.record(each))]
            failures = [f"{each.partition('~')[2]}: {problem}" for each, problem in problems if problem]
            if len(attempts) > 1 and failures:
                self._ledger.fail(identity, self._keys[list(attempts)[-1]], f"attempt {failures[0]}")

    def _read_all(self, run: Run) -> None:
        """Find the key of every submission. One that cannot be read has a key that no record has."""
        level = run.isolation.level.name.lower()
        for identity, placed in self._placed.items():
            digest = ""
            try:
                digest = self._delivery(placed).digest
            except AutograderError as problem:
                self._unread[identity] = str(problem)
            self._keys[identity] = Key(submission=digest, suites=run.suites, version=run.version, level=level)

    def _grade(self, wanted: Sequence[str], shown: Progress) -> list[str]:
        """Grade those `wanted`, and keep each answer as it comes. Return the ids that could not be graded, in order."""
        failed: set[str] = set()
        for identity in (each for each in wanted if each in self._unread):
            self._fail(identity, self._unread[identity], failed)
            shown.advance()
        readable = [each for each in wanted if each not in self._unread]
        for answer in self._graders.answers(self._deliveries(readable)) if readable else ():
            if answer.problem:
                self._fail(answer.id, answer.problem, failed)
            else:
                self._ledger.keep(answer.id, answer.record, answer.results, answer.film)
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
            except AutograderError as problem:
                self._unread[identity] = str(problem)

    def _delivery(self, placed: Located) -> Delivery:
        if placed.found.missing:
            raise AutograderError(placed.found.missing)
        return self._reader.delivery(placed)

    def _fail(self, identity: str, problem: str, failed: set[str]) -> None:
        failed.add(identity)
        self._ledger.fail(identity, self._keys[identity], problem)

    def _stop(self) -> None:
        self._stopped.set()
        self._graders.stop()


def _attempts(placed: Located) -> dict[str, Located]:
    """Return what is graded of one student, by the id that it is kept under."""
    if not placed.attempts:
        return {placed.found.id: placed}
    ids = [attempt_id(placed.found.id, number) for number in range(1, len(placed.attempts) + 1)]
    return {
        identity: Located(replace(found, id=identity), placed.tree)
        for identity, found in zip(ids, placed.attempts, strict=True)
    }


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
