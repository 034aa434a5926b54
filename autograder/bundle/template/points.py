"""Runs the public tests of one task and hands their points to GitHub Classroom's autograding reporter.

Usage: python .github/classroom/points.py TASK POINTS

The reporter adds up what steps leave in their output `result`: JSON in base64, of the form that Classroom's own graders
write. Those give a step all its points or none, and whole points only; here each test counts what its mark says.
"""

from __future__ import annotations

import base64
import json
import os
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

MOST_CHARACTERS = 2_000  # of a message: all outputs of a job together may have one megabyte


class Points:
    """Keeps the tests of one task, and the outcome of each."""

    def __init__(self, task: str, whole: float) -> None:
        """Run what has a mark `task(id=TASK)`, "" for tests without that mark; all of them are worth `whole`."""
        self.task, self.whole = task, whole
        self.found: dict[str, dict[str, Any]] = {}
        self.points: dict[str, float] = {}

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Keep the tests of the task that carry points; each has failed until it passes."""
        items[:] = [item for item in items if points_of(item) and task_of(item) == self.task]
        for item in items:
            self.points[item.nodeid] = points_of(item)
            self.found[item.nodeid] = {
                "name": item.nodeid.rpartition("/")[2],
                "status": "fail",
                "score": 0,
                "message": "",
                "test_code": "",
                "filename": "",
                "line_no": 0,
                "duration": 0,
            }

    def pytest_collection_finish(self) -> None:
        """Leave a result before the first test runs: an engine without end is stopped with its step."""
        self.leave()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Note what became of a test."""
        report = yield
        test = self.found[item.nodeid]
        test["duration"] += round(report.duration, 3)
        if report.when == "call" and report.passed:
            test.update(status="pass", score=self.points[item.nodeid])
        elif not report.passed:
            test.update(status="fail", score=0, message=shown(report)[-MOST_CHARACTERS:])
        return report

    def result(self) -> dict[str, Any]:
        """Return what the reporter reads."""
        passed = all(test["status"] == "pass" for test in self.found.values())
        return {
            "version": 1,
            "status": "pass" if passed and self.found else "fail",
            "max_score": self.whole,
            "tests": list(self.found.values()),
        }

    def leave(self) -> None:
        """Write the result to the step's output, where the last one counts."""
        text = base64.b64encode(json.dumps(self.result()).encode()).decode()
        output = os.environ.get("GITHUB_OUTPUT")
        if output:
            with Path(output).open("a", encoding="utf-8") as file:
                file.write(f"result={text}\n")


def shown(report: pytest.TestReport) -> str:
    """Return why a test was skipped or failed."""
    if isinstance(report.longrepr, tuple):
        return str(report.longrepr[2])
    return report.longreprtext


def points_of(item: pytest.Item) -> float:
    """Return what a test is worth."""
    mark = item.get_closest_marker("points")
    return float(mark.args[0]) if mark else 0.0


def task_of(item: pytest.Item) -> str:
    """Return the task that a test belongs to, "" for none."""
    mark = item.get_closest_marker("task")
    return str(mark.kwargs.get("id", "")) if mark else ""


def main(task: str, whole: float) -> int:
    """Run the tests of a task, and leave the result for the reporter; return 1 if there are none to run."""
    plugin = Points(task, whole)
    pytest.main(["-q", "--tb=short"], plugins=[plugin])
    plugin.leave()
    won = sum(test["score"] for test in plugin.found.values())
    print(f"task {task}: {won:g} / {whole:g}")
    return 0 if plugin.found else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], float(sys.argv[2])))
