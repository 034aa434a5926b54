"""The proof: a lane grades the solution before it grades anybody.

Suites that have rotted, a package that is missing or a machine that is too slow would cost every student the same
points. And what the tests draw and Python compiles for it is there already in each fork of the lane.
"""

from __future__ import annotations

import gc
import shutil
from pathlib import Path

from ... import quiet_collector
from ...assignment import Assignment
from ...errors import AssignmentError
from ...grading import Grading, last
from ...model import GradeReport, TestOutcome
from ...submission.folder import folder_entries
from ...submission.submission import Submission, materialise, read_entries
from ...suites.runner import Suites
from ...text import indented

_SHOWN = 10


def prove(assignment: Assignment, grading: Grading, suites: Suites, directory: Path) -> None:
    """Grade the scored files of the solution, copied into `directory` for as long; without a solution, do nothing.

    Raises AssignmentError that lists what it lost, if it lost anything, and what grading raises.
    """
    if not assignment.solution_path.is_dir():
        return
    files = {assignment.modules[name].file for name in assignment.scored_modules}

    def take() -> Submission:
        handed = read_entries(entry for entry in folder_entries(assignment.solution_path) if entry.path in files)
        return materialise(handed, assignment=assignment, into=directory)

    try:
        report = last(grading.reports(suites, take))
    finally:
        shutil.rmtree(directory, ignore_errors=True)
    lost = [outcome for outcome in report.outcomes if outcome.score < outcome.test.points]
    if lost:
        raise AssignmentError(_words(assignment, report, lost))
    gc.collect()
    quiet_collector()


def _words(assignment: Assignment, report: GradeReport, lost: list[TestOutcome]) -> str:
    tests = [f"{outcome.test.id}: {outcome.status.value.replace('_', ' ')}" for outcome in lost]
    return (
        f"{assignment.solution}/ earns {report.score} on this machine, so nobody is graded; it loses"
        f"{indented(tests, _SHOWN)}\nSee `autograder grade {assignment.solution}`: repair the suites, or the machine."
    )
