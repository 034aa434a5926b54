"""Grades one submission: from its files to a GradeReport.

    read → start the sandbox → collect the suites → import → public suite → frozen → hidden suite → report

The public phase is over and its report frozen before the first hidden test runs, so nothing that a
worker learns from a hidden test can show in what was already reported.
"""

from __future__ import annotations

import platform
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from msgspec.structs import replace

from . import __version__
from .assignment import Assignment
from .errors import SandboxError, SubmissionError, WorkerError
from .failure import Failure, FailureKind
from .findings.summary import reconciled, shown_summary
from .model import FilmChoice, GradedTest, GradeReport, Level, Status, TestOutcome
from .remote.preload import preload
from .remote.session import RemoteSession
from .sandbox import isolation, remedies
from .sandbox.sandbox import Sandbox
from .sandbox.watchdog import Journal, Watchdog
from .submission.submission import Submission, read_submission
from .suites.manifest import suites_digest
from .suites.outcome import failure_of
from .suites.runner import Suites, collected_suites
from .temporary import HeldDirectory, remove_left, temporary_prefix


def grade(  # noqa: PLR0913 - keywords, each with a default
    assignment: Assignment,
    source: Path,
    *,
    level: Level | None = None,
    at_least: Level = Level.PROCESS,
    suites: tuple[str, ...] = (),
    films: FilmChoice = FilmChoice.NONE,
    provisional: Path | None = None,
) -> Iterator[GradeReport]:
    """Yield reports of the submission in `source` (a directory, a file or a zip): blank, after each suite, the last.

    `level` is taken and insisted on; without it, the strongest that this machine gives, which must be `at_least` as
    much. `suites` limits the run to those named. `films` says which outcomes of failing open tests have one.
    If the run's time is over and not even a signal ends it, this process is ended, and the file `provisional` removed.

    Raises AssignmentError, IsolationError or SandboxError if the submission could not be judged; a
    submission that cannot be read or imported is judged: its report lists every test.
    """
    started = time.monotonic()
    tried, needed = (isolation.strongest(), at_least) if level is None else (level, level)
    hidden = isolation.hidden_files(assignment)
    with (
        fresh_directory() as directory,
        Sandbox(tried, assignment.limits, at_least=needed, hidden=hidden) as sandbox,
        collected_suites(assignment) as collected,
        Watchdog(provisional) as watchdog,
    ):

        def take() -> Submission:
            submission = read_submission(source, assignment=assignment, into=directory)
            watchdog.begin(sandbox.watch, assignment.limits.run_seconds)
            return submission

        grading = Grading(assignment, sandbox, suites, films=films, journal=watchdog.journal)
        for report in grading.reports(collected, take):
            yield replace(report, seconds=time.monotonic() - started)


def last(reports: Iterator[GradeReport]) -> GradeReport:
    """Return the last of the reports that grading yields: the one that judges."""
    return deque(reports, maxlen=1)[0]


class Grading:
    """What stays the same while submissions are graded one after another."""

    def __init__(
        self,
        assignment: Assignment,
        sandbox: Sandbox,
        suites: tuple[str, ...] = (),
        *,
        films: FilmChoice = FilmChoice.NONE,
        journal: Journal | None = None,
    ) -> None:
        self._films, self._journal = films, journal or Journal()
        self._assignment, self._sandbox = assignment, sandbox
        chosen = [suite for suite in assignment.suites if not suites or suite.name in suites]
        self._suites = sorted(chosen, key=lambda suite: suite.secret)  # open ones first, in whatever order they stand
        self._digest = suites_digest(assignment)

    def reports(self, collected: Suites, take: Callable[[], Submission]) -> Iterator[GradeReport]:
        """Yield reports of the submission that `take` returns: the blank one, one after each suite, the last.

        A submission that cannot be read or imported has two: the blank one, and one that says so.
        """
        self._journal.clear()
        names = {suite.name for suite in self._suites}
        report = self._blank(tuple(_not_run(test) for test in collected.tests if test.suite in names))
        yield report
        try:
            submission = take()
        except SubmissionError as problem:
            yield _unread(report, Failure(kind=FailureKind.SUBMISSION, explanation=str(problem)))
            return
        report = replace(report, notes=submission.notes, flags=submission.flags)
        with self._sandbox.forked_zygote():
            preload(
                self._sandbox, submission.directory, submission.files, self._assignment, packages=collected.packages
            )
            with closing(RemoteSession(self._sandbox, submission, self._assignment)) as session:
                yield from self._performed(collected, session, submission, report)

    def _performed(
        self, collected: Suites, session: RemoteSession, submission: Submission, report: GradeReport
    ) -> Iterator[GradeReport]:
        try:
            session.load()
        except WorkerError as problem:
            yield self._not_imported(problem, session, submission, report)
            return
        flags, report = report.flags, replace(report, import_output=session.import_output())
        for position, suite in enumerate(self._suites):
            run = collected.run(session, suite=suite.name, journal=self._journal)
            done = {o.test.id: _located(o, submission) for o in run}
            outcomes = [done.get(outcome.test.id, outcome) for outcome in report.outcomes]
            following = self._suites[position + 1 : position + 2]
            if [each.secret for each in following] != [suite.secret]:  # the last open suite, or the last secret one
                # No sooner: what is asked after a failure tells the submission which of its answers were wrong. And
                # no later: once a secret test has run, nothing that is asked may show in what is open.
                filmed = self._filmed(collected, session, submission)
                found = collected.diagnoses(session)
                shown = {test: submission.shown_line(diagnosis) for test, diagnosis in found.items()}
                outcomes = [replace(o, diagnosis=shown.get(o.test.id, o.diagnosis)) for o in outcomes]
                outcomes = list(map(filmed, outcomes))
            report = replace(
                report,
                outcomes=reconciled(tuple(outcomes)),
                flags=(*flags, *session.flags),
                diagnosis_seconds=session.diagnosis_seconds,
                complete=position == len(self._suites) - 1,
            )
            yield replace(report, diagnoses=shown_summary(report.outcomes, self._assignment))

    def _filmed(
        self, collected: Suites, session: RemoteSession, submission: Submission
    ) -> Callable[[TestOutcome], TestOutcome]:
        """Make the films of the open tests that failed, if they are asked for; return what adds an outcome's own."""
        if self._films is FilmChoice.NONE:
            return lambda outcome: outcome
        from .findings.films import with_film  # the types of a film cost a start 6 ms

        flags = list(session.flags)
        films = collected.films(session, self._films)
        if self._films is FilmChoice.FIRST_WRONG:
            session.flags[:] = flags  # nobody asked for it: what goes wrong with it is no part of the results
        return lambda outcome: with_film(outcome, films.get(outcome.test.id), submission.text)

    def _not_imported(
        self, problem: WorkerError, session: RemoteSession, submission: Submission, report: GradeReport
    ) -> GradeReport:
        from .findings.imported import why_not_imported  # only a submission that cannot be imported pays for it
        from .findings.newer import needs_newer_python

        failure = submission.located(failure_of(problem, self._assignment))
        newer = needs_newer_python(failure)  # no test has run: nothing of one can be in the student's words
        return replace(
            _unread(report, replace(failure, explanation=f"{failure.explanation} {newer}".rstrip())),
            flags=(*report.flags, *session.flags),
            import_diagnosis=why_not_imported(
                problem,
                failure.frames[-1].text if failure.frames else "",
                self._assignment.sections.get("importing", ""),
            ),
            import_output=session.import_output(),
        )

    def _blank(self, outcomes: tuple[TestOutcome, ...]) -> GradeReport:
        """Return the report before anything ran."""
        return GradeReport(
            assignment=self._assignment.name,
            outcomes=outcomes,
            isolation=self._sandbox.verified.isolation(self._assignment.required_level),
            suites_digest=self._digest,
            version=__version__,
            python=platform.python_version(),
            complete=False,
        )


def _located(outcome: TestOutcome, submission: Submission) -> TestOutcome:
    """Return an outcome whose failure shows the submission's own lines, and says if they need a newer Python."""
    if outcome.failure is None:
        return outcome
    from .findings.newer import needs_newer_python  # many patterns: only a wrong submission pays for them

    failure = submission.located(outcome.failure)
    newer = needs_newer_python(failure)  # chosen by the student's words, so it stays with them
    return replace(outcome, failure=replace(failure, message=f"{failure.message}. {newer}") if newer else failure)


def _not_run(test: GradedTest) -> TestOutcome:
    failure = Failure(kind=FailureKind.BLOCKED, explanation="Not run: grading had not finished.")
    return TestOutcome(test=test, status=Status.BLOCKED, failure=failure)


def _unread(report: GradeReport, failure: Failure) -> GradeReport:
    """Return the report of a submission of which no test could run: each is listed, the cause once."""
    done = "read" if failure.kind is FailureKind.SUBMISSION else "imported"
    reason = Failure(kind=FailureKind.IMPORT, explanation=f"Not run: the submission could not be {done}; see the top.")
    outcomes = tuple(
        replace(o, status=Status.ERRORED if o.test.scored else Status.NOT_ATTEMPTED, failure=reason)
        for o in report.outcomes
    )
    return replace(report, outcomes=outcomes, import_failure=failure, complete=True)


@contextmanager
def fresh_directory() -> Iterator[Path]:
    """Give a fresh directory for one submission's files, whose parent no other user may list."""
    remove_left()
    try:
        made = HeldDirectory(temporary_prefix())
    except OSError as problem:
        raise SandboxError(remedies.no_temporary_directory(problem)) from None
    with made as parent:
        Path(parent).chmod(0o711)
        directory = Path(parent) / "submission"
        directory.mkdir(0o755)
        yield directory
