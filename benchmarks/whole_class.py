"""A whole class: `autograder regrade`, confined, against a shell loop of plain in-process pytest, both with two jobs.

The class is copies of the solution that differ in a comment. The suites are those of the 100 points, or with --further
also the tests without points. Both sides run in turn and are compared pair by pair. A third row is the ceiling of any
design that runs pytest: the suites collected once, a fork for each submission, the engine in the same process, no
isolation. Bytecode is cached on all sides, and start-up is counted. Quote the ratios and not the seconds.

Usage: python benchmarks/whole_class.py [--size 40] [--pairs 3] [--jobs 2] [--further] [--memory 1000]
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
PARTS = ("pyproject.toml", "tests_public", "tests_hidden", "solution", "starter")
PYTEST = "-q -p no:cacheprovider -p autograder.local --import-mode=importlib tests_public tests_hidden"
CEILING = Path(__file__).with_name("ceiling.py")


def course(directory: Path, *, further: bool) -> None:
    """Copy the assignment; without `further`, only the tests that carry points."""
    skipped = shutil.ignore_patterns("__pycache__", *([] if further else ["test_further_*"]))
    directory.mkdir()
    for name in PARTS:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, directory / name, ignore=skipped)
        else:
            shutil.copy(source, directory / name)
    run([sys.executable, "-m", "autograder", "manifest", "--root", str(directory)])


def submissions(directory: Path, size: int) -> None:
    """Write `size` copies of the solution, no two alike."""
    for number in range(size):
        place = directory / f"student{number:04}"
        shutil.copytree(ROOT / "solution", place, ignore=shutil.ignore_patterns("__pycache__"))
        with (place / "engine.py").open("a", encoding="utf-8") as file:
            file.write(f"\n# copy {number}\n")


def run(command: list[str], *, cwd: Path = ROOT) -> tuple[float, float]:
    """Return the wall and CPU seconds of a command that must succeed, all processes below it included."""
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(ROOT)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    started = time.perf_counter()
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(command, cwd=cwd, env=environment, stdout=said, stderr=said)
        _, status, usage = os.wait4(process.pid, 0)
        if status:
            said.seek(0)
            sys.exit(f"{' '.join(command)} failed:\n{said.read().decode()[-4000:]}")
    return time.perf_counter() - started, usage.ru_utime + usage.ru_stime


def loop(root: Path, students: Path, jobs: int) -> tuple[float, float]:
    """Return the seconds of a shell loop of plain pytest."""
    each = f"exec {sys.executable} -m pytest {PYTEST} --submission {students}/$1 >/dev/null"
    shell = f"ls {students} | xargs -P {jobs} -n 1 sh -c '{each}' sh"
    return run(["sh", "-c", shell], cwd=root)


def regrade(root: Path, students: Path, jobs: int) -> tuple[float, float]:
    """Return the seconds of a regrade into a fresh directory, tables included."""
    with tempfile.TemporaryDirectory() as out:
        command = ["regrade", str(students), "--out", out, "--root", str(root), "--jobs", str(jobs)]
        return run([sys.executable, "-m", "autograder", *command, "--isolation", "strong"])


def ceiling(root: Path, students: Path, jobs: int) -> tuple[float, float]:
    """Return the seconds of forks of a collected session, in process and without isolation."""
    command = f"{sys.executable} -m pytest {PYTEST} -p ceiling --students {students} --jobs {jobs}"
    return run(["sh", "-c", f"PYTHONPATH={ROOT}:{CEILING.parent} {command}"], cwd=root)


def memory(root: Path, students: Path, jobs: int, size: int) -> None:
    """Grade `size` submissions and print the largest process after each tenth of them."""
    with tempfile.TemporaryDirectory() as out:
        command = ["regrade", str(students), "--out", out, "--root", str(root), "--jobs", str(jobs)]
        process = subprocess.Popen([sys.executable, "-m", "autograder", *command], cwd=ROOT, stderr=subprocess.DEVNULL)
        records, step, marks = Path(out) / "records", max(size // 10, 1), []
        while process.poll() is None:
            done = sum(1 for _ in records.glob("*.json")) if records.is_dir() else 0
            if done // step > len(marks):
                marks.append(done)
                sizes = [resident(pid) for pid in (process.pid, *descendants(process.pid))]
                print(f"memory after {done:5}: coordinator {sizes[0]:.0f} MB, largest other {max(sizes[1:]):.0f} MB")
            time.sleep(0.2)


def descendants(pid: int) -> list[int]:
    """Return the processes below `pid` that are running."""
    below = [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()]
    return below + [deeper for child in below if Path(f"/proc/{child}").exists() for deeper in descendants(child)]


def resident(pid: int) -> float:
    """Return the megabytes that a process has in memory; 0 for one that has ended."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
    except (OSError, IndexError):
        return 0.0


def main() -> None:
    """Measure, and print one line for each comparison."""
    parser = argparse.ArgumentParser()
    for name, value in (("size", 40), ("pairs", 3), ("jobs", 2), ("memory", 0)):
        parser.add_argument(f"--{name}", type=int, default=value)
    parser.add_argument("--further", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        root, students = Path(directory) / "course", Path(directory) / "students"
        course(root, further=given.further)
        submissions(students, given.memory or given.size)
        if given.memory:
            memory(root, students, given.jobs, given.memory)
            return
        sides = {"loop of plain pytest": loop, "regrade, strong": regrade, "ceiling": ceiling}
        rows = [{name: side(root, students, given.jobs) for name, side in sides.items()} for _ in range(given.pairs)]
    for name in sides:
        rate = given.size / statistics.median(row[name][0] for row in rows)
        print(f"{name:22} {rate:6.1f} submissions/s, {ratio(rows, name, 0)} by wall, {ratio(rows, name, 1)} by CPU")


def ratio(rows: list[dict[str, tuple[float, float]]], name: str, place: int) -> str:
    """Return how many times less one side takes than the loop, pair by pair: median and range."""
    ratios = sorted(row["loop of plain pytest"][place] / row[name][place] for row in rows)
    return f"{statistics.median(ratios):.2f} × ({ratios[0]:.2f} to {ratios[-1]:.2f})"


if __name__ == "__main__":
    main()
