"""How cost grows: with tests, with operations in a test, with submissions and jobs, and with the nodes of a graph."""

from __future__ import annotations

import statistics
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from checks import ROOT, chain, checks, engine, wrong
from compare import class_run, graded
from measure import exponent, ratio, run
from peers import Ours

Progress = Callable[[str], None]
QUICK, WHOLE = True, False
TESTS = {QUICK: (10, 40, 160), WHOLE: (10, 40, 160, 640)}
OPERATIONS = {QUICK: (10, 100, 1_000), WHOLE: (10, 100, 1_000, 10_000, 100_000)}
SUBMISSIONS = {QUICK: (2, 4, 8), WHOLE: (5, 10, 20, 40, 80)}
_PASSES = """
import sys, time
from engine import Value
started = time.perf_counter()
y = Value(1.0)
for _ in range(int(sys.argv[1]) // 2):
    y = y * 1.000001  # a product, and the number that becomes a leaf
y.backward()
print(time.perf_counter() - started)
"""
NODES = {QUICK: (100, 1_000, 10_000), WHOLE: (100, 1_000, 10_000, 100_000, 1_000_000)}


def tests(folder: Path, python: str, *, quick: bool, say: Progress) -> dict[str, Any]:
    """Return the seconds of one submission against the number of tests."""
    points = []
    for count in TESTS[quick]:
        say(f"{count} tests")
        course = Ours(folder / f"tests-{count}", python)
        course.prepare(checks(count))
        points.append(_graded(course, engine(), count, quick=quick))
    return _line("tests", points)


def operations(folder: Path, python: str, *, quick: bool, say: Progress) -> dict[str, Any]:
    """Return the seconds of one submission against the number of operations in a single test."""
    points = []
    for count in OPERATIONS[quick]:
        say(f"{count} operations in a test")
        course = Ours(folder / f"operations-{count}", python)
        course.prepare([chain(count)])
        points.append(_graded(course, engine(), count, quick=quick))
    return _line("operations in one test", points)


def submissions(course: Ours, jobs: Sequence[int], *, quick: bool, say: Progress) -> list[dict[str, Any]]:
    """Return, for each number of jobs, the seconds of a class against its size."""
    lines = []
    for each in jobs:
        points = []
        for count in SUBMISSIONS[quick]:
            say(f"a class of {count}, {each} at a time")
            points.append(_class(course, count, each))
        lines.append(_line(f"submissions, {each} at a time", points))
    return lines


def nodes(*, quick: bool, say: Progress) -> dict[str, Any]:
    """Return the seconds of the engine's forward and backward pass against the nodes of the graph."""
    points = []
    for count in NODES[quick]:
        say(f"a graph of {count} nodes")
        runs = [run([sys.executable, "-c", _PASSES, str(count)], ROOT / "solution") for _ in range(3)]
        seconds = statistics.median(float(each.said) for each in runs)
        points.append({"at": count, "seconds": seconds, "mb": max(each.peak_mb for each in runs)})
    return _line("nodes of the engine's graph", points)


def diagnosed(course: Ours, pairs: int, say: Progress) -> dict[str, Any]:
    """Return what a wrong submission, which is diagnosed, costs against the right one."""
    runs = []
    for number in range(pairs + 1):
        say(f"right and wrong, round {number} of {pairs}")
        bad, good = graded(course, wrong())[0], graded(course, engine())[0]
        runs += [(bad, good)] if number else []
    return {
        "wall": ratio([(bad.wall, good.wall) for bad, good in runs]),
        "cpu": ratio([(bad.cpu, good.cpu) for bad, good in runs]),
    }


def _graded(course: Ours, text: str, at: int, *, quick: bool) -> dict[str, Any]:
    runs = [graded(course, text)[0] for _ in range(1 if quick else 3)]
    assert all(each.status == 0 for each in runs), runs[0].said
    return {
        "at": at,
        "seconds": statistics.median(each.wall for each in runs),
        "mb": max(each.peak_mb for each in runs),
        "started_mb": max(each.started_mb for each in runs),
    }


def _class(course: Ours, count: int, jobs: int) -> dict[str, Any]:
    done = class_run(course, count, jobs)
    return {"at": count, "seconds": done.wall, "mb": done.peak_mb, "started_mb": done.started_mb}


def _line(name: str, points: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the curve with its exponent: of what comes on top of the smallest run, which is mostly start-up."""
    floor = points[0]["seconds"]
    rest = [(p["at"] - points[0]["at"], p["seconds"] - floor) for p in points[1:] if p["seconds"] > floor]
    return {"name": name, "points": points, "exponent": exponent(rest) if len(rest) > 1 else None}
