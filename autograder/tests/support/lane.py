"""A grader that keeps running: it collects one assignment's suites once, and grades every submission that it is sent.

The attacks of hostile/ are graded in it, one after another, as a class is: the next submission meets what one of
them leaves behind. It is a process of its own, so that an attack that ended the
grader would not end the test run. Usage: python -m autograder.tests.support.lane ASSIGNMENT-DIRECTORY
"""

import json
import os
import sys
import tempfile
import time
from pathlib import Path

from autograder.assignment import load_assignment
from autograder.grading import Grading
from autograder.results.gradescope import write_results
from autograder.sandbox import isolation
from autograder.sandbox.sandbox import Sandbox
from autograder.submission.submission import read_submission
from autograder.suites.runner import collected_suites


def main(root):
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # pytest prints here too
    assignment = load_assignment(Path(root))
    with (
        Sandbox(isolation.strongest(), assignment.limits) as sandbox,
        collected_suites(assignment, manifests=False) as suites,
    ):
        serve(assignment, Grading(assignment, sandbox), suites, answers)


def serve(assignment, grading, suites, answers):
    """Answer each line of standard input, the path of a submission, with a line of JSON."""
    for line in sys.stdin:
        source = Path(line.rstrip("\n"))
        with tempfile.TemporaryDirectory() as parent:
            Path(parent).chmod(0o711)
            directory = Path(parent) / "submission"
            directory.mkdir(0o755)
            answer = graded(assignment, grading, suites, source, directory)
        print(json.dumps(answer), file=answers, flush=True)


def graded(assignment, grading, suites, source, directory):
    results = source.parent / f"{source.name}.results.json"
    started = time.monotonic()
    for report in grading.reports(suites, lambda: read_submission(source, assignment=assignment, into=directory)):
        write_results(results, report, assignment)
    return {
        "seconds": time.monotonic() - started,
        "statuses": {outcome.test.id: outcome.status.value for outcome in report.outcomes},
        "flags": [flag.title for flag in report.flags],
        "imported": report.import_failure is None,
        "complete": report.complete,
        "results": str(results),
        "peak_mb": peak_mb(),
    }


def peak_mb():
    """Return the most memory that this program had; ru_maxrss would begin with that of the test run it came from."""
    status = Path("/proc/self/status").read_text("ascii")
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


if __name__ == "__main__":
    main(sys.argv[1])
