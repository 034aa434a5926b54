"""What a regrade says at its end: how the class did, and what one call did."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from ...text import counted, listed, one_line
from ..coordinator import Outcome
from ..records.class_report import ClassReport
from ..records.tables import adjustment_of, people, status
from .rates import rates_of
from .scores import scores_of

_TESTS = 12  # of one student that are named; the others are counted


def class_in_words(report: ClassReport) -> Iterator[str]:
    """Yield how the class did, in two lines: its scores, and the test that fewest pass."""
    scores = scores_of(report)
    if scores is None:
        return
    yield (
        f"scores out of {scores.possible:g}: median {scores.median:g}, mean {scores.mean:.1f}, "
        f"{scores.full} with every point, {scores.none} with none"
    )
    hardest = next((rate for rate in rates_of(report) if rate.test.scored), None)
    if hardest and hardest.passed == hardest.tried:
        yield "everybody whose work could run passes every test"
    elif hardest:
        yield f"the hardest test, passed by {hardest.passed} of {hardest.tried}: {one_line(hardest.test.title)}"


def students_in_words(report: ClassReport, ids: Collection[str]) -> Iterator[str]:
    """Yield the score of each of `ids`, and below it the tests with points that did not pass."""
    tests = {test.id: test for test in report.run.tests if test.scored}
    for member in (each for each in report.members if each.id in ids):
        record = report.records.get(member.id)
        names = ", ".join(one_line(person.name, 80) for person in people(member) if person.name)
        score = f": {record.score}" if record and record.score else ""
        by_hand = f", and {adjustment_of(member):+g} by hand" if adjustment_of(member) else ""
        said = "" if score and record and record.imported else f" ({status(record)})"
        yield f"{member.id}{f' {names}' if names else ''}{score}{by_hand}{said}"
        if record is None or record.problem or not record.imported:
            yield from [f"  {one_line(record.problem or record.import_problem, 400)}"] if record else []
            continue
        lost = [result for result in record.results if result.id in tests and result.score < tests[result.id].points]
        for result in lost[:_TESTS]:
            yield f"  {result.status.value.replace('_', ' '):9} {one_line(tests[result.id].title)} ({result.id})"
        if len(lost) > _TESTS:
            yield f"  and {len(lost) - _TESTS} more"


def outcome_in_words(outcome: Outcome) -> str:
    """Return what one call did, in a sentence; whoever could not be graded is named."""
    parts = [f"{counted(outcome.graded, 'submission')} graded"]
    parts += [f"{outcome.kept} kept from before"] if outcome.kept else []
    parts += [f"{len(outcome.failed)} could not be graded: {listed(list(outcome.failed))}"] if outcome.failed else []
    earlier = "could not be graded in an earlier call: the command without --only tries again"
    parts += [f"{outcome.failed_before} {earlier}"] if outcome.failed_before else []
    parts += [f"{outcome.waiting} not graded yet: the same command goes on"] if outcome.waiting else []
    return ", ".join(parts)
