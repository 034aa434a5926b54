"""Canvas's gradebook gets a row for whom it knows, and whoever is not in it is named."""

import pytest

from autograder.errors import AssignmentError
from autograder.regrade.records.class_report import (
    ClassEntry,
    Record,
    Submitter,
)
from autograder.regrade.records.gradebook import Gradebook

from ..support.table_rows import KEY, record, report

BOOK = """\ufeffStudent,ID,SIS User ID,SIS Login ID,Section,Quiz (11),Homework 3 (12345),Final Score
,,,,,Manual Posting,,
    Points Possible,,,,,5,8,(read only)
"Example, Ada",340934,0123,ada@example.edu,S1,3,N/A,
"Bob, Smith",340935,,smith,S1,,,
"Student, Test",340936,,test,S1,,,
"""


@pytest.fixture
def book(tmp_path):
    (tmp_path / "book.csv").write_text(BOOK, "utf-8")
    return tmp_path / "book.csv"


@pytest.mark.parametrize(
    "member",
    [
        ClassEntry(id="340934"),
        ClassEntry(id="7", submitters=(Submitter(sid="0123"),)),
        ClassEntry(id="7", submitters=(Submitter(email="ADA@example.edu"),)),
        ClassEntry(id="7", submitters=(Submitter(name="Ada Example"),)),
        ClassEntry(id="7", submitters=(Submitter(name="exampleada"),)),
    ],
    ids=["Canvas's id", "SIS id", "login", "name", "name of a file"],
)
def test_canvas_gets_a_row_for_whom_it_knows(tmp_path, book, member):
    Gradebook(book, "Homework 3").write(tmp_path, report([member], record(member.id, 2.0, 0.0, 4.0)))
    assert (tmp_path / "canvas.csv").read_text("utf-8").splitlines() == [
        "Student,ID,SIS User ID,SIS Login ID,Section,Homework 3 (12345)",
        "    Points Possible,,,,,8",
        '"Example, Ada",340934,0123,ada@example.edu,S1,6',
    ]


def test_who_was_not_graded_has_no_row_for_canvas(tmp_path, book):
    class_ = report([ClassEntry(id="340934")], Record(id="340934", key=KEY, problem="why"))
    Gradebook(book, "Homework 3").write(tmp_path, class_)
    assert "Ada" not in (tmp_path / "canvas.csv").read_text("utf-8")


def test_who_is_not_in_the_gradebook_is_named(tmp_path, book):
    class_ = report([ClassEntry(id="1")], record("1", 2.0, 0.0, 4.0))
    assert Gradebook(book, "Homework 3").write(tmp_path, class_) == ("not in the gradebook: 1",)


@pytest.mark.parametrize("column", ["", "Homework 4"])
def test_the_column_must_be_one_and_the_choices_are_listed(book, column):
    with pytest.raises(AssignmentError, match=r"--column: Quiz \(11\), Homework 3 \(12345\)"):
        Gradebook(book, column)


def test_a_table_without_ids_is_no_gradebook(tmp_path):
    (tmp_path / "book.csv").write_text("a,b\n1,2\n", "utf-8")
    with pytest.raises(AssignmentError, match="not a Canvas gradebook"):
        Gradebook(tmp_path / "book.csv")
