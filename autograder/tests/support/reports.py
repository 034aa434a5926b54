"""Reports to write and to read in tests: a small assignment, and outcomes of every kind."""

from autograder.assignment import Assignment, Suite
from autograder.interface import RemoteInterface
from autograder.model import (
    GradedTest,
    GradeReport,
    Isolation,
    LayerVerdict,
    Level,
    Status,
    TestOutcome,
    Verdict,
    Visibility,
)

OPEN = Suite(name="public", path="tests_public", points=40)
SECRET = Suite(name="hidden", path="tests_hidden", points=60, visibility=Visibility.AFTER_PUBLISHED, secret=True)


def assignment(**changes) -> Assignment:
    return Assignment(
        name="homework",
        suites=(OPEN, SECRET),
        modules={"engine": RemoteInterface(file="engine.py")},
        imports=("math",),
        **changes,
    )


def declared(name="reuse", suite=OPEN, **changes) -> GradedTest:
    return GradedTest(
        **{
            "id": f"{suite.name}/test_it.py::test_{name}",
            "suite": suite.name,
            "title": f"a title of {name}",
            "points": 2.0,
            "visibility": suite.visibility,
            **changes,
        }
    )


def outcome(status=Status.PASSED, test=None, **changes) -> TestOutcome:
    return TestOutcome(test=test or declared(), status=status, **changes)


def report(*outcomes, **changes) -> GradeReport:
    return GradeReport(
        **{
            "assignment": "homework",
            "outcomes": outcomes or (outcome(),),
            "isolation": Isolation(
                level=Level.STRONG,
                required=Level.STRONG,
                layers=(LayerVerdict(layer="files", verdict=Verdict.VERIFIED, mechanism="chroot"),),
            ),
            "suites_digest": "d1935",
            "version": "1.2.3",
            **changes,
        }
    )
