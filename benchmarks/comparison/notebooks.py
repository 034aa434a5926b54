"""The graders that run a submission in a Jupyter kernel: otter-grader and nbgrader. They are the slow ones."""

from __future__ import annotations

import csv
import json
import subprocess
from collections.abc import Sequence
from pathlib import Path

from checks import TOLERANCE, Check
from peers import Peer, body_of


class Otter(Peer):
    """otter-grader: `otter run`, which grades in a kernel, with a file of tests for each check."""

    name = "otter run"
    packages = ("otter-grader[grading]==7.0.0",)
    slow = True

    def prepare(self, checks: Sequence[Check]) -> None:
        """Write the tests and have otter build its zip."""
        close = f"assert abs({{got}} - {{expected}}) <= {TOLERANCE}"
        for check in checks:
            self._write(
                f"tests/{check.name}.py",
                f"from otter.test_files import test_case\n\nOK_FORMAT = False\nname = {check.name!r}\npoints = 1\n\n"
                f"@test_case(points=1, hidden=False)\ndef test_{check.name}(Value):\n" + body_of(check, close),
            )
        tool = str(Path(self.python).with_name("otter"))
        command = [tool, "generate", "-t", "tests", "-o", "autograder.zip", "--no-environment", "--no-requirements"]
        done = subprocess.run(command, cwd=self.home, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr

    def command(self, submission: Path, out: Path) -> list[str]:
        """Return `otter run`."""
        tool = str(Path(self.python).with_name("otter"))
        return [tool, "run", str(submission / "engine.py"), "-a", str(self.home / "autograder.zip"), "-o", str(out)]


class Nbgrader(Peer):
    """nbgrader: a notebook with a cell for each check, whose first cell imports engine.py."""

    name = "nbgrader"
    packages = ("nbgrader==0.9.6", "ipykernel")
    slow = True
    result = "grades.csv"

    def prepare(self, checks: Sequence[Check]) -> None:
        """Write the source notebook."""
        close = f"assert abs({{got}} - {{expected}}) <= {TOLERANCE}"
        cells = [_cell("from engine import Value", "start", {"locked": True, "grade": False})]
        for check in checks:
            lines = [line.removeprefix("    ") for line in body_of(check, close).splitlines()]
            cells.append(_cell("\n".join(lines), check.name, {"locked": True, "grade": True, "points": 1}))
        kernel = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
        notebook = {"cells": cells, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}
        self._write("source/hw/hw.ipynb", json.dumps(notebook))
        self._write("nbgrader_config.py", 'c = get_config()\nc.CourseDirectory.course_id = "comparison"\n')

    def command(self, submission: Path, out: Path) -> list[str]:
        """Return what makes the assignment in `out`, hands one submission in, grades it and exports the grade."""
        tool = f"{Path(self.python).with_name('nbgrader')}"
        steps = [
            f"export PATH={Path(self.python).parent}:$PATH",
            f"cp -r {self.home}/source {self.home}/nbgrader_config.py .",
            f"{tool} generate_assignment hw --create",
            "mkdir -p submitted/ada && cp -r release/hw submitted/ada/",
            f"cp {submission}/engine.py submitted/ada/hw/",
            f"{tool} autograde hw --create",
            f"{tool} export --to grades.csv",
        ]
        return ["sh", "-c", " && ".join(steps)]

    def score(self, out: Path) -> float | None:
        """Return the points in the exported table."""
        try:
            with (out / self.result).open(encoding="utf-8", newline="") as file:
                rows = [row for row in csv.DictReader(file) if row["student_id"] == "ada"]
        except OSError:
            return None
        graded = [row for row in rows if row["timestamp"] or float(row["raw_score"] or 0)]
        return float(graded[0]["raw_score"]) if graded else None


def _cell(source: str, name: str, grading: dict[str, object]) -> dict[str, object]:
    marks = {"schema_version": 3, "grade_id": name, "solution": False, "task": False, "cell_type": "code", **grading}
    return {
        "cell_type": "code",
        "id": name.replace("_", "-")[:64],
        "source": source,
        "metadata": {"nbgrader": marks},
        "execution_count": None,
        "outputs": [],
    }
