"""Asks the homework's own diagnoses about the tests that failed. A slip of theirs costs a sentence, never a score."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from ..assignment import Assignment
from ..errors import AssignmentError, OwnTimeout, WorkerError
from ..findings.plugin import FAILED, DiagnosisPlugin, plugin_of
from ..model import Diagnosis, FilmChoice, Flag, GradedTest
from ..remote.replay import Replay
from ..remote.session import RemoteSession
from ..remote.tape import Tape
from .deadline import OwnLimits

if TYPE_CHECKING:
    from ..film.frames import Film

DIAGNOSIS_BUDGET_SECONDS = 20.0  # for all diagnoses of one submission; an ordinary wrong one needs about one second
FILM_SECONDS = 5.0  # by the wall, to look for the one film of a submission: none is begun after it
MOST_TRACED = 8  # tests of a submission that are performed once more, line by line


class Diagnosing:
    """The plugin that the configuration names, held to the limits that a test has on our side."""

    def __init__(self, assignment: Assignment, limits: OwnLimits) -> None:
        self._assignment, self._limits = assignment, limits
        self._secret = {suite.name for suite in assignment.suites if suite.secret}

    @cached_property
    def _plugin(self) -> DiagnosisPlugin | None:
        return plugin_of(self._assignment)  # many modules: only a wrong submission pays for them

    def diagnoses(self, failed: Iterable[tuple[GradedTest, Tape]], session: RemoteSession) -> dict[str, Diagnosis]:
        """Return what is wrong, by the id of a failed test, as long as there is time to ask.

        Call it when no test is left that could learn from the questions.
        """
        found: dict[str, Diagnosis] = {}
        for test, tape in failed if self._assignment.diagnosis else ():
            if session.diagnosis_seconds > DIAGNOSIS_BUDGET_SECONDS or session.budget.run_seconds_left <= 0:
                break
            located = {(each.code, each.subject) for each in found.values() if each.line}
            if diagnosis := self._diagnosis(test, tape, session, None if test.suite in self._secret else located):
                found[test.id] = diagnosis
        return found

    def films(
        self, failed: Iterable[tuple[GradedTest, Tape]], session: RemoteSession, choice: FilmChoice
    ) -> dict[str, Film]:
        """Return films of the open tests that failed, by id, as long as there is time.

        Call it where `diagnoses` may be called, and before.
        """
        found: dict[str, Film] = {}
        is_one_enough, end = choice is FilmChoice.FIRST_WRONG, time.monotonic() + FILM_SECONDS
        for test, tape in failed if self._assignment.diagnosis else ():
            if session.budget.run_seconds_left <= 0 or (is_one_enough and time.monotonic() > end):
                break
            film = None if test.suite in self._secret else self._film(test, tape, session)
            if film and is_one_enough and film.first_wrong is not None:
                return {test.id: film}
            if film and not is_one_enough:
                found[test.id] = film
        return found

    def _film(self, test: GradedTest, tape: Tape, session: RemoteSession) -> Film | None:
        again = session.anew(tape, test)
        film: Film | None = None
        with self._held(test, session, [again]):
            if film_of_test := getattr(self._plugin, "film_of_test", None):
                film = film_of_test(test.title, again)
        return film

    def _diagnosis(
        self, test: GradedTest, tape: Tape, session: RemoteSession, located: Collection[tuple[str, str]] | None
    ) -> Diagnosis | None:
        """Return what is wrong, with the line that makes the mistake unless it is among `located`: code and subject.

        For a secret test `located` is None: a line holds numbers of the test.
        """
        asked = [session.replay(tape, test)]

        def anew(code: str, subject: str) -> Replay | None:
            if located is None or (code, subject) in located or session.traced >= MOST_TRACED:
                return None
            session.traced += 1
            asked.append(session.anew(tape, test))
            return asked[-1]

        started = time.process_time()  # not the wall's: which tests are diagnosed may not depend on other processes
        found: Diagnosis | None = None
        with self._held(test, session, asked):
            assert self._plugin is not None, "the configuration names one"
            found = _checked(self._plugin.diagnose(asked[0], anew))
        spent = sum(each.seconds + each.questioned for each in asked)
        session.diagnosis_seconds += time.process_time() - started + spent
        return replace(found, section=self._assignment.sections.get(found.section, "")) if found else None

    @contextmanager
    def _held(self, test: GradedTest, session: RemoteSession, asked: list[Replay]) -> Iterator[None]:
        """Within it the plugin may do what it does wrong: staff are told, and that is all."""
        try:
            with self._limits, self._limits.of_test(session.budget.run_seconds_left):
                yield
        except OwnTimeout as problem:
            asked[-1].abandon(problem)  # it may have come in the middle of a reply
            _tell(session, f"{test.id}: it took more than {self._assignment.limits.grader_seconds:g} seconds")
        except WorkerError:  # the submission did not survive a question
            pass
        except AssignmentError as problem:  # the same for every test
            _tell(session, str(problem))
        except (Exception, SystemExit) as problem:  # noqa: BLE001 - a course's own module
            _tell(session, f"{test.id}: {type(problem).__name__}: {problem}")


def _checked(found: object) -> Diagnosis | None:
    """Return what a plugin answered; raise TypeError if that is not a Diagnosis, or one whose fields are others."""
    if found is None:
        return None
    if not isinstance(found, Diagnosis):
        raise TypeError(f"`diagnose` returned {found!r:.80}, which is neither a Diagnosis nor None")
    try:
        return msgspec.convert(msgspec.to_builtins(found), Diagnosis)
    except msgspec.ValidationError as problem:
        raise TypeError(f"`diagnose` returned a Diagnosis that is not one: {problem}") from None


def _tell(session: RemoteSession, text: str) -> None:
    flag = Flag(title=FAILED, text=text)
    if flag not in session.flags:
        session.flags.append(flag)
