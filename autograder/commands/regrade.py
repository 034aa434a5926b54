"""`autograder regrade`: a whole class, from whatever the learning management system gave."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec.structs import replace

from ..assignment import Assignment
from ..errors import AutograderError
from ..model import Level
from .options import check_root, isolation_option, root_option, warn_if_weak

if TYPE_CHECKING:
    from ..regrade.coordinator import Graders
    from ..regrade.records.class_report import ClassEntry
    from ..regrade.records.gradebook import Gradebook
    from ..regrade.sources.attempts import AttemptChoice
    from ..regrade.sources.recognition import ClassRoster, Located

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
@click.option("--column", default="", help="Which assignment of the gradebook, if it has several.")
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
@click.option("--scored-only", is_flag=True, help="Leave out the tests without points: it is faster.")
@click.option("--feedback", is_flag=True, help="Write a page for each student, packed as the LMS takes it back.")
@click.option("--published", is_flag=True, help="The pages show what students see once grades are published.")
@click.option("--similar", is_flag=True, help="Write similar.html: pairs that have passages in common, to look at.")
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
    scored_only: bool,
    feedback: bool,
    published: bool,
    similar: bool,
    level: Level | None,
    assignment: Assignment,
) -> None:
    """Grade a class, from zips or folders of any learning management system, into tables and results.

    A call that was interrupted, or that finds new submissions, grades what is missing and keeps the rest.
    Prints what changed against the old grades, if there are any.

    Example: autograder regrade assignment_8046601_export.zip --out regraded
    """
    from ..regrade.records.ledger import Ledger

    check_root(assignment, sources)
    if published and not feedback:
        raise click.UsageError("--published says what the pages of --feedback show; name both")
    if similar:
        from ..regrade.similar.page import check_installed

        check_installed()
    book = _gradebook(gradebook, column)
    with ExitStack() as stack:
        ledger = stack.enter_context(Ledger(out))
        graders = stack.enter_context(_graders(assignment, scheduler, jobs=jobs, level=level, scored_only=scored_only))
        # Here, and not above: the graders start meanwhile.
        from ..regrade.coordinator import Coordinator, chosen
        from ..regrade.finish import show_end, show_feedback, show_similar, show_tables
        from ..regrade.progress import said_if_slow
        from ..regrade.records.class_report import load_class
        from ..regrade.records.earlier import check_earlier
        from ..regrade.records.tables import write_ignored
        from ..regrade.report.in_words import students_in_words
        from ..regrade.sources.kinds import SourceKind
        from ..regrade.sources.recognition import recognise_class

        insisted = SourceKind(kind) if kind else None
        with said_if_slow("reading who handed in what"):
            recognised = recognise_class(sources, assignment, name_regex=name_regex, kind=insisted, attempt=attempt)
        placed = _placed(recognised, roster)
        if sentence := check_earlier(out, assignment.name, {each.found.id for each in placed}):
            click.echo(sentence, err=True)
        members = _members(placed, compare)
        ids = chosen(members, only)
        outcome = Coordinator(placed, members, graders, ledger).grade(ids)
        report = load_class(out)
        warn_if_weak(report.run.isolation, level)
        write_ignored(out, recognised.ignored)
        show_tables(out, report, book)
        for line in students_in_words(report, ids):
            click.echo(line)
        is_complete = not feedback or show_feedback(out, report, placed, published=published)
        is_complete &= not similar or show_similar(out, report, placed, assignment)
    is_complete = show_end(out, report, outcome) and is_complete
    raise SystemExit(outcome.exit_status or (0 if is_complete else AutograderError.exit_status))


def _gradebook(file: Path | None, column: str) -> Gradebook | None:
    from ..regrade.records.gradebook import Gradebook

    return Gradebook(file, column) if file else None


def _placed(recognised: ClassRoster, roster: Path | None) -> tuple[Located, ...]:
    """Return the class, with the names of the roster; say what the sources are."""
    from ..regrade.sources.roster import with_roster

    for remark in recognised.remarks:
        click.echo(remark, err=True)
    if roster is None:
        return recognised.placed
    named = with_roster((each.found for each in recognised.placed), roster)
    return tuple(replace(each, found=found) for each, found in zip(recognised.placed, named, strict=True))


def _members(placed: Sequence[Located], compare: Path | None) -> tuple[ClassEntry, ...]:
    """Return what is known of everybody, with the old results of `compare`."""
    from ..regrade.records.comparison import with_old

    members = tuple(each.found.member for each in placed)
    return with_old(members, compare) if compare else members


def _graders(
    assignment: Assignment, scheduler: str | None, *, jobs: int | None, level: Level | None, scored_only: bool
) -> Graders:
    """Return this machine's lanes, or the cluster at `scheduler`."""
    if scheduler:
        from ..regrade.lanes.cluster import Cluster

        return Cluster(assignment, scheduler, level=level, scored_only=scored_only)
    from ..regrade.lanes.pool import Lanes, usable_cores

    return Lanes(assignment, jobs=jobs or len(usable_cores()), level=level, scored_only=scored_only)
