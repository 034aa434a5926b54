"""What changed against old grades, ours or those of Gradescope."""

import pytest

from autograder.errors import AssignmentError
from autograder.regrade.records.class_report import (
    ClassEntry,
    OldResult,
    Record,
)
from autograder.regrade.records.comparison import changes, listing, with_old, write_comparison
from autograder.regrade.records.csv_file import read_table
from autograder.regrade.records.tables import write_tables

from ..support.table_rows import ADA, KEY, TESTS, record, report


def test_only_changes_are_listed_the_total_first():
    old = OldResult(score=6.0, tests={TESTS[0].id: 2.0, TESTS[1].title: 0.0, TESTS[2].id: 4.0})
    class_ = report([ClassEntry(id="7", submitters=(ADA,), old=old)], record("7", 2.0, 2.0, 4.0))
    assert [(each.test, each.old, each.new) for each in changes(class_)] == [
        ("total", 6.0, 8.0),
        (TESTS[1].id, 0.0, 2.0),
    ]


def test_a_test_that_is_gone_or_new_is_a_change():
    old = OldResult(score=8.0, tests={"gone": 8.0})
    class_ = report([ClassEntry(id="7", old=old)], record("7", 2.0, 2.0, 4.0))
    assert [(each.test, each.old, each.new) for each in changes(class_)] == [
        *((test.id, None, test.points) for test in TESTS),
        ("gone", 8.0, None),
    ]


def test_without_a_change_the_listing_says_so(tmp_path):
    assert list(listing(())) == ["no points changed"]
    write_comparison(tmp_path, report([]))
    assert read_table(tmp_path / "compare.csv") == []


def test_who_was_not_graded_has_not_changed():
    class_ = report([ClassEntry(id="7", old=OldResult(score=1.0))], Record(id="7", key=KEY, problem="why"))
    assert list(changes(class_)) == []


DOWNLOAD = "First Name,Last Name,SID,Email,Total Score,Max Points,Status,Submission ID,1: Autograder (20.0 pts)\n"


@pytest.mark.parametrize(
    "row",
    [
        "A,E,,,5.0,20.0,Graded,7,5.0\n",
        "A,E,0123,,5.0,20.0,Graded,,5.0\n",
        "A,E,,ADA@example.edu,5.0,20.0,Graded,,5.0\n",
    ],
    ids=["id", "SID", "email"],
)
def test_old_grades_of_gradescope_are_joined_by_id_sid_or_email(tmp_path, row):
    (tmp_path / "old.csv").write_text(DOWNLOAD + row, "utf-8")
    (member,) = with_old([ClassEntry(id="7", submitters=(ADA,))], tmp_path / "old.csv")
    assert member.old == OldResult(score=5.0)


def test_a_missing_old_score_is_none_and_no_zero(tmp_path):
    (tmp_path / "old.csv").write_text(DOWNLOAD + "A,E,0123,,,20.0,Missing,,\n", "utf-8")
    (member,) = with_old([ClassEntry(id="7", submitters=(ADA,))], tmp_path / "old.csv")
    assert member.old is not None
    assert member.old.score is None


def test_our_own_table_can_be_compared_with(tmp_path):
    members = [ClassEntry(id="7", submitters=(ADA,))]
    write_tables(tmp_path, report(members, record("7", 2.0, 0.0, 4.0)))
    (member,) = with_old(members, tmp_path / "grades.csv")
    assert member.old == OldResult(score=6.0, tests={TESTS[0].id: 2.0, TESTS[1].id: 0.0, TESTS[2].id: 4.0})


def test_a_table_without_totals_is_refused(tmp_path):
    (tmp_path / "old.csv").write_text("id,name\n7,x\n", "utf-8")
    with pytest.raises(AssignmentError, match="no column of totals"):
        with_old([], tmp_path / "old.csv")
