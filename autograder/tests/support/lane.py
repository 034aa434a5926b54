"""A lane for tests: the grader of a class, given one submission at a time, and what can be said of its answers."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from autograder.assignment import load_assignment
from autograder.regrade.lanes.messages import Answer
from autograder.regrade.lanes.pool import Lanes
from autograder.regrade.records.class_report import Record
from autograder.regrade.sources.delivery import delivered
from autograder.results.contract import problems
from autograder.submission.archive import archive_entries
from autograder.submission.folder import file_entry, folder_entries
from autograder.submission.intake import UploadEntry

CORE = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))  # so that two test processes share none


@dataclass(frozen=True)
class Graded:
    """What the grader answers about one submission."""

    record: Record
    results: dict[str, Any]
    problems: list[str]
    peak_mb: float  # the most memory that a process of the lane has had at once

    @property
    def statuses(self) -> dict[str, str]:
        return {result.id: result.status.value for result in self.record.results}

    @property
    def failed(self) -> set[str]:
        return {test for test, status in self.statuses.items() if status != "passed"}

    @property
    def flags(self) -> list[str]:
        return [flag.title for flag in self.record.flags]

    @property
    def imported(self) -> bool:
        return self.record.imported

    @property
    def complete(self) -> bool:
        return bool(self.results["extra_data"]["complete"])

    @property
    def digest(self) -> str:
        """Return the digest of the suites, which their seed is part of."""
        return str(self.results["extra_data"]["suites"])

    @property
    def shown(self) -> str:
        """Return everything that leaves the grader for a student's eyes, as one text."""
        return json.dumps(self.results, ensure_ascii=False)

    def output(self, test: str) -> str:
        """Return what a student reads of one test."""
        entries = {entry.get("extra_data", {}).get("id"): entry for entry in self.results["tests"]}
        return str(entries[test].get("output", ""))


class Lane:
    """One lane of an assignment, which grades one submission after another, as those of a class are graded."""

    def __init__(self, assignment: Path) -> None:
        self._others = set(_children(os.getpid()))
        self._lanes = Lanes(load_assignment(assignment), jobs=1, first_core=CORE, trial_seed=0)

    def grade(self, source: Path) -> Graded:
        answer = self.answer(source)
        assert answer.problem == ""
        record = msgspec.json.decode(answer.record, type=Record)
        return Graded(record, json.loads(answer.results), problems(answer.results), self._peak_mb())

    def answer(self, source: Path) -> Answer:
        """Return the lane's answer to the folder, zip or file."""
        with ExitStack() as stack:
            entries: Iterable[UploadEntry]
            if source.is_dir():
                entries = folder_entries(source)
            elif source.suffix == ".zip":
                entries = archive_entries(stack.enter_context(source.open("rb")), source.name)
            else:
                entries = [file_entry(source)]
            delivery = delivered("ada", entries)
        (answer,) = self._lanes.answers([delivery])
        return answer

    def _peak_mb(self) -> float:
        own = set(_children(os.getpid())) - self._others
        return max(_peak_mb(process) for child in own for process in (child, *_below(child)))

    def close(self) -> None:
        self._lanes.close()


def _below(process: int) -> list[int]:
    """Return the processes that descend from one."""
    return [each for child in _children(process) for each in (child, *_below(child))]


def _children(process: int) -> list[int]:
    try:
        threads = list(Path(f"/proc/{process}/task").iterdir())
    except OSError:  # the process ended
        return []
    return [int(child) for thread in threads for child in _read(thread / "children").split()]


def _peak_mb(process: int) -> float:
    status = _read(Path(f"/proc/{process}/status")).partition("VmHWM:")[2].split()
    return int(status[0]) / 1024 if status else 0.0


def _read(file: Path) -> str:
    try:
        return file.read_text("ascii")
    except OSError:  # the process ended
        return ""
