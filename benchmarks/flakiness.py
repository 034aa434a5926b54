"""Grades engines again and again, in zygotes with other addresses and another PYTHONHASHSEED each time.

Where the order of a backward pass follows from a set, it follows from addresses: a wrong engine may be right by luck.
Prints in how many runs each mistake in the order lost points and was named, and each correct engine of the bank earned
full marks. Ends with 1 unless every mistake is caught every time and no correct engine ever loses.

Usage: python benchmarks/flakiness.py [RUNS] [JOBS]
"""

from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path

from autograder.assignment import load_assignment
from autograder.verify.bank import load_bank
from autograder.verify.gaps import diagnosed_as
from autograder.verify.trials import Case, Kind, Trial, cases_of, trials

ROOT = Path(__file__).parents[1]
ORDER = {"backward-order", "visited-again"}  # diagnoses of the mistakes that luck may hide


def main(runs: int, jobs: int) -> int:
    """Run the measurement and print its figures."""
    assignment = load_assignment(ROOT)
    cases = [case for case in cases_of(assignment, load_bank(assignment)) if _measured(case)]
    seen: dict[str, list[Trial]] = defaultdict(list)
    for run in range(1, runs + 1):
        for trial in trials(assignment, cases, jobs=jobs, hash_seed=run):  # a new zygote, and so new addresses
            seen[trial.case.name].append(trial)
        print(f"run {run} of {runs}", file=sys.stderr)
    sound = True
    for case in cases:
        done = seen[case.name]
        points = sorted(trial.report.score.earned for trial in done)
        full = sum(not trial.lost for trial in done)
        span = f"{points[0]:g}" if points[0] == points[-1] else f"{points[0]:g} to {points[-1]:g}"
        if case.mistake is None:
            print(f"{case.name:38} full marks in {full} of {runs}")
            sound = sound and full == runs
        else:
            named = sum(case.mistake.diagnosis in diagnosed_as(trial) for trial in done)
            print(f"{case.name:38} caught in {runs - full} of {runs}, named in {named}, earns {span}")
            sound = sound and full == 0
    return int(not sound)


def _measured(case: Case) -> bool:
    return case.kind is Kind.CORRECT or (case.mistake is not None and case.mistake.diagnosis in ORDER)


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[1:]]
    sys.exit(main(*numbers, *(20, 1)[len(numbers) :]))
