"""Tries every engine that has to be tried, and shows on standard error how far that is."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import click

from ..assignment import Assignment
from ..configuration import place
from ..errors import AssignmentError
from ..findings.plugin import plugin_of
from ..model import GradedTest
from ..suites.imports import undeclared
from ..suites.runner import collected_suites
from ..text import counted, indented
from .bank import Bank, check_rows, load_bank
from .proof import Proof
from .trials import Case, Trial, cases_of, trials

_SECONDS = 10.0  # between two lines where there is no terminal


def checked(assignment: Assignment) -> tuple[tuple[GradedTest, ...], tuple[Case, ...]]:
    """Return the tests as they are declared now, and all that is to be tried, before anything is.

    Raises AssignmentError for what would be found after minutes otherwise: marks, points and manifests that differ, an
    edit that does not apply, a row that names no test, diagnoses that cannot be imported.
    """
    plugin_of(assignment)
    _check_solution(assignment)
    with collected_suites(assignment) as suites:
        tests = tuple(suites.tests)
    bank: Bank = load_bank(assignment)
    cases = cases_of(assignment, bank)
    check_rows(bank, assignment.root_path, [test.id for test in tests if test.scored])
    return tests, cases


def _check_solution(assignment: Assignment) -> None:
    """Raise AssignmentError for a file that the solution lacks, or an import in it that no submission may do."""
    file = assignment.root_path / "pyproject.toml"
    problems = [
        f"{place(file, ('modules', name, 'file'))}: there is no {assignment.solution}/{interface.file}: write it, or "
        "correct the name"
        for name, interface in assignment.modules.items()
        if interface.scored and not (assignment.solution_path / interface.file).is_file()
    ]
    if problems := problems or undeclared(assignment):
        raise AssignmentError(f"the solution could not be graded:{indented(problems, 9)}")


def proved(assignment: Assignment, cases: Sequence[Case], *, jobs: int, anew: bool = False) -> tuple[Trial, ...]:
    """Return the trial of each case: as it was proved before, or tried now. With `anew`, all are tried."""
    proof = Proof(assignment)
    known = {} if anew else {case.name: trial for case in cases if (trial := proof.trial(case)) is not None}
    waiting = [case for case in cases if case.name not in known]
    if known:
        click.echo(f"{len(known)} of {counted(len(cases), 'engine')} as in the last proof: nothing changed", err=True)
    if waiting:
        click.echo(f"Proving {counted(len(waiting), 'engine')}: what each earns, loses and is diagnosed as", err=True)
        with showing([case.name for case in waiting]) as advance:
            for trial in trials(assignment, waiting, jobs=jobs):
                known[trial.case.name] = trial
                advance()
    done = tuple(known[case.name] for case in cases)
    proof.keep(done)
    return done


@contextmanager
def showing(names: Sequence[str]) -> Iterator[Callable[[], None]]:
    """Give what counts one more engine as proved, and shows which is next: a bar on a terminal, lines elsewhere."""
    done, total = 0, len(names)
    if sys.stderr.isatty():
        with click.progressbar(
            length=total, label="Proving", show_pos=True, item_show_func=lambda name: name or "", file=sys.stderr
        ) as bar:
            following = iter([*names[1:], ""])
            bar.current_item = names[0]
            bar.render_progress()
            yield lambda: bar.update(1, next(following))
        return
    started = shown = time.monotonic()

    def advance() -> None:
        nonlocal done, shown
        done += 1
        now = time.monotonic()
        if now - shown >= _SECONDS and done < total:
            shown, left = now, (now - started) / done * (total - done)
            click.echo(
                f"{done} of {counted(total, 'engine')} proved, {names[done]} is next; {left:.0f} s left", err=True
            )

    yield advance
