"""Whether an assignment may leave the repository: what would not grade is not built."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from ..assignment import Assignment
from ..errors import AssignmentError
from ..handout.starter import stale
from ..model import GradedTest, Visibility, total
from ..regrade.progress import progress
from ..text import indented
from ..verify.bank import load_bank
from ..verify.trials import Kind, Trial, cases_of, gaps, trials, undetecting_tests

_FEW = 4  # engines that one process grades sooner than two processes start
_SHOWN = 20  # problems: whoever has more of them repairs the first ones first


class Readiness(msgspec.Struct, frozen=True):
    """What the checks found: the tests as declared, and how many engines proved them."""

    tests: tuple[GradedTest, ...]
    correct: int
    mistakes: int

    @property
    def points(self) -> float:
        """Return the total over all scored tests."""
        return sum(test.points for test in self.tests if test.scored)

    @property
    def muted(self) -> dict[Visibility, float]:
        """Return the points that students cannot see at once, by when they can."""
        later: dict[Visibility, float] = {}
        for test in self.tests:
            if test.scored and test.visibility is not Visibility.VISIBLE:
                later[test.visibility] = later.get(test.visibility, 0.0) + test.points
        return later


def check(assignment: Assignment, *, jobs: int = 1) -> Readiness:
    """Return what is known of an assignment that is ready; raise AssignmentError that lists what is not.

    The starter is what the solution makes of it, the suites are what their manifests say, the solution and every
    correct engine of the bank earn everything, the starter nothing, and each mistake loses its tests.
    """
    differences = stale(assignment.solution_path, assignment.starter_path)
    if differences:
        raise AssignmentError(f"{assignment.starter}/ is stale: run `autograder starter`, then build again")
    cases = cases_of(assignment, load_bank(assignment))
    done: list[Trial] = []
    with progress(len(cases)) as shown:
        shown.begin(0)
        for trial in trials(assignment, cases, jobs=jobs if len(cases) > _FEW else 1):
            done.append(trial)
            shown.advance()
    problems = [*_problems(done, assignment)]
    if problems:
        raise AssignmentError(
            "the suites do not grade as they should; nothing was built:"
            f"{indented(problems, _SHOWN)}\nSee `autograder verify`."
        )
    kinds = [trial.case.kind for trial in done]
    tests = tuple(outcome.test for outcome in done[0].report.outcomes)
    return Readiness(tests, kinds.count(Kind.CORRECT), kinds.count(Kind.MISTAKE))


def _problems(done: Sequence[Trial], assignment: Assignment) -> Iterator[str]:
    for trial in done:
        yield from (f"{trial.case.name} {gap}" for gap in gaps(trial))
    if assignment.mistakes:
        yield from (f"{test}: no mistake of the bank fails it" for test in undetecting_tests(done))
    possible = total(done[0].report.outcomes).possible
    declared = sum(suite.points for suite in assignment.suites)
    if possible != declared:
        yield f"the tests are worth {possible:g} points, the configuration says {declared:g}"
