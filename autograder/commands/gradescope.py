"""`autograder gradescope`: what `run_autograder` calls for each submission on Gradescope."""

from __future__ import annotations

from pathlib import Path

import click

from ..assignment import load_assignment
from ..grading import grade
from ..results.gradescope import withdraw_results, write_results
from ..results.metadata import points_warning
from ..results.terminal import staff_report


@click.command("gradescope")
@click.option(
    "--root",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=Path("/autograder"),
    show_default=True,
    help="The directory that Gradescope lays out: source/ with the assignment, submission/, results/.",
)
def command(*, root: Path) -> None:
    """Grade the submission that Gradescope laid out and write results/results.json.

    Below the level of isolation that the assignment requires nothing is graded: exit status 3 and no
    results.json, which Gradescope shows as a failure of the autograder and not as a zero.

    Example: autograder gradescope --root /autograder
    """
    assignment = load_assignment(root / "source")
    results = root / "results" / "results.json"
    results.parent.mkdir(exist_ok=True)
    withdraw_results(results)  # of an earlier run: a failure now must not leave it standing
    try:
        for report in grade(assignment, root / "submission", at_least=assignment.required_level, provisional=results):
            write_results(results, report, assignment)
    except BaseException:
        withdraw_results(results)  # whatever it is: the zeros that stand there until a test has run are not a judgement
        raise
    click.echo(staff_report(report, colour=False))
    if warning := points_warning(root / "submission_metadata.json", report.score.possible):
        click.echo(warning)
