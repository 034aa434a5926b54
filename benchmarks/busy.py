"""The same grade on a busy machine: each engine is graded quietly, beside busy loops, and on half a core.

Compares the results.json of the three gradings byte for byte, and prints the engines whose results differ. Half a core
is one core that a busy loop shares. Beside eight loops on two cores, a grading takes five times as long; several at a
time share the cores with the loops and with each other.

Usage: python benchmarks/busy.py [--loops 8] [--at-once 1] [--every N] [NAME...]; without names, all engines of the bank
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from autograder.assignment import load_assignment
from autograder.verify.bank import bank_file, load_bank

ROOT = Path(__file__).parents[1]
LOOP = [sys.executable, "-c", "while True: pass"]


@contextmanager
def loops(count: int, core: int | None = None) -> Iterator[None]:
    """Within it, `count` processes compute without end: on `core`, or where the kernel puts them."""
    running = [subprocess.Popen(LOOP) for _ in range(count)]
    try:
        for process in running if core is not None else []:
            os.sched_setaffinity(process.pid, {core})
        yield
    finally:
        for process in running:
            process.kill()
            process.wait()


def graded(file: str, engine: str, core: int | None = None) -> bytes:
    """Return the results.json of one engine, graded on `core` alone if there is one."""
    with tempfile.TemporaryDirectory() as directory:
        submission, results = Path(directory) / "submission", Path(directory) / "results.json"
        submission.mkdir()
        (submission / file).write_text(engine, "utf-8")
        command = [sys.executable, "-m", "autograder", "grade", str(submission), "--results", str(results)]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            if core is not None:
                os.sched_setaffinity(process.pid, {core})  # what it starts inherits it
        if process.returncode:
            sys.exit(f"an engine could not be graded: exit status {process.returncode}")
        return results.read_bytes()


def graded_all(file: str, engines: list[tuple[str, str]], *, at_once: int, core: int | None = None) -> dict[str, bytes]:
    """Return the results.json of each engine by its name."""
    with ThreadPoolExecutor(at_once) as pool:
        results = pool.map(lambda engine: graded(file, engine[1], core), engines)
        return {name: result for (name, _), result in zip(engines, results, strict=True)}


def difference(quiet: bytes, busy: bytes) -> str:
    """Return what differs between two results: the tests, or the text above them; "" for nothing."""
    if quiet == busy:
        return ""
    pairs = zip(json.loads(quiet)["tests"], json.loads(busy)["tests"], strict=False)
    return ", ".join(one["name"] for one, other in pairs if one != other) or "the text above all tests"


def main() -> None:
    """Grade each engine three times, and print a line for each difference and one with the count."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--loops", type=int, default=8)
    parser.add_argument("--at-once", type=int, default=1, help="gradings beside the loops at a time")
    parser.add_argument("--every", type=int, default=1, help="take each Nth engine")
    parser.add_argument("names", nargs="*")
    given = parser.parse_args()
    assignment = load_assignment(ROOT)
    bank, file = load_bank(assignment), bank_file(assignment)
    engines = [*bank.correct.items(), *((mistake.name, bank.text(mistake)) for mistake in bank.mistakes)]
    chosen = [(name, text) for name, text in engines if not given.names or name in given.names][:: given.every]
    core, differing = max(os.sched_getaffinity(0)), 0
    quiet = graded_all(file, chosen, at_once=1)
    with loops(given.loops):
        beside = graded_all(file, chosen, at_once=given.at_once)
    with loops(1, core):
        half = graded_all(file, chosen, at_once=1, core=core)
    for name, alone in quiet.items():
        for place, results in ((f"beside {given.loops} loops", beside), ("on half a core", half)):
            if found := difference(alone, results[name]):
                differing += 1
                print(f"{name} {place}: {found}", flush=True)
    print(f"{len(chosen)} engines, {differing} differences")


if __name__ == "__main__":
    main()
