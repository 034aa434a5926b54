"""Tries every engine that has to be tried, and shows on standard error how far that is."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import click

from ..assignment import Assignment
from ..model import GradedTest
from ..suites.runner import collected_suites
from ..text import counted
from .bank import Bank, check_rows, load_bank
from .proof import Proof
from .trials import Case, Trial, cases_of, trials

_SECONDS = 10.0  # between two lines where there is no terminal


def checked(assignment: Assignment) -> tuple[tuple[GradedTest, ...], tuple[Case, ...]]:
    """Return the tests as they are declared now, and all that is to be tried, before anything is.

    Raises AssignmentError for what would be found after minutes otherwise: marks, points and manifests that differ, an
    edit that does not apply, a row that names no test.
    """
    with collected_suites(assignment) as suites:
        tests = tuple(suites.tests)
    bank: Bank = load_bank(assignment)
    cases = cases_of(assignment, bank)
    check_rows(bank, assignment.root_path, [test.id for test in tests if test.scored])
    return tests, cases


def proved(assignment: Assignment, cases: Sequence[Case], *, jobs: int, anew: bool = False) -> tuple[Trial, ...]:
    """Return the trial of each case: as it was proved before, or tried now. With `anew`, all are tried."""
    proof = Proof(assignment)
    known = {} if anew else {case.name: trial for case in cases if (trial := proof.trial(case)) is not None}
    waiting = [case for case in cases if case.name not in known]
    if known:
        click.echo(f"{len(known)} of {counted(len(cases), 'engine')} as in the last proof: nothing changed", err=True)
    if waiting:
        click.echo(f"Proving {counted(len(waiting), 'engine')}: what each earns, loses and is diagnosed as", err=True)
        with showing(len(waiting)) as show:
            for trial in trials(assignment, waiting, jobs=jobs):
                known[trial.case.name] = trial
                show(trial.case.name)
    done = tuple(known[case.name] for case in cases)
    proof.keep(done)
    return done


@contextmanager
def showing(total: int) -> Iterator[Callable[[str], None]]:
    """Give what counts one more engine of `total` by its name: a bar on a terminal, a line now and then elsewhere."""
    if sys.stderr.isatty():
        with click.progressbar(
            length=total, label="Proving", show_pos=True, item_show_func=str, file=sys.stderr, update_min_steps=1
        ) as bar:
            yield lambda name: bar.update(1, name)
        return
    started = shown = time.monotonic()
    done = 0

    def line(name: str) -> None:
        nonlocal done, shown
        done += 1
        now = time.monotonic()
        if now - shown >= _SECONDS and done < total:
            shown, left = now, (now - started) / done * (total - done)
            click.echo(f"{done} of {counted(total, 'engine')} proved, the last {name}; {left:.0f} s left", err=True)

    yield line
