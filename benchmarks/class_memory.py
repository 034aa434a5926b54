"""The memory of the coordinator, and the size of the pages, for classes of 100 to 5,000 generated submissions.

A few engines of the bank of mistakes are graded; the class repeats their answers under ids of its own. So everything
but the grading happens as in `autograder regrade`: sources are read, records kept, tables, feedback and report written.
Each size has a process of its own, whose peak is printed.

Usage: python benchmarks/class_memory.py [--sizes 100 1000 5000] [--engines 12]
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec
from msgspec.structs import replace

from autograder.assignment import Assignment, load_assignment
from autograder.regrade.coordinator import Coordinator
from autograder.regrade.finish import show_end, show_feedback, show_tables
from autograder.regrade.lanes.messages import Answer
from autograder.regrade.lanes.pool import Lanes
from autograder.regrade.records.class_report import Record, Run, load_class
from autograder.regrade.records.ledger import Ledger
from autograder.regrade.sources.delivery import Delivery
from autograder.regrade.sources.recognition import recognise_class
from autograder.verify.bank import load_bank

ROOT = Path(__file__).parents[1]


class Repeated:
    """Graders that repeat what they are given: the answers of a few engines, under the id and key of each delivery."""

    def __init__(self, run: Run, answers: list[Answer]) -> None:
        self._run, self._answers = run, answers

    def __enter__(self) -> Repeated:
        return self

    def __exit__(self, *_: object) -> None:
        """Do nothing: there is nothing to end."""

    def run(self) -> Run:
        """See Graders."""
        return self._run

    def answers(self, deliveries: Iterable[Delivery]) -> Iterator[Answer]:
        """See Graders."""
        for number, delivery in enumerate(deliveries):
            known = self._answers[number % len(self._answers)]
            record = msgspec.json.decode(known.record, type=Record)
            record = replace(record, id=delivery.id, key=replace(record.key, submission=delivery.digest))
            yield replace(known, id=delivery.id, record=msgspec.json.encode(record))

    def stop(self) -> None:
        """See Graders."""


def write_class(folder: Path, texts: list[str], size: int) -> None:
    """Write `size` submissions as Moodle names them, no two alike."""
    for number in range(size):
        place = folder / f"Student {number}x_{100_000 + number}_assignsubmission_file"
        place.mkdir(parents=True)
        (place / "engine.py").write_text(f"{texts[number % len(texts)]}\n# copy {number}\n", "utf-8")


def graded(assignment: Assignment, folder: Path) -> tuple[Run, list[Answer]]:
    """Grade the submissions in `folder`, in order."""
    placed = recognise_class([folder], assignment).placed
    with Lanes(assignment, jobs=1) as lanes:
        answers = {answer.id: answer for answer in lanes.answers(each.delivery() for each in placed)}
        return lanes.run(), [answers[each.found.id] for each in placed]


def measure(directory: Path, size: int) -> None:
    """Regrade a class of `size` in this process, and print its peak and the sizes of what it wrote."""
    assignment = load_assignment(ROOT)
    run, answers = msgspec.msgpack.decode((directory / "answers").read_bytes(), type=tuple[Run, list[Answer]])
    texts = msgspec.json.decode((directory / "texts").read_bytes(), type=list[str])
    source, out = directory / f"class{size}", directory / f"out{size}"
    write_class(source, texts, size)
    start, started = peak(), time.perf_counter()
    placed = recognise_class([source], assignment).placed
    with Ledger(out) as ledger, Repeated(run, answers) as graders:
        outcome = Coordinator(placed, tuple(each.found.member for each in placed), graders, ledger).grade()
        kept = peak()
        report = load_class(out)
        show_tables(out, report, None)
        tables = peak()
        show_feedback(out, report, placed, published=False)
    show_end(out, report, outcome)
    pages = {file: (out / file).stat().st_size for file in ("grades.csv", "report.html", "feedback/moodle.zip")}
    sizes = ", ".join(f"{name} {size / 1e6:.2f} MB" for name, size in pages.items())
    print(
        f"{size:5} submissions: {start:.0f} MB at the start, {kept:.0f} when all are kept, {tables:.0f} with tables, "
        f"{peak():.0f} at the end; {time.perf_counter() - started:.0f} s; {sizes}"
    )


def peak() -> float:
    """Return the megabytes that this process had at most."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    """Measure, and print one line for each size."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--sizes", type=int, nargs="+", default=[100, 1000, 5000])
    parser.add_argument("--engines", type=int, default=12)
    parser.add_argument("--in", dest="directory", type=Path, help="of one size, in this process")
    given = parser.parse_args()
    if given.directory:
        measure(given.directory, given.sizes[0])
        return
    assignment = load_assignment(ROOT)
    bank = load_bank(assignment)
    step = max(1, len(bank.mistakes) // given.engines)
    texts = [bank.text(mistake) for mistake in bank.mistakes[::step]][: given.engines]
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        write_class(directory / "bank", texts, len(texts))
        (directory / "answers").write_bytes(msgspec.msgpack.encode(graded(assignment, directory / "bank")))
        (directory / "texts").write_bytes(msgspec.json.encode(texts))
        for size in given.sizes:
            command = [sys.executable, __file__, "--in", name, "--sizes", str(size)]
            subprocess.run(command, check=True, stderr=subprocess.DEVNULL, cwd=ROOT)


if __name__ == "__main__":
    main()
