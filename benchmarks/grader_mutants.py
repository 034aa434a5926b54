"""Breaks the rooms of the grader that meet hostile input in small ways, and runs the tests of that room on each result.

The mutants are those of benchmarks/mutants.py; of a room's thousands a sample is drawn, the same for the same seed. A
mutant survives if every test passes. It must then be listed in docs/mutants.md with the reason why it is not a mistake,
or a test is missing.

Usage: python benchmarks/grader_mutants.py ROOM [--sample 40] [--seed 0]     (needs requirements/tools.txt)
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator
from mutants import (
    EXPLAINED,
    ROOT,
    WITHOUT_ARGUMENTS,
    change,
    meaning,
    with_a_statement_left_out,
    with_plain_assignment,
)

SECONDS = 600  # of the wall for the tests of one mutant; one that never ends is found by that
REGRADE = ("regrade_sources", "regrade_kinds", "chosen_names", "attempts", "by_hand", "reader", "hostile_names")
TESTS = {
    "wire": ["autograder/tests/wire", "autograder/tests/worker/test_zygote.py"],
    "results": ["autograder/tests/results"],
    "submission": ["autograder/tests/submission"],
    "regrade/sources": [f"autograder/tests/regrade/test_{name}.py" for name in REGRADE],
}


def main(room: str, sample: int, seed: int) -> int:
    """Try a sample of the mutants of `room` and print the survivors; return 1 if one of them is not explained."""
    drawn, total = drawn_mutants(room, sample, seed)
    explained, unexplained = EXPLAINED.read_text("utf-8"), 0
    print(f"{room}: {len(drawn)} of {total} mutants, seed {seed}", flush=True)
    with tempfile.TemporaryDirectory(prefix="mutants-") as directory:
        copy = Path(directory) / "repository"
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".git", ".venv*", "__pycache__", ".*_cache"))
        assert verdict(copy, room) == "survived", "the tests fail without any change"
        found = []
        for file, text, change in drawn:
            found.append(mutated(copy, room, file, text))
            if found[-1] != "killed":
                is_listed = change in explained
                unexplained += found[-1] == "survived" and not is_listed
                print(f"{found[-1]}{', explained' if is_listed else ''}: {file}: {change}", flush=True)
    print(f"{room}: " + ", ".join(f"{found.count(each)} {each}" for each in ("killed", "timed out", "survived")))
    return int(bool(unexplained))


def drawn_mutants(room: str, sample: int, seed: int) -> tuple[list[tuple[Path, str, str]], int]:
    """Return a sample of the mutants of a room, as file, text and change; and how many there are."""
    sources = {
        file.relative_to(ROOT): file.read_text("utf-8")
        for file in sorted((ROOT / "autograder" / room).glob("*.py"))
        if file.name != "__init__.py"
    }
    possible = [(file, make) for file, source in sources.items() for make in makers(source)]
    random.Random(seed).shuffle(possible)
    drawn: list[tuple[Path, str, str]] = []
    for file, make in possible:
        text = make()
        if len(drawn) < sample and text and runs_differently(sources[file], text):
            drawn.append((file, text, change(sources[file], text)))
        if len(drawn) == sample:
            break
    return drawn, len(possible)


def makers(source: str) -> list[Callable[[], str | None]]:
    """Return what makes each mutant of a module, without making any: a room has thousands, and each is parsed anew."""
    nodes = list(ast_nodes(get_ast(source)))
    found: list[Callable[[], str | None]] = []
    for name in WITHOUT_ARGUMENTS:
        operator = get_operator(name)()
        count = sum(len(list(operator.mutation_positions(node))) for node in nodes)
        found += [partial(mutate_code, source, operator, occurrence) for occurrence in range(count)]
    texts = [*with_plain_assignment(source), *with_a_statement_left_out(source)]
    return found + [partial(str, text) for text in texts]


def runs_differently(source: str, text: str) -> bool:
    """Return True if `text` is a program, and another one than `source`."""
    try:
        return meaning(text) != meaning(source)
    except SyntaxError:
        return False


def mutated(copy: Path, room: str, file: Path, text: str) -> str:
    """Return the verdict on one mutant, and leave the copy as it was."""
    place = copy / file
    before = place.read_text("utf-8")
    try:
        write(place, text)
        return verdict(copy, room)
    finally:
        write(place, before)


def write(place: Path, text: str) -> None:
    """Write a module, and forget its bytecode: in one second, a file of the same size would pass for the same."""
    place.write_text(text, "utf-8")
    for cached in (place.parent / "__pycache__").glob(f"{place.stem}.*"):
        cached.unlink()


def verdict(copy: Path, room: str) -> str:
    """Return "killed" if a test of the room fails, "survived" if none does, or "timed out"."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-m", "not slow", *TESTS[room]]
    environment = {**os.environ, "PYTHONPATH": str(copy)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    try:
        done = subprocess.run(command, cwd=copy, env=environment, capture_output=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return "timed out"
    return "survived" if done.returncode == 0 else "killed"


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("room", choices=TESTS)
    arguments.add_argument("--sample", type=int, default=40)
    arguments.add_argument("--seed", type=int, default=0)
    chosen = arguments.parse_args()
    sys.exit(main(chosen.room, chosen.sample, chosen.seed))
