"""Failures and diagnoses, and what a student is shown of them."""

from autograder.failure import Failure, FailureKind, StudentFrame
from autograder.model import Diagnosis
from autograder.results.feedback import student_text

from .reports import OPEN, assignment

LINE = StudentFrame(file="engine.py", line=34, function="__mul__", text="out.grad = 1")
ASSERTION = Failure(
    kind=FailureKind.ASSERTION,
    statement="assert x.grad == approx(7.0)",
    message="assert 3.0 == 7.0",
    expected="7.0",
    got="3.0",
)
RAISED = Failure(
    exception="TypeError",
    explanation="The code raised a TypeError.",
    message="TypeError: no number",
    statement="y = x * x",
    frames=(LINE,),
)


def shown(result, suite=OPEN, **policy) -> str:
    return student_text(result, suite, assignment(**policy))


OVERWRITES = Diagnosis(
    code="overwrites", sentence="The rule of `*` overwrites.", subject="*", section="pitfall-gradients-add-up"
)
