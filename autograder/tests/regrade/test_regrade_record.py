"""What counts as the same source: a group to look at, whatever was done to comments and layout."""

import pytest

from autograder.failure import Failure, StudentFrame
from autograder.model import BlamedLine, Diagnosis, Status
from autograder.regrade.records.record import record_of, source_digest
from autograder.submission.submission import Submission

from ..support.reports import assignment, outcome, report

TEXT = """\
'''Doc.'''
import math


class Value:
    '''A number.'''

    def f(self):
        # why
        return 1
"""


@pytest.fixture
def digest_of(tmp_path):
    """A digest of a text as the submission's engine.py."""
    submission = Submission(directory=tmp_path, files=("engine.py",), notes=(), flags=(), digest="")

    def digest(text):
        (tmp_path / "engine.py").write_text(text, "utf-8")
        return source_digest(submission, assignment())

    return digest


@pytest.mark.parametrize(
    "same",
    [
        TEXT.replace("        # why\n", ""),
        TEXT.replace("return 1", "return 1  # one"),
        TEXT.replace("    ", "  "),
        TEXT.replace("def f(self)", "def f( self )"),
        TEXT.replace("\n\n\n", "\n"),
    ],
)
def test_comments_and_layout_make_no_difference(digest_of, same):
    assert digest_of(same) == digest_of(TEXT)


@pytest.mark.parametrize(
    "other",
    [
        TEXT.replace("return 1", "return 2"),
        TEXT.replace("def f", "def g"),
        TEXT.replace("return 1", 'return "why"'),
        TEXT.replace("        return 1", "        x = 1\n        return x"),
    ],
)
def test_other_code_makes_a_difference(digest_of, other):
    assert digest_of(other) != digest_of(TEXT)


@pytest.mark.parametrize(
    "text", ["x = (", "'''", "\tif\n  y", "(" * 100_000, "\x00", "x = 1\n  y = 2\n z", "'" + "\\'" * 300_000]
)
def test_what_is_no_program_has_a_digest_too(digest_of, text):
    assert digest_of(text) == digest_of(text)


FRAMES = (StudentFrame(file="engine.py", line=2, function="outer", text="outer()"),)
RAISED = Failure(frames=(*FRAMES, StudentFrame(file="engine.py", line=9, function="inner", text="  return a.b  # x")))
BLAMED = BlamedLine(file="engine.py", line=4, said="put 3 where 4 was", text="    self.grad = g")


@pytest.mark.parametrize(
    ("failure", "line", "kept"),
    [
        (RAISED, BLAMED, "self.grad = g"),
        (RAISED, None, "return a.b  # x"),
        (Failure(), None, ""),
        (None, None, ""),
    ],
)
def test_a_mistake_is_kept_with_the_line_to_blame_or_the_one_that_raised(failure, line, kept):
    diagnosis = Diagnosis(code="overwrites-gradient", sentence="It.", line=line)
    graded = report(outcome(Status.FAILED, failure=failure, diagnosis=diagnosis))
    (result,) = record_of("x", "", graded, None, assignment()).results
    assert (result.line, result.diagnosis) == (kept, "overwrites-gradient")


def test_without_a_mistake_by_name_no_line_is_kept():
    (result,) = record_of("x", "", report(outcome(Status.FAILED, failure=RAISED)), None, assignment()).results
    assert result.line == ""
