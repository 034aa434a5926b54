"""The end of a regrade: tables, feedback and report, and what a person must know of them on the terminal.

Each is written though another cannot be: the grades are kept before all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from ..assignment import Assignment
from ..errors import AutograderError
from .coordinator import Outcome
from .feedback import write_feedback
from .records import comparison
from .records.class_report import ClassReport
from .records.gradebook import Gradebook
from .records.output import OutputError
from .records.tables import write_tables
from .report import in_words
from .report.page import write_report
from .sources.recognition import Located


def show_tables(out: Path, report: ClassReport, book: Gradebook | None) -> None:
    """Write every table; print what changed, and say what a person must know."""
    write_tables(out, report, book.cells(report) if book else None)
    if sentence := comparison.by_hand(report.members):
        click.echo(sentence, err=True)
    if any(member.old for member in report.members):
        comparison.write_comparison(out, report)
        for line in comparison.listing(comparison.changes(report)):
            click.echo(line)
    for remark in book.write(out, report) if book else ():
        click.echo(remark, err=True)


def show_feedback(out: Path, report: ClassReport, placed: Sequence[Located], *, published: bool) -> bool:
    """Write everybody's feedback and return True; if that fails, say so: the grades are there all the same."""
    try:
        for sentence in write_feedback(out, report, placed, published=published):
            click.echo(sentence, err=True)
    except AutograderError as problem:
        click.echo(f"the feedback is not complete: {problem}", err=True)
        return False
    return True


def show_similar(out: Path, report: ClassReport, placed: Sequence[Located], assignment: Assignment) -> bool:
    """Write the pairs to look at and return True; if that fails, say so: the grades are there all the same."""
    from .similar.page import write_similar  # only if it is asked for

    try:
        click.echo(write_similar(out, report, placed, assignment), err=True)
    except AutograderError as problem:
        click.echo(f"similar submissions are not shown: {problem}", err=True)
        return False
    return True


def show_end(out: Path, report: ClassReport, outcome: Outcome) -> bool:
    """Write the report, and say what was done, how the class did and where it is shown.

    Without what the report needs, say so: the grades are there all the same. Return False if the disk does not take it.
    """
    lines = [f"{in_words.outcome_in_words(outcome)}; see {out / 'grades.csv'}", *in_words.class_in_words(report)]
    is_kept = True
    try:
        lines.append(f"the class at a glance: {write_report(out)}")
    except AutograderError as problem:
        lines.insert(0, f"no report was written: {problem}")
        is_kept = not isinstance(problem, OutputError)
    click.echo("\n".join(lines), err=True)
    return is_kept
