"""A row names tests by whole cases or one, and says which of two files it means."""

import pytest

from autograder.errors import AssignmentError
from autograder.verify.bank import select

IDS = (
    "public/test_a.py::test_x[1]",
    "public/test_a.py::test_x[2]",
    "public/test_a.py::test_y",
    "hidden/test_b.py::test_y",
)


@pytest.mark.parametrize(
    ("pattern", "chosen"),
    [
        ("*", IDS),
        ("test_x", IDS[:2]),
        ("test_x[2]", IDS[1:2]),
        ("public/test_a.py::test_x", IDS[:2]),
        ("hidden/test_b.py::test_y", IDS[3:]),
    ],
)
def test_a_row_names_tests_by_whole_cases_or_one(pattern, chosen):
    assert select([pattern], IDS) == frozenset(chosen)


def test_a_name_that_two_files_have_must_say_which():
    with pytest.raises(AssignmentError, match=r"hidden/test_b\.py and public/test_a\.py"):
        select(["test_y"], IDS)
