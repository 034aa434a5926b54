"""What a mistake or a correct engine is told, and when that is a gap of the proof."""

from msgspec.structs import replace
from msgspec.structs import replace as with_changes

from autograder.model import Diagnosis, GradedTest, GradeReport, Isolation, Level, Status, TestOutcome, Visibility
from autograder.verify.bank import Mistake
from autograder.verify.gaps import gaps, undetecting_tests
from autograder.verify.trials import Case, Kind, Trial

ROW = Mistake(name="overwrites", says="…", edits=(), loses=("test_x",), diagnosis="overwrites-gradient", subject="tanh")


def trial(
    status: Status,
    *diagnoses: tuple[str, str],
    kind: Kind = Kind.MISTAKE,
    row: Mistake | None = ROW,
    exact: bool = True,
) -> Trial:
    """Return a trial of one test, told of each diagnosis in a test of its own that earns no points."""
    test = GradedTest(
        id="public/test_a.py::test_x", suite="public", title="x", points=1, visibility=Visibility.VISIBLE, seeded=True
    )
    told = [Diagnosis(code=code, sentence="…", subject=subject) for code, subject in diagnoses]
    outcomes = [TestOutcome(test=replace(test, scored=False, points=0), status=status, diagnosis=each) for each in told]
    report = GradeReport(
        assignment="a",
        outcomes=(TestOutcome(test=test, status=status), *outcomes),
        isolation=Isolation(level=Level.PROCESS, required=Level.PROCESS),
        suites_digest="",
        version="",
    )
    return Trial(Case("overwrites", kind, mistake=row, exact=exact), report)


def said(of):
    """Return the sentences of a trial's gaps."""
    return [gap.says for gap in gaps(of)]


def test_a_mistake_that_is_named_is_no_gap():
    assert said(trial(Status.FAILED, ("overwrites-gradient", "tanh"))) == []


def test_a_diagnosis_that_says_less_beside_the_whole_one_is_no_gap():
    assert said(trial(Status.FAILED, ("overwrites-gradient", "tanh"), ("overwrites-gradient", ""))) == []


def test_under_another_seed_a_seeded_test_that_shows_nothing_is_a_gap():
    found = said(trial(Status.PASSED, ("overwrites-gradient", "tanh"), exact=False))
    assert found == ["should lose some of public/test_a.py::test_x"]


def test_under_another_seed_a_seeded_test_may_be_lost_that_no_row_names():
    row = with_changes(ROW, keeps=("test_x",))
    assert "should keep public/test_a.py::test_x" in said(trial(Status.FAILED, row=row))
    assert "should keep public/test_a.py::test_x" not in said(trial(Status.FAILED, row=row, exact=False))


def test_a_mistake_that_is_not_named_is_a_gap():
    assert said(trial(Status.FAILED)) == ["is not diagnosed as overwrites-gradient tanh"]


def test_a_mistake_that_is_called_another_is_a_gap():
    found = said(trial(Status.FAILED, ("overwrites-gradient", "tanh"), ("wrong-sign", "tanh")))
    assert found == ["is diagnosed as wrong-sign tanh, which it is not"]


def test_a_mistake_of_another_operator_is_a_gap():
    assert "is diagnosed as overwrites-gradient exp, which it is not" in said(
        trial(Status.FAILED, ("overwrites-gradient", "exp"))
    )


def test_a_correct_engine_that_is_told_of_a_mistake_is_a_gap():
    found = said(trial(Status.PASSED, ("overwrites-gradient", "tanh"), kind=Kind.CORRECT, row=None))
    assert found == ["is correct and is diagnosed as overwrites-gradient tanh"]


def test_a_test_that_only_a_worthless_engine_fails_is_unneeded():
    assert undetecting_tests([trial(Status.FAILED)]) == ["public/test_a.py::test_x"]
