"""Where the time of one submission goes, from exec to exit.

Run as a command, it grades the solution once and prints the seconds of each phase as JSON; `phases` does that several
times and returns the medians. The first phase begins when the parent starts the process.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from autograder.assignment import Suite

ROOT = Path(__file__).parents[2]


def phases(rounds: int) -> dict[str, float]:
    """Return the median seconds of each phase, in their order."""
    seen: list[dict[str, float]] = []
    for _ in range(rounds + 1):
        started = time.time()
        command = [sys.executable, str(Path(__file__)), repr(started)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
        ended = time.time()
        marks: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
        last = marks.pop("at")
        seen.append({**marks, "exit": ended - last})
    return {name: statistics.median(each[name] for each in seen[1:]) for name in seen[0]}


def _once(started: float) -> dict[str, Any]:
    marks: dict[str, float] = {}
    last = started

    def mark(name: str) -> None:
        nonlocal last
        now = time.time()
        marks[name], last = now - last, now

    mark("start of Python")
    from autograder import grading
    from autograder.assignment import load_assignment
    from autograder.results.gradescope import results_bytes
    from autograder.sandbox import isolation
    from autograder.sandbox.sandbox import Sandbox
    from autograder.submission.submission import Submission, read_submission
    from autograder.suites.runner import collected_suites

    mark("imports of the grader")
    assignment = load_assignment(ROOT)
    mark("configuration")
    sandbox = Sandbox(isolation.strongest(), assignment.limits, hidden=isolation.hidden_files(assignment))
    with grading.fresh_directory() as directory, sandbox:
        mark("sandbox: zygote started")
        with collected_suites(assignment) as collected:
            mark("import of pytest, collection of the suites")

            def take() -> Submission:
                submission = read_submission(ROOT / "solution", assignment=assignment, into=directory)
                mark("submission read, in a process of its own")
                return submission

            names = iter(["rest of the isolation's self-test", *_suite_phases(assignment.suites)])
            for graded in grading.Grading(assignment, sandbox).reports(collected, take):
                mark(next(names, "last report"))
                last_report = graded
            results_bytes(last_report, assignment)
            mark("results.json")
    mark("sandbox: workers ended")
    return {**marks, "at": last}


def _suite_phases(suites: Sequence[Suite]) -> list[str]:
    """Return what the phase of each suite is called; the first has what comes before its tests."""
    first, *others = (f"{suite.name} tests" for suite in suites)
    return [f"worker started, submission imported, {first}", *others]


if __name__ == "__main__":
    print(json.dumps(_once(float(sys.argv[1]))))
