"""What several test files share: a grader that keeps running, and its client."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from autograder.results.contract import problems

from .support.attacks import ASSIGNMENT

PATIENCE = 60.0  # seconds for one submission: far above every limit of the six tests


@dataclass(frozen=True)
class Graded:
    """What the grader answers about one submission."""

    seconds: float
    statuses: dict[str, str]
    flags: list[str]
    imported: bool
    complete: bool
    results: dict[str, Any]
    problems: list[str]
    peak_mb: float

    @property
    def failed(self) -> set[str]:
        return {test for test, status in self.statuses.items() if status != "passed"}

    def output(self, test: str) -> str:
        """Return what a student reads of one test."""
        entries = {entry.get("extra_data", {}).get("id"): entry for entry in self.results["tests"]}
        return str(entries[test].get("output", ""))

    @property
    def digest(self) -> str:
        """Return the digest of the suites, which their seed is part of."""
        return str(self.results["extra_data"]["suites"])

    @property
    def shown(self) -> str:
        """Return everything that leaves the grader for a student's eyes, as one text."""
        return json.dumps({**self.results, "execution_time": 0}, ensure_ascii=False)


class Lane:
    """Asks a grader in a process of its own; starts another one if it does not answer."""

    def __init__(self, assignment: Path = ASSIGNMENT, **environment: str) -> None:
        self._assignment, self._environment = assignment, environment
        self._process: subprocess.Popen[bytes] | None = None
        self._requests = self._answers = -1

    def grade(self, submission: Path) -> Graded:
        if self._process is None:
            self._start()
        os.write(self._requests, f"{submission}\n".encode())
        answer = json.loads(self._line())
        data = Path(answer.pop("results")).read_bytes()
        return Graded(**answer, results=json.loads(data), problems=problems(data))

    def close(self) -> None:
        if self._process is not None:
            os.close(self._requests)
            self._process.wait(PATIENCE)
            os.close(self._answers)
        self._process = None

    def _start(self) -> None:
        requests, self._requests = os.pipe()
        self._answers, answers = os.pipe()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "autograder.tests.support.lane", str(self._assignment)],
            cwd=Path(__file__).parents[2],
            env={**os.environ, **self._environment},
            stdin=requests,
            stdout=answers,
        )
        os.close(requests)
        os.close(answers)

    def _line(self) -> bytes:
        line, deadline = b"", time.monotonic() + PATIENCE
        while not line.endswith(b"\n"):
            ready, _, _ = select.select([self._answers], [], [], max(deadline - time.monotonic(), 0))
            part = os.read(self._answers, 1 << 16) if ready else b""
            if not part:
                if self._process is not None:
                    self._process.kill()
                self.close()
                pytest.fail("the grader ended" if ready else "the grader hung")
            line += part
        return line


@pytest.fixture(scope="session")
def lane():
    """A grader of the six tests, with a secret in its environment."""
    lane = Lane(CANARY="canary-5d1f0b")
    yield lane
    lane.close()
