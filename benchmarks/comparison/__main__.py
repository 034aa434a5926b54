"""Measures this grader against what a course would use instead, and writes docs/benchmarks.md with its charts.

With --quick: few rounds, and without the graders that run a kernel. The peers are installed once, each into an
environment of its own below .venv-bench.

Usage: python benchmarks/comparison [--quick] [--pairs 7] [--size 50] [--jobs 1,2]
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import sys
import tempfile
from pathlib import Path
from typing import Any

import compare
import growth
import phases
import report
from checks import ROOT
from peers import Ours


def main() -> None:
    """Measure, keep the figures beside the page, and write the page."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--pairs", type=int)
    parser.add_argument("--size", type=int)
    parser.add_argument("--jobs", default="1,2")
    parser.add_argument("--docs", type=Path, default=ROOT / "docs")
    given = parser.parse_args()
    pairs = given.pairs or (2 if given.quick else 7)
    size = given.size or (8 if given.quick else 50)
    with tempfile.TemporaryDirectory() as directory:
        figures = _figures(Path(directory), given.quick, pairs, size, [int(jobs) for jobs in given.jobs.split(",")])
    given.docs.mkdir(exist_ok=True)
    (given.docs / "benchmarks.json").write_text(json.dumps(figures, indent=1) + "\n", "utf-8")
    report.write(figures, given.docs)
    if given.docs == ROOT / "docs":
        report.update_readme(figures, ROOT / "README.md")
    _say(f"wrote {given.docs / 'benchmarks.md'}")


def _figures(folder: Path, quick: bool, pairs: int, size: int, jobs: list[int]) -> dict[str, Any]:
    peers = compare.prepared(folder, quick=quick, say=_say)
    ours = next(peer for peer in peers if isinstance(peer, Ours))
    return {
        "command": "make bench QUICK=1" if quick else "make bench",
        "quick": quick,
        "date": datetime.date.today().isoformat(),
        "machine": _machine(),
        "versions": compare.versions(peers),
        "one": compare.one_submission(peers, pairs, _say),
        "diagnosed": growth.diagnosed(ours, pairs, _say),
        "class": compare.a_class(peers, size, _say),
        "growth": [
            growth.tests(folder, ours.python, quick=quick, say=_say),
            growth.operations(folder, ours.python, quick=quick, say=_say),
            *growth.submissions(ours, jobs, quick=quick, say=_say),
            growth.nodes(quick=quick, say=_say),
        ],
        # Last, for a process inherits the high-water mark of ours, and results of 50 MB are read into it.
        "bad": compare.bad_submissions(peers, quick=quick, say=_say),
        "phases": phases.phases(2 if quick else 9),
    }


def _machine() -> str:
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return (
        f"{platform.system()} on {platform.machine()}, {os.cpu_count()} processors, {memory:.0f} GB, "
        f"Python {platform.python_version()}."
    )


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
