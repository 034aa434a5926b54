"""A class on a dask cluster of four workers of this machine, one of them killed in the middle and one started late.

The class is graded again without the cluster, all of it or, with --alone, every so many of it: every submission must
have one record, its row in grades.csv and its results must agree to the byte, and of a whole class all tables. The two
throughputs are printed. On one machine a cluster cannot be faster: what it costs is seen.
The class is this homework's, the correct engines and the mistakes of the bank, each copy with a comment of its own.
With --tiny the course is the small one of the grader's own tests, so that a thousand submissions take minutes.

Usage: python benchmarks/cluster.py [--size 1000] [--alone 200] [--tiny]
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from autograder.assignment import load_assignment
from autograder.tests.support.course import make_course
from autograder.verify.bank import load_bank

ROOT = Path(__file__).parents[1]
TABLES = ("grades.csv", "failures.csv", "run.json", "class.json")
TINY = ("return x + x", "return 2 * x", "return 3 * x", "return x / 0", "return x if x else 1", "while True: pass")


def write_class(directory: Path, size: int, *, tiny: bool) -> tuple[Path, Path]:
    """Write a class of `size`, no two alike; return the course's root and the class."""
    students = directory / "class"
    if tiny:
        root, file = make_course(directory / "course").root, "doubling.py"
        limits = "\n[tool.autograder.limits]\nrequest_seconds = 0.2\ntest_seconds = 0.5\nsubmission_seconds = 1\n"
        with (root / "pyproject.toml").open("a", encoding="utf-8") as settings:
            settings.write(limits)
        texts = [f"def double(x):\n    {line}\n" for line in TINY for _ in range(1 if "while" in line else 8)]
    else:
        root, file = ROOT, "engine.py"
        bank = load_bank(load_assignment(root))
        texts = [*bank.correct.values(), *map(bank.text, bank.mistakes)]
    for number in range(size):
        place = students / f"student{number:05}"
        place.mkdir(parents=True)
        (place / file).write_text(f"{texts[number % len(texts)]}\n# copy {number}\n", "utf-8")
    return root, students


@contextmanager
def program(*command: str, log: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Give a program of dask that runs, and end it."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "ignore"}
    with log.open("wb") as file:
        process = subprocess.Popen(
            [sys.executable, "-m", *command], cwd=log.parent, env=environment, stdout=file, stderr=file
        )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def regrade(root: Path, students: Path, out: Path, *options: str) -> subprocess.Popen[bytes]:
    """Start a regrade."""
    command = [sys.executable, "-m", "autograder", "regrade", str(students), "--out", str(out), "--root", str(root)]
    with (out.parent / f"{out.name}.log").open("wb") as log:
        return subprocess.Popen([*command, *options], cwd=ROOT, stdout=log, stderr=log)


def wait_for(records: int, out: Path, process: subprocess.Popen[bytes]) -> None:
    """Wait until so many submissions are kept."""
    while process.poll() is None and sum(1 for _ in (out / "records").glob("[!.]*.json")) < records:
        time.sleep(0.2)


def on_a_cluster(directory: Path, root: Path, students: Path, size: int) -> float:
    """Grade the class on a cluster that loses a worker and gets another; return the seconds."""
    out, address = directory / "cluster", directory / "scheduler.json"
    worker = ("distributed.cli.dask_worker", "--nthreads", "1", "--no-nanny", "--no-dashboard")
    worker += ("--scheduler-file", str(address), "--local-directory", str(directory))
    scheduler = ("distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
    with ExitStack() as stack:
        stack.enter_context(program(*scheduler, "--scheduler-file", str(address), log=directory / "scheduler.log"))
        while not (address.exists() and address.read_text("utf-8")):
            time.sleep(0.1)
        started = [stack.enter_context(program(*worker, log=directory / f"worker{n}.log")) for n in range(3)]
        start = time.perf_counter()
        process = regrade(root, students, out, "--scheduler", _address(address))
        wait_for(size // 4, out, process)
        started[0].send_signal(signal.SIGKILL)
        print(f"after {size // 4} submissions one worker was killed", flush=True)
        wait_for(size // 2, out, process)
        stack.enter_context(program(*worker, log=directory / "worker3.log"))
        print(f"after {size // 2} another was started", flush=True)
        process.wait()
        return time.perf_counter() - start


def _address(file: Path) -> str:
    """Return the address of the scheduler that wrote `file`."""
    return str(json.loads(file.read_text("utf-8"))["address"])


def sample_of(students: Path, directory: Path, size: int) -> Path:
    """Return a class of `size` students of a class, taken evenly."""
    everybody = sorted(students.iterdir())
    sample = directory / "sample" / students.name
    for n in range(size):
        each = everybody[n * len(everybody) // size]
        shutil.copytree(each, sample / each.name)
    return sample


def compare(cluster: Path, alone: Path, size: int, sample: int) -> list[str]:
    """Return in what two outputs differ: everybody's on the cluster, and those that were also graded without it."""
    wrong = []
    for out, count in ((cluster, size), (alone, sample)):
        kept = len([file for file in (out / "records").iterdir() if file.suffix == ".json"])
        wrong += [f"{out.name} holds {kept} records"] if kept != count else []
    results = sorted((alone / "results").iterdir())
    wrong += [f"{alone.name} holds {len(results)} results"] if len(results) != sample else []
    wrong += [
        f"results/{file.name}"
        for file in results
        if file.read_bytes() != (cluster / "results" / file.name).read_bytes()
    ]
    if size == sample:
        return wrong + [name for name in TABLES if (cluster / name).read_bytes() != (alone / name).read_bytes()]
    rows = (cluster / "grades.csv").read_bytes().splitlines()
    missing = [row for row in (alone / "grades.csv").read_bytes().splitlines() if rows.count(row) != 1]
    return wrong + [f"grades.csv in {len(missing)} rows"] * bool(missing)


def main() -> None:
    """Measure, compare and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--size", type=int, default=1000)
    parser.add_argument("--alone", type=int, help="how many are graded without the cluster too; all, by default")
    parser.add_argument("--tiny", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        root, students = write_class(directory, given.size, tiny=given.tiny)
        cluster = on_a_cluster(directory, root, students, given.size)
        print((directory / "cluster.log").read_text("utf-8").strip().splitlines()[-4])
        sample = min(given.alone or given.size, given.size)
        start = time.perf_counter()
        regrade(root, sample_of(students, directory, sample), directory / "alone").wait()
        alone = time.perf_counter() - start
        wrong = compare(directory / "cluster", directory / "alone", given.size, sample)
    print(f"{given.size} submissions on the cluster: {given.size / cluster:.2f} a second")
    print(f"{sample} without it: {sample / alone:.2f} a second")
    print(
        f"they differ in {', '.join(wrong[:8])}" if wrong else "tables and results agree to the byte; one record each"
    )
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
