"""Collects the suites with pytest, once, and runs tests of them against a submission."""

from __future__ import annotations

import contextlib
import gc
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from .. import quiet_collector
from ..assignment import Assignment
from ..errors import AssignmentError
from ..failure import BlockedBy, Failure, FailureKind
from ..model import Diagnosis, FilmChoice, GradedTest, Status, TestOutcome
from ..remote.session import RemoteSession
from ..sandbox.watchdog import Journal
from .diagnosing import Diagnosing
from .manifest import check_files, check_manifests
from .marks import in_turn

if TYPE_CHECKING:
    from ..film.frames import Film
    from .plugin import GradingPlugin

_INI = Path(__file__).with_name("suites.ini")
_UNNEEDED = (  # parts of pytest that a graded run does without, each a few milliseconds
    *("cacheprovider", "terminal", "junitxml", "pastebin", "doctest", "faulthandler", "logging", "stepwise"),
    *("debugging", "setuponly", "setupplan", "warnings", "legacypath", "unittest", "recwarn", "tmpdir", "monkeypatch"),
    *("unraisableexception", "threadexception"),  # these collect all garbage, twice
    *("skipping", "subtests", "capture"),  # a graded test does none of it: marks.py and plugin.py refuse it
)


class Suites:
    """The collected suites: what each test declares, and a way to run them."""

    def __init__(self, plugin: GradingPlugin, *, scored_only: bool = False) -> None:
        self._plugin = plugin
        self._diagnosing = Diagnosing(plugin.assignment, plugin.own_limits)
        # None that carries points waits for one that does not: those run later.
        self._nodes = {node: test for node, test in plugin.tests.items() if test.scored or not scored_only}
        self.tests: tuple[GradedTest, ...] = tuple(self._nodes.values())
        self.packages = plugin.uses_packages(self._nodes)  # whether submissions need any for these tests

    def scored(self) -> Suites:
        """Return the same suites without the tests that carry no points."""
        return Suites(self._plugin, scored_only=True)

    def diagnoses(self, session: RemoteSession) -> dict[str, Diagnosis]:
        """Return what is wrong, by id, in the tests that failed since the last call.

        Call it when no test is left that could learn from the questions.
        """
        return self._diagnosing.diagnoses(self._plugin.take_failed(), session)

    def films(self, session: RemoteSession, choice: FilmChoice) -> dict[str, Film]:
        """Return films of the open tests that failed since the last diagnoses, by id, as long as there is time.

        Call it where `diagnoses` may be called, and before.
        """
        return self._diagnosing.films(self._plugin.failed, session, choice)

    def run(self, session: RemoteSession, *, suite: str, journal: Journal) -> Iterator[TestOutcome]:
        """Run one suite's tests in order, those without points last; note each and yield its outcome.

        A test whose `after` did not pass is blocked, and so is everything once the submission's time is used up.
        """
        passed: dict[str, bool] = {}
        last = next((test for test in reversed(self.tests) if test.scored), self.tests[-1])
        with self._plugin.own_limits:
            for node, test in in_turn(self._nodes):
                if test.suite != suite:
                    continue
                journal.begin(test.id)
                more = test.worker_group != last.worker_group
                outcome = _blocked(test, session, passed) or self._plugin.run(node, session, more=more)
                for name in {test.id, test.id.partition("[")[0]}:
                    passed[name] = passed.get(name, True) and outcome.status is Status.PASSED
                journal.end(outcome.status.value)
                yield outcome


def _blocked(test: GradedTest, session: RemoteSession, passed: dict[str, bool]) -> TestOutcome | None:
    """Return a BLOCKED outcome for a test that is not to be run."""
    if test.after and not passed.get(test.after, False):
        by, reason = BlockedBy.TEST, f"Not run: it waits for `{test.after.rpartition('::')[2]}`, which did not pass."
    elif session.budget.seconds_left(scored=test.scored) <= 0:
        expensive = session.budget.most_expensive(scored=test.scored)
        by = BlockedBy.SUBMISSION_TIME
        reason = f"Not run: the time for this submission was used up, most of it by `{expensive}`."
    elif session.budget.run_seconds_left <= 0:
        by, reason = BlockedBy.RUN_TIME, "Not run: the time for this run was used up."
    else:
        return None
    failure = Failure(kind=FailureKind.BLOCKED, explanation=reason)
    return TestOutcome(test=test, status=Status.BLOCKED, failure=failure, blocked_by=by)


@contextlib.contextmanager
def collected_suites(assignment: Assignment, *, manifests: bool = True) -> Iterator[Suites]:
    """Collect the assignment's suites and give them; what their tests import beside them can be imported within.

    Raises AssignmentError if a suite cannot be collected, a mark is wrong, the points do not add up, or (with
    `manifests`) the tests are not those of the manifests.
    """
    if manifests:
        check_files(assignment)  # before an import, which runs what lies there
    with _pytest_environment(assignment):
        with _loading():
            plugin = _collected(assignment)
            if manifests:
                check_manifests(assignment, plugin.tests.values())
        yield Suites(plugin)


def _collected(assignment: Assignment) -> GradingPlugin:
    import pytest  # 140 ms: paid after the zygote was started, which does not need it

    from .plugin import GradingPlugin

    plugin = GradingPlugin(assignment)
    exit_code = pytest.main(_arguments(assignment), plugins=[plugin])
    if plugin.problem is not None:
        raise plugin.problem
    if exit_code not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        raise AssignmentError(f"pytest could not collect the suites (it ended with {exit_code!r})")
    if not plugin.tests:
        raise AssignmentError("the suites hold no test")
    return plugin


def _arguments(assignment: Assignment) -> list[str]:
    """Return pytest's command line: our configuration and nobody else's."""
    root = str(assignment.root_path)
    arguments = ["-c", str(_INI), "--rootdir", root, "--confcutdir", root, "--noconftest"]
    arguments += ["--import-mode=importlib"]
    arguments += [part for name in _UNNEEDED for part in ("-p", f"no:{name}")]
    for suite in assignment.suites:
        directory = assignment.root_path / suite.path
        arguments += [str(directory), *(f"--ignore={directory / name}" for name in suite.local_only)]
    return arguments


@contextlib.contextmanager
def _loading() -> Iterator[None]:
    """Within it, collect no garbage: nearly all that is loaded stays. Afterwards the collector is quiet."""
    gc.disable()
    try:
        yield
    finally:
        quiet_collector()


@contextlib.contextmanager
def _pytest_environment(assignment: Assignment) -> Iterator[None]:
    """Keep the caller's pytest settings away, and let tests import what lies beside them."""
    kept = {name: os.environ.pop(name) for name in _names(os.environ)}
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    added = [str(assignment.root_path / suite.path) for suite in assignment.suites]
    sys.path[:0] = added
    try:
        yield
    finally:
        sys.path[: len(added)] = []
        del os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"]
        os.environ.update(kept)


def _names(environment: Iterable[str]) -> list[str]:
    return [name for name in environment if name.startswith("PYTEST_")]
