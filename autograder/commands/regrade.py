"""`autograder regrade`: a whole class, from whatever the learning management system gave."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec.structs import replace

from ..assignment import Assignment
from ..errors import AutograderError
from ..model import Level
from ..text import counted, listed, one_line
from .options import check_root, isolation_option, root_option, warn_if_weak

if TYPE_CHECKING:
    from ..regrade.coordinator import Graders, Outcome
    from ..regrade.records.class_report import ClassReport
    from ..regrade.sources.attempts import AttemptChoice

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


def _attempt(_context: click.Context, _option: click.Parameter, text: str | None) -> AttemptChoice | int | None:
    """Return which attempt `text` names."""
    from ..regrade.sources.attempts import AttemptChoice

    if text is None:
        return None
    if text.isdecimal() and int(text):
        return int(text)
    try:
        return AttemptChoice(text)
    except ValueError:
        raise click.BadParameter(f"{text} is not latest, first, best or a number from 1 on") from None


@click.command("regrade")
@click.argument("sources", metavar="SOURCE...", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--out", required=True, type=click.Path(file_okay=False, path_type=Path), help="Write here.")
@click.option("--jobs", type=click.IntRange(1), help="How many to grade at a time; by default one for each core.")
@click.option("--only", metavar="ID", multiple=True, help="Grade this one again, and no other: an id, SID or email.")
@click.option("--compare", type=_FILE, help="Show what changed against this grades.csv, or Gradescope's own.")
@click.option(
    "--roster", type=_FILE, help="Names for ids: GitHub Classroom's roster, or a CSV with id, name, sid, email."
)
@click.option("--gradebook", type=_FILE, help="Canvas's exported gradebook: write canvas.csv for its import.")
@click.option("--column", default="", help="Which assignment of the gradebook, when it has several.")
@click.option("--name-regex", default="", help="How names tell whose they are: (?P<id>…), and name, sid, email, file.")
@click.option(
    "--kind",
    type=click.Choice(
        [
            *("gradescope", "canvas", "moodle", "classroom", "brightspace", "blackboard", "ilias"),
            *("folders", "submission"),
        ]
    ),
    help="Insist on what the sources are, where their names can be read in two ways.",
)
@click.option(
    "--attempt",
    metavar="WHICH",
    callback=_attempt,
    help="Of several attempts, grade the latest (the default), the first, the best, or the one of this number.",
)
@click.option("--scheduler", metavar="ADDRESS", help="Grade on this dask.distributed cluster, such as tcp://host:8786.")
@isolation_option
@root_option
def command(  # noqa: PLR0913 - one parameter for each option
    *,
    sources: tuple[Path, ...],
    out: Path,
    jobs: int | None,
    only: tuple[str, ...],
    compare: Path | None,
    roster: Path | None,
    gradebook: Path | None,
    column: str,
    name_regex: str,
    kind: str | None,
    attempt: AttemptChoice | int | None,
    scheduler: str | None,
    level: Level | None,
    assignment: Assignment,
) -> None:
    """Grade a class, from zips or folders of any learning management system, into tables and results.

    A call that was interrupted, or that finds new submissions, grades what is missing and keeps the rest.
    Prints what changed against the old grades, when there are any.

    Example: autograder regrade assignment_8046601_export.zip --out regraded
    """
    from ..regrade.records.ledger import Ledger

    check_root(assignment, sources)
    book = None
    if gradebook:
        from ..regrade.records.gradebook import Gradebook

        book = Gradebook(gradebook, column)
    with ExitStack() as stack:
        ledger = stack.enter_context(Ledger(out))
        graders = stack.enter_context(_graders(assignment, jobs, level, scheduler))
        # Here, and not above: the graders start meanwhile.
        from ..regrade.coordinator import Coordinator, chosen
        from ..regrade.records import comparison
        from ..regrade.records.class_report import load_class
        from ..regrade.records.tables import write_tables
        from ..regrade.sources.kinds import SourceKind
        from ..regrade.sources.recognition import recognise_class
        from ..regrade.sources.roster import with_roster

        recognised = recognise_class(
            sources,
            assignment,
            name_regex=name_regex,
            kind=SourceKind(kind) if kind else None,
            attempt=attempt,
        )
        for remark in recognised.remarks:
            click.echo(remark, err=True)
        placed = recognised.placed
        if roster:
            named = with_roster((each.found for each in placed), roster)
            placed = tuple(replace(each, found=found) for each, found in zip(placed, named, strict=True))
        members = tuple(each.found.member for each in placed)
        if compare:
            members = comparison.with_old(members, compare)
        ids = chosen(members, only)
        outcome = Coordinator(placed, members, graders, ledger).grade(ids)
        report = load_class(out)
        write_tables(out, report, book.cells(report) if book else None)
        if sentence := comparison.by_hand(members):
            click.echo(sentence, err=True)
        warn_if_weak(report.run.isolation, level)
        if any(member.old for member in members):
            changes = tuple(comparison.changes(report))
            comparison.write_comparison(out, changes)
            click.echo(comparison.listing(changes), nl=False)
        for remark in book.write(out, report) if book else ():
            click.echo(remark, err=True)
    is_written = _write_report(out)
    glance = [f"the class at a glance: {out / 'report.html'}"] if is_written else []
    click.echo(
        "\n".join([f"{_summary(outcome)}; see {out / 'grades.csv'}", *_class_in_lines(report), *glance]), err=True
    )
    raise SystemExit(outcome.exit_status)


def _graders(assignment: Assignment, jobs: int | None, level: Level | None, scheduler: str | None) -> Graders:
    """Return this machine's lanes, or the cluster at `scheduler`."""
    if scheduler:
        from ..regrade.lanes.cluster import Cluster

        return Cluster(assignment, scheduler, level=level)
    from ..regrade.lanes.pool import Lanes, usable_cores

    return Lanes(assignment, jobs=jobs or len(usable_cores()), level=level)


def _write_report(out: Path) -> bool:
    """Write report.html and return True; without what it needs, say so: the grades are there all the same."""
    from ..regrade.report.page import write_report

    try:
        write_report(out)
    except AutograderError as problem:
        click.echo(f"no report was written: {problem}", err=True)
        return False
    return True


def _class_in_lines(report: ClassReport) -> Iterator[str]:
    """Yield how the class did, in two lines: its scores, and the test that fewest pass."""
    from ..regrade.report.rates import rates_of
    from ..regrade.report.scores import scores_of

    scores = scores_of(report)
    if scores is None:
        return
    yield (
        f"scores out of {scores.possible:g}: median {scores.median:g}, mean {scores.mean:.1f}, "
        f"{scores.full} with every point, {scores.none} with none"
    )
    hardest = next((rate for rate in rates_of(report) if rate.test.scored), None)
    if hardest:
        yield f"the hardest test, passed by {hardest.passed} of {hardest.tried}: {one_line(hardest.test.title)}"


def _summary(outcome: Outcome) -> str:
    """Return what one call did, in a sentence; whoever could not be graded is named."""
    parts = [f"{counted(outcome.graded, 'submission')} graded"]
    parts += [f"{outcome.kept} kept from before"] if outcome.kept else []
    parts += [f"{len(outcome.failed)} could not be graded: {listed(list(outcome.failed))}"] if outcome.failed else []
    parts += [f"{outcome.waiting} not graded yet: the same command goes on"] if outcome.waiting else []
    return ", ".join(parts)
