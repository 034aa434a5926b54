"""What isolation costs: one submission graded, against the same suites run by plain pytest in one process.

Both are started from nothing, in turn, and compared pair by pair, so that a machine whose speed
drifts does not matter much. Prints the median ratios; quote those and not the seconds.

Usage: python benchmarks/one_submission.py [PAIRS]
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
GRADED = [sys.executable, "-m", "autograder", "grade", "solution"]
PLAIN = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests_public", "tests_hidden"]


def cost(command: list[str]) -> tuple[float, float]:
    """Return wall and CPU seconds of one run, its children included."""
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    started = time.perf_counter()
    process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{' '.join(command)} failed")
    return time.perf_counter() - started, usage.ru_utime + usage.ru_stime


def main(pairs: int) -> None:
    """Run `pairs` pairs after one that is not counted, and print the ratios."""
    cost(GRADED), cost(PLAIN)
    rows = [(*cost(GRADED), *cost(PLAIN)) for _ in range(pairs)]
    for name, graded, plain in (("wall", 0, 2), ("CPU", 1, 3)):
        ratios = sorted(row[graded] / row[plain] for row in rows)
        seconds = statistics.median(row[graded] for row in rows)
        print(
            f"{name:4}  graded ÷ plain: median {statistics.median(ratios):.2f} "
            f"(from {ratios[0]:.2f} to {ratios[-1]:.2f}), graded {seconds:.2f} s"
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 11)
