"""Grades one submission: from its files to a GradeReport.

    take in → start the sandbox → collect the suites → import → public suite → frozen → hidden suite → report

The public phase is over and its report frozen before the first hidden test runs, so nothing that a
worker learns from a hidden test can show in what was already reported.
"""

from __future__ import annotations

import importlib.util
import re
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec.structs import replace

from . import __version__
from .assignment import Assignment
from .diagnosis.summary import reconciled, shown_summary
from .errors import SandboxError, SubmissionError, WorkerError
from .model import Failure, GradedTest, GradeReport, Level, Status, TestOutcome
from .remote.session import RemoteSession
from .sandbox import isolation, remedies
from .sandbox.sandbox import Sandbox
from .submission.submission import Submission, read_submission
from .suites.manifest import suites_digest
from .suites.outcome import failure_of
from .suites.runner import Suites, with_suites

OnPhase = Callable[[GradeReport], None]

_NUMPY = ("numpy", "numpy.linalg", "numpy.random", "numpy.typing")  # parts that it would load when they are first used


def grade(
    assignment: Assignment,
    source: Path,
    *,
    level: Level | None = None,
    at_least: Level = Level.PROCESS,
    suites: tuple[str, ...] = (),
    on_phase: OnPhase = lambda _: None,
) -> GradeReport:
    """Return the report of the submission in `source`: a directory, a single file or a zip.

    `level` is taken and insisted on; without it, the strongest that this machine gives, which must be `at_least` as
    much. `suites` limits the run to those named. `on_phase` sees the report before anything runs and after each suite.

    Raises AssignmentError, IsolationError or SandboxError when the submission could not be judged; a
    submission that cannot be read or imported is judged: its report lists every test.
    """
    started = time.monotonic()
    reports: list[GradeReport] = []

    def keep(report: GradeReport) -> None:
        reports.append(replace(report, seconds=time.monotonic() - started))
        on_phase(reports[-1])

    tried, needed = (isolation.strongest(), at_least) if level is None else (level, level)
    hidden = isolation.hidden_files(assignment)
    with (
        fresh_directory() as directory,
        Sandbox(tried, assignment.limits, at_least=needed, hidden=hidden) as sandbox,
    ):
        grading = Grading(assignment, sandbox, suites)
        with_suites(assignment, lambda collected: grading.run(collected, source, directory, keep))
    return reports[-1]


class Grading:
    """What stays the same while submissions are graded one after another."""

    def __init__(self, assignment: Assignment, sandbox: Sandbox, suites: tuple[str, ...] = ()) -> None:
        self._assignment, self._sandbox = assignment, sandbox
        chosen = [suite for suite in assignment.suites if not suites or suite.name in suites]
        self._suites = sorted(chosen, key=lambda suite: suite.secret)  # open ones first, in whatever order they stand
        self._digest = suites_digest(assignment)

    def run(self, collected: Suites, source: Path, directory: Path, keep: OnPhase) -> None:
        """Grade the submission in `source`, copied into `directory`; give `keep` the report after each phase."""
        self.judge(collected, lambda: read_submission(source, assignment=self._assignment, into=directory), keep)

    def judge(self, collected: Suites, take: Callable[[], Submission], keep: OnPhase) -> None:
        """Grade the submission that `take` returns, and give `keep` the report after each phase."""
        names = {suite.name for suite in self._suites}
        report = self._blank(tuple(_not_run(test) for test in collected.tests if test.suite in names))
        keep(report)
        try:
            submission = take()
        except SubmissionError as problem:
            keep(_unread(report, Failure(kind="submission", explanation=str(problem))))
            return
        report = replace(report, notes=submission.notes, flags=submission.flags)
        with self._sandbox.forked_zygote():
            preload(self._sandbox, submission.directory, submission.files, self._assignment, arrays=collected.arrays)
            session = RemoteSession(self._sandbox, submission, self._assignment)
            try:
                self._perform(collected, session, submission, report, keep)
            finally:
                session.close()

    def _perform(
        self, collected: Suites, session: RemoteSession, submission: Submission, report: GradeReport, keep: OnPhase
    ) -> None:
        flags = report.flags
        try:
            session.load()
        except WorkerError as problem:
            failure = submission.located(failure_of(problem, self._assignment))
            report = replace(_unread(report, failure), flags=(*flags, *session.flags))
            from .diagnosis.imported import why_not_imported  # only a submission that cannot be imported pays for it

            report = replace(report, import_diagnosis=why_not_imported(problem))
            keep(replace(report, import_output=session.import_output()))
            return
        report = replace(report, import_output=session.import_output())
        for position, suite in enumerate(self._suites):
            done = {o.test.id: _located(o, submission) for o in collected.run(session, suite=suite.name)}
            report = replace(
                report,
                outcomes=reconciled(tuple(done.get(outcome.test.id, outcome) for outcome in report.outcomes)),
                flags=(*flags, *session.flags),
                complete=position == len(self._suites) - 1,
            )
            keep(replace(report, diagnoses=shown_summary(report.outcomes, self._assignment)))

    def _blank(self, outcomes: tuple[TestOutcome, ...]) -> GradeReport:
        """Return the report before anything ran."""
        return GradeReport(
            assignment=self._assignment.name,
            outcomes=outcomes,
            isolation=self._sandbox.verified.isolation(self._assignment.required_level),
            suites_digest=self._digest,
            version=__version__,
            complete=False,
        )


def _home_of_numpy() -> tuple[Path, ...]:
    """Return the directory to import NumPy from, without importing it here; nothing where it is not installed."""
    found = importlib.util.find_spec("numpy")
    return (Path(found.origin).parents[1],) if found and found.origin else ()


def preload(sandbox: Sandbox, directory: Path, files: Iterable[str], assignment: Assignment, *, arrays: bool) -> None:
    """Have the zygote import the allowed modules that `files` import; with `arrays`, NumPy where it may be.

    A worker finds the standard library in its memory; what is imported before spares each of them the import. The
    lines that say `import` are searched for words, which runs nothing of the submission. Its own modules come first.
    """
    files = tuple(files)
    text = b"".join((directory / name).read_bytes() for name in files if name.endswith(".py"))
    words = set(re.findall(rb"[A-Za-z_]\w*", b"\n".join(re.findall(rb".*\bimport\b.*", text))))
    own = {Path(name).parts[0].removesuffix(".py") for name in files}
    sandbox.preload(name for name in assignment.importable if name.encode("ascii") in words and name not in own)
    if arrays and assignment.array_modules(files):
        sandbox.preload(_NUMPY, beside=_home_of_numpy())


def _located(outcome: TestOutcome, submission: Submission) -> TestOutcome:
    """Return an outcome whose failure shows the submission's own lines."""
    return replace(outcome, failure=submission.located(outcome.failure)) if outcome.failure else outcome


def _not_run(test: GradedTest) -> TestOutcome:
    failure = Failure(kind="blocked", explanation="Not run: grading had not finished.")
    return TestOutcome(test=test, status=Status.BLOCKED, failure=failure)


def _unread(report: GradeReport, failure: Failure) -> GradeReport:
    """Return the report of a submission of which no test could run: each is listed, the cause once."""
    reason = Failure(kind="import", explanation="Not run: the submission could not be imported; see the top.")
    outcomes = tuple(
        replace(o, status=Status.ERRORED if o.test.scored else Status.NOT_ATTEMPTED, failure=reason)
        for o in report.outcomes
    )
    return replace(report, outcomes=outcomes, import_failure=failure, complete=True)


@contextmanager
def fresh_directory() -> Iterator[Path]:
    """Give a fresh directory for one submission's files, whose parent no other user may list."""
    try:
        made = tempfile.TemporaryDirectory(prefix="autograder-")
    except OSError as problem:
        raise SandboxError(remedies.no_temporary_directory(problem)) from None
    with made as parent:
        Path(parent).chmod(0o711)
        directory = Path(parent) / "submission"
        directory.mkdir(0o755)
        yield directory
