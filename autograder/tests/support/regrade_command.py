"""`autograder regrade` in a process of its own, on a course of its own."""

import csv
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[3]
PATIENCE = 60  # seconds for what takes one or two


class RegradeCommand:
    """`autograder regrade` as people run it, with a course and a place to grade classes into."""

    def __init__(self, root, course):
        self.root, self.course = root, course
        self.source, self.out = root / "class", root / "out"
        self.answer = subprocess.CompletedProcess[str]([], 0)  # what the first run said

    def command(self, *options, out=None, source=None, jobs="2"):
        command = [sys.executable, "-m", "autograder", "regrade", str(source or self.source)]
        return [*command, "--out", str(out or self.out), "--root", str(self.course.root), "--jobs", jobs, *options]

    def start(self, *options, **places):
        return subprocess.Popen(
            list(map(str, self.command(*options, **places))),
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            start_new_session=True,
        )

    def run(self, *options, **places):
        process = self.start(*options, **places)
        stdout, stderr = process.communicate(timeout=PATIENCE)
        return subprocess.CompletedProcess(process.args, process.returncode, stdout, stderr)

    def rows(self, name="grades.csv", out=None):
        with (out or self.out).joinpath(name).open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def scores(self):
        return {row["id"]: row["score"] for row in self.rows()}

    def records(self):
        return {file.name for file in (self.out / "records").glob("[!.]*.json")}

    def wait_for(self, count, process):
        deadline = time.monotonic() + PATIENCE
        while len(self.records() if (self.out / "records").is_dir() else ()) < count:
            assert process.poll() is None, process.stderr.read()
            assert time.monotonic() < deadline, "nothing is graded"
            time.sleep(0.02)
