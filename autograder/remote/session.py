"""The session: where one submission performs its tests.

The tests of a suite that carry points are served by one worker, as a student's own pytest run serves
them by one process; each file of tests without points has its own, so that nothing it leaves behind
can cost a point. After a crash, a timeout or a broken wire the worker is replaced, so that one
mistake is paid for once.
"""

from __future__ import annotations

from pathlib import Path

from ..assignment import Assignment
from ..errors import GivenUp, ProtocolError, RemoteError, WorkerError, WorkerTimeout
from ..model import Flag, GradedTest
from ..sandbox.handle import Worker
from ..sandbox.sandbox import Sandbox
from ..submission.submission import Submission
from ..text import without_paths
from .budget import Budget
from .module import RemoteModule
from .module_import import given_up, imported
from .replay import Replay, Respondent
from .returns import Returns
from .tape import Tape


class RemoteSession:
    """The workers of one submission, one at a time."""

    def __init__(self, sandbox: Sandbox, submission: Submission, assignment: Assignment) -> None:
        self._sandbox, self._submission, self._assignment = sandbox, submission, assignment
        self._worker: Worker | None = None
        self._next: Worker | None = None  # made ready while the worker before it is still asked
        self._worker_group = ""  # of the test under way
        self._test = ""
        self.budget = Budget(assignment.limits)
        self.returns = Returns()
        self.tape: Tape | None = None
        self.traced = 0  # how many tests were performed once more to see what each line does
        self.diagnosis_seconds = 0.0  # seconds that diagnoses took: the grader's, not the submission's
        self._respondent = Respondent(self._spawn, self._loaded_for_a_diagnosis, self._end)
        self.flags: list[Flag] = []

    def load(self) -> None:
        """Import the scored modules once, before any test; raise what that raises."""
        self._test = "importing the submission"
        self.budget.begin(self._test, scored=True)
        try:
            for name in self._assignment.scored_modules:
                self._names(name)
        except WorkerError as problem:
            self._tell(problem)
            raise

    def import_output(self) -> str:
        """Return what the submission printed while it was imported."""
        return without_paths(self._worker.channel.take_output()) if self._worker else ""

    def has(self, name: str) -> bool:
        """Return True if the submission holds the module `name`."""
        return self._assignment.modules[name].file in self._submission.files

    def begin(self, test: GradedTest, *, more: bool = False) -> None:
        """Make ready for a test: its worker_group's worker, with nothing of the test before left in it.

        `more` says that another worker_group follows: its worker begins to import the submission meanwhile.
        """
        if self._worker_group not in ("", test.worker_group):  # the worker that did the import serves the first group
            self._retire()
        self._worker_group, self._test, self.tape = test.worker_group, test.id, None
        self.budget.begin(test.id, scored=test.scored)
        self.returns.begin(scored=test.scored)
        if more and self._next is None:
            self._living_worker()
            self._next = self._spawn()
            first = self._assignment.scored_modules[0]
            self._next.load(first, self._handle(first))

    def module(self, name: str) -> RemoteModule:
        """Return the proxy of one module for the test under way; raise what its import raises."""
        try:
            handle, names = self._names(name)
        except WorkerError as problem:
            self._after(problem)
            raise
        if self.tape is None:
            self.tape = Tape(self._living_worker(), self._allowance, self.returns)
            self.tape.reset()
        self.tape.modules.append(name)
        return RemoteModule(self.tape, self._assignment.modules[name], handle, names)

    def output(self) -> str:
        """Return what the submission printed since the last call."""
        return without_paths(self._worker.channel.take_output()) if self._worker else ""

    def end(self) -> None:
        """Account for the test, and forget what the submission printed since."""
        if self.tape is not None:
            self.tape.objects.clear()  # each of them holds the tape: what holds each other waits for the collector
        if self._worker is None:
            return
        self._worker.channel.take_output()
        if self.tape is not None:
            self.budget.spend(self.tape.seconds)
            if self.tape.broken is not None:
                self._after(self.tape.broken)

    def replay(self, tape: Tape, test: GradedTest) -> Replay:
        """Return what a test that is over did, to be performed again by a worker that serves no test.

        Call it once no scored test is left that may learn from the questions.
        """
        self._test = test.id
        return Replay(tape, lambda: self._respondent.ready(tape, test.suite), self._lose)

    def anew(self, tape: Tape, test: GradedTest) -> Replay:
        """Return what a test that is over did, with a worker of its own that has performed nothing yet."""
        self._test = test.id
        self._respondent.close()
        return Replay(
            tape,
            lambda: self._respondent.ready(tape, test.suite),
            self._lose,
            files=self._submission.files,
            performs=False,
        )

    def _lose(self, problem: WorkerError) -> None:
        """End a worker that did not survive being questioned: no part of a test, but staff hear of a broken wire."""
        if isinstance(problem, ProtocolError):
            self._tell(problem)
        self._respondent.close()

    def close(self) -> None:
        """End the workers, and let go of the tapes, which hold this session: the collector need not find them."""
        self.tape = None
        self.returns.forget_tapes()
        self._respondent.close()
        self._retire()
        self._worker, self._next = self._next, None
        self._retire()

    def _names(self, name: str) -> tuple[int, dict[str, int]]:
        """Return handle and names of a module in the current worker, imported now if need be."""
        worker, operation = self._living_worker(), f"the import of `{name}`"
        if name in worker.modules:
            return worker.modules[name]
        if operation in self.returns.given_up:
            raise given_up(operation)
        if worker.loading not in ("", name):
            self._names(worker.loading)  # its reply comes first
        before = worker.used
        try:
            seconds = self.budget.for_import(throttled=self.returns.has_timed_out(operation))
            found = imported(worker, name, self._handle(name), seconds)
        except WorkerTimeout:
            self.returns.timed_out(operation)
            raise
        finally:
            self.budget.spend(worker.used - before)
        self.returns.returned([operation])
        return found

    def _loaded_for_a_diagnosis(self, worker: Worker, name: str) -> None:
        """Have the worker that is to be questioned import a module, at nobody's cost."""
        if name not in worker.modules:
            imported(worker, name, self._handle(name), self._assignment.limits.request_seconds)

    def _handle(self, name: str) -> int:
        return list(self._assignment.modules).index(name) + 1

    def _living_worker(self) -> Worker:
        """Return the worker that serves the test under way: the one made ready, or a new one."""
        if self._worker is None:
            self._worker, self._next = self._next or self._spawn(), None
        return self._worker

    def _spawn(self) -> Worker:
        assignment, submission = self._assignment, self._submission
        interfaces = assignment.among(submission.files)
        worker = self._sandbox.spawn(
            submission.directory,
            submission.files,
            assignment.importable,
            packages={Path(each.file).stem: each.importable for each in interfaces if each.importable},
            arrays=any(each.arrays for each in interfaces),
        )
        worker.channel.run_end = self.budget.run_end  # by the wall, whatever a request may use
        return worker

    def _allowance(self) -> float:
        """Return the seconds that the next request may take."""
        return self.budget.for_request(self.tape.seconds if self.tape else 0.0)

    def _after(self, problem: WorkerError) -> None:
        """Note what went wrong, and end the worker unless it merely raised an exception."""
        self._tell(problem)
        if not isinstance(problem, (RemoteError, GivenUp)):
            self._retire()

    def _tell(self, problem: WorkerError) -> None:
        """Note for staff what ended a worker."""
        if isinstance(problem, WorkerTimeout) and not isinstance(problem, GivenUp):
            self.budget.timed_out()
        if isinstance(problem, ProtocolError):
            self.flags.append(Flag(title="The wire was broken", text=f"{self._test}: {problem}"))

    def _retire(self) -> None:
        """End the worker, if there is one, and flag an end that says something."""
        if self._worker is None:
            return
        worker, self._worker = self._worker, None
        self._end(worker)

    def _end(self, worker: Worker) -> None:
        ending = self._sandbox.end(worker)
        if not ending.killed and ending.exit_code != 0:
            self.flags.append(Flag(title="A worker ended by itself", text=f"{self._test}: {ending.in_words}"))
