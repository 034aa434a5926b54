"""The pytest plugin of a graded run: gives tests their remote modules, and turns reports into outcomes."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterable
from typing import Any

import pytest
from msgspec.structs import replace

from ..assignment import Assignment
from ..errors import AssignmentError, OwnTimeout
from ..failure import Failure
from ..model import GradedTest, Status, TestOutcome
from ..remote.asked import ask
from ..remote.session import RemoteSession
from ..remote.tape import Tape
from .deadline import OwnLimits
from .marks import fixture_names, graded_tests
from .outcome import failure_of, status_of

MARKS = ("points(n)", "hint(text)", "visibility(name)", "task(id)", "after(name)", "unscored")
_REFUSED = ("skip", "skipif", "xfail")  # known here, so that marks.py says what is wrong with them


class GradingPlugin:
    """collects once; `run` then runs any test, as often as it is asked, after pytest's own session."""

    def __init__(self, assignment: Assignment) -> None:
        self.assignment = assignment
        self.tests: dict[str, GradedTest] = {}  # by node id, in order
        self.problem: AssignmentError | None = None
        self._items: dict[str, pytest.Item] = {}
        self._collection_errors: list[str] = []
        self.failed: list[tuple[GradedTest, Tape]] = []  # not diagnosed yet
        self.own_limits = OwnLimits(assignment.limits.grader_seconds, assignment.limits.grader_mb)
        self._session: RemoteSession | None = None
        self._raised: pytest.ExceptionInfo[BaseException] | None = None
        self._skipped = False
        self._compared: tuple[str, str] | None = None

    # --- collection

    def pytest_configure(self, config: pytest.Config) -> None:
        """Register the marks and a fixture for each module of the assignment."""
        for mark in (*MARKS, *_REFUSED):
            config.addinivalue_line("markers", mark)
        config.pluginmanager.register(_fixtures(self), "modules")

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Keep what could not be collected."""
        if report.failed:
            self._collection_errors.append(f"{report.nodeid}: {report.longreprtext}")

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Check what was collected, and run none of it: the session ends, its tests and hooks stay."""
        try:
            if self._collection_errors:
                raise AssignmentError("the suites cannot be collected:\n  " + "\n  ".join(self._collection_errors))
            # Outcomes come from exceptions; pytest's own account of a failure, read by nobody, would cost 20 ms each.
            session.config.option.tbstyle = "native"
            self._items = {item.nodeid: item for item in session.items}
            self.tests = graded_tests(session.items, self.assignment)
        except AssignmentError as problem:  # raised again by the runner, outside pytest's own handling
            self.problem = problem
        return True

    def uses_packages(self, nodes: Iterable[str]) -> bool:
        """Return True if any of the tests asks for a module that may import packages."""
        names = {name for node in nodes for name in fixture_names(self._items[node])}
        return any(interface.loaded for name, interface in self.assignment.modules.items() if name in names)

    # --- one test

    def run(self, node: str, session: RemoteSession, *, more: bool) -> TestOutcome:
        """Run one collected test against the submission of `session`; `more`: another worker is needed later."""
        test, item = self.tests[node], self._items[node]
        missing = [name for name in fixture_names(item) if name in self.assignment.modules and not session.has(name)]
        if missing and not test.scored:
            return TestOutcome(test=test, status=Status.NOT_ATTEMPTED)
        self._session, self._raised, self._skipped, self._compared = session, None, False, None
        started = time.monotonic()
        session.begin(test, more=more)
        item.ihook.pytest_runtest_protocol(item=item, nextitem=None)
        seconds, output = time.monotonic() - started, session.output()
        session.end()
        if self._skipped:
            raise AssignmentError(f"{test.id} skipped itself: a graded test may not, its points would vanish")
        outcome = self._outcome(test, item)
        if test.scored and outcome.failure is not None and session.tape is not None:
            self.failed.append((test, session.tape))  # diagnoses know the scored contract only
        return replace(outcome, seconds=seconds, output=output)

    def take_failed(self) -> list[tuple[GradedTest, Tape]]:
        """Return the tests with points that failed since the last call, and what each did."""
        failed, self.failed = self.failed, []
        return failed

    def _outcome(self, test: GradedTest, item: pytest.Item) -> TestOutcome:
        excinfo, status, failure = self._raised, Status.PASSED, None
        if excinfo is not None:
            status = status_of(test, excinfo.value)
            failure = None if status is Status.NOT_ATTEMPTED else self._failure(excinfo, item)
        return TestOutcome(test=test, status=status, failure=failure)

    def _failure(self, excinfo: pytest.ExceptionInfo[BaseException], item: pytest.Item) -> Failure:
        return failure_of(
            excinfo.value,
            self.assignment,
            excinfo=excinfo,
            file=item.path,
            compared=self._compared,
        )

    @pytest.hookimpl(wrapper=True)
    def pytest_pyfunc_call(self) -> Generator[None, Any, Any]:
        """Hold the test's own code to its limits, and bring home what it queued and never read."""
        session = self._session
        assert session is not None, "a test runs for a submission"
        try:
            with self.own_limits.of_test(session.budget.run_seconds_left):
                result = yield
                if session.tape is not None and session.tape.pending:
                    session.tape.flush()
                return result
        except OwnTimeout as problem:
            if session.tape is not None:
                session.tape.abandon(problem)  # it may have come in the middle of a reply
            raise

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, call: pytest.CallInfo[None]) -> Generator[None, Any, pytest.TestReport]:
        """Keep the first exception of the test, as an exception."""
        report: pytest.TestReport = yield
        excused = call.excinfo is not None and isinstance(call.excinfo.value, pytest.xfail.Exception)
        self._skipped = self._skipped or report.skipped or excused
        if call.excinfo is not None and self._raised is None:
            self._raised = call.excinfo
        return report

    def pytest_assertrepr_compare(self, left: object, right: object) -> list[str] | None:
        """Say a failed comparison of two numbers in a student's words, and keep both."""
        if type(left) not in (int, float, bool, str, type(None)):
            return None
        expected = str(right).partition(" ± ")[0]
        self._compared = (expected, repr(left))
        return [f"expected {expected}, got {left!r}"]

    def module(self, name: str) -> Any:
        """Return the remote module of the test under way."""
        assert self._session is not None, "a fixture is asked for only while a test runs"
        return self._session.module(name)


def _fixtures(plugin: GradingPlugin) -> object:
    """Return an object whose fixtures are the assignment's modules, its seed, and `ask`."""

    def fixture(name: str) -> Any:
        def module(_: object) -> Any:
            return plugin.module(name)

        return pytest.fixture(name=name)(module)

    def seed(_: object) -> int:
        return plugin.assignment.seed

    def ask_(_: object) -> Any:
        return ask

    members = {f"module_{name}": fixture(name) for name in plugin.assignment.modules}
    given = {"seed_": pytest.fixture(name="seed")(seed), "ask_": pytest.fixture(name="ask")(ask_)}
    return type("ModuleFixtures", (), {**members, **given})()
