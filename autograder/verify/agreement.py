"""Whether a student's own `pytest --diagnose` says first what the grader says first, mistake by mistake."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import msgspec

from ..assignment import Assignment
from ..model import Status
from .bank import bank_file
from .trials import Kind, Trial

SECONDS = 60  # for all public tests of one engine at home
_FIRST = re.compile(r'^1\. (.*?) See "', re.MULTILINE)
_ENDLESS = (Status.TIMED_OUT, Status.CRASHED)  # at home nothing ends what never ends, or keeps Python from ending


class Answer(msgspec.Struct, frozen=True):
    """What both say first of one mistake; "" for nothing."""

    name: str
    grader: str
    handout: str

    @property
    def agrees(self) -> bool:
        """Return True if both say the same."""
        return self.grader == self.handout


def comparable(done: Sequence[Trial], assignment: Assignment) -> list[Trial]:
    """Return the trials of mistakes that a public test shows at home too: by a failure, and not by an end."""
    open_suites = {suite.name for suite in assignment.suites if not suite.secret}

    def shows(trial: Trial) -> bool:
        outcomes = [o for o in trial.report.outcomes if o.test.suite in open_suites and o.test.scored]
        failed = any(o.status in (Status.FAILED, Status.ERRORED) for o in outcomes)
        return failed and not any(o.status in _ENDLESS for o in outcomes) and trial.report.import_failure is None

    return [trial for trial in done if trial.case.kind is Kind.MISTAKE and shows(trial)]


def agreement(assignment: Assignment, done: Sequence[Trial]) -> list[Answer]:
    """Return what the grader and the handout say first of each mistake that both can see."""
    trials = comparable(done, assignment)
    with tempfile.TemporaryDirectory() as directory:
        folders = [_folder(Path(directory) / str(number), trial, assignment) for number, trial in enumerate(trials)]
        runner = [sys.executable, "-B", str(Path(__file__).with_name("handout_runner.py"))]
        files = ",".join(_files(trials, assignment))
        subprocess.run([*runner, str(SECONDS), files, *map(str, folders)], check=True)
        said = [_FIRST.search((folder / "said.txt").read_text("utf-8", "replace")) for folder in folders]
    return [
        Answer(
            trial.case.name,
            trial.report.diagnoses[0].sentence if trial.report.diagnoses else "",
            first[1] if first else "",
        )
        for trial, first in zip(trials, said, strict=True)
    ]


def _files(trials: Sequence[Trial], assignment: Assignment) -> list[str]:
    """Return the files that hold public tests with points, relative to a student's folder."""
    paths = {suite.name: suite.path for suite in assignment.suites if not suite.secret}
    tests = {outcome.test for trial in trials[:1] for outcome in trial.report.outcomes if outcome.test.scored}
    names = {test.id.partition("::")[0].partition("/")[2]: test.suite for test in tests if test.suite in paths}
    return sorted(f"{paths[suite]}/{name}" for name, suite in names.items())


def _folder(folder: Path, trial: Trial, assignment: Assignment) -> Path:
    """Return a student's folder with the engine of a trial."""
    shutil.copytree(assignment.starter_path, folder)
    for suite in assignment.suites:
        if not suite.secret:
            shutil.copytree(assignment.root_path / suite.path, folder / suite.path)
    (folder / bank_file(assignment)).write_text(trial.case.text, "utf-8")
    return folder
