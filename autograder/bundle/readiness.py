"""Checks that an assignment may leave the repository: what would not grade is not built."""

from __future__ import annotations

import msgspec

from ..assignment import Assignment
from ..errors import AssignmentError
from ..handout.starter import stale
from ..model import GradedTest, Visibility
from ..text import indented, listed
from ..verify.gaps import problems
from ..verify.proving import checked, proved
from ..verify.trials import Kind
from .lock import absent_packages

_FEW = 4  # engines that one process grades sooner than two processes start
_SHOWN = 20  # problems: whoever has more of them starts with these


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
        """Return the points that students do not see at once, by the visibility of their tests."""
        later: dict[Visibility, float] = {}
        for test in self.tests:
            if test.scored and test.visibility is not Visibility.VISIBLE:
                later[test.visibility] = later.get(test.visibility, 0.0) + test.points
        return later


def check(assignment: Assignment, *, jobs: int = 1) -> Readiness:
    """Return what is known of an assignment that is ready; raise AssignmentError that lists what is wrong with it.

    The starter is what the solution makes of it, the suites are what their manifests say, the solution and every
    correct engine of the bank earn everything, the starter nothing, and each mistake loses its tests. What was proved
    before and has not changed since is not tried again.
    """
    differences = stale(assignment.solution_path, assignment.starter_path)
    if differences:
        files = listed([f"{assignment.starter}/{difference.path.as_posix()}" for difference in differences])
        raise AssignmentError(f"{assignment.starter}/ is stale ({files}): run `autograder starter`, then build again")
    if absent := absent_packages(assignment):
        raise AssignmentError(f"the image could not grade; nothing was built:{indented(absent, _SHOWN)}")
    tests, cases = checked(assignment)
    done = proved(assignment, cases, jobs=jobs if len(cases) > _FEW else 1)
    found = problems(assignment, done, whole=True)
    if found:
        raise AssignmentError(
            "the suites do not grade as they should; nothing was built:"
            f"{indented(found, _SHOWN)}\nSee `autograder verify`."
        )
    kinds = [trial.case.kind for trial in done]
    return Readiness(tests, kinds.count(Kind.CORRECT), kinds.count(Kind.MISTAKE))
