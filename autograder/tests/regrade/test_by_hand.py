"""Points that people gave stay theirs, and no row of a gradebook is taken by a name that a student chose."""

import csv

import pytest

from autograder.errors import AssignmentError
from autograder.regrade.records.class_report import ClassEntry, OldResult, Submitter
from autograder.regrade.records.comparison import by_hand, changes, listing, with_old, write_comparison
from autograder.regrade.records.gradebook import Gradebook
from autograder.regrade.records.tables import write_tables

from ..support.table_rows import ADA, record, report
from .test_old_grades import DOWNLOAD
from .test_rosters import named

FULL = (2.0, 2.0, 4.0)
EXPORT = """submission_{n}:
  :submitters:
  - :name: Ada
  :score: {total}
  :results:
    score: {given}
    tests:
    - name: double
      score: 4.0
"""
UNGRADED = """submission_{n}:
  :submitters:
  - :name: Cy
  :score: 42.5
  :status: unprocessed
"""


def exported(recognised, *entries):
    files = {"submission_metadata.yml": "".join(entries)}
    files |= {f"submission_{n}/doubling.py": "x = 1\n" for n in range(1, len(entries) + 1)}
    return [placed.found.old for placed in recognised(files).placed]


def test_an_export_tells_points_by_hand_from_test_points(recognised):
    entries = (EXPORT.format(n=n, total=total, given=4.0) for n, total in ((1, 9.0), (2, 1.5), (3, 4.0)))
    assert [(old.score, old.adjustment) for old in exported(recognised, *entries)] == [(4, 5), (4, -2.5), (4, 0)]


def test_a_total_of_which_the_tests_part_is_not_known_is_no_test_score(recognised):
    (old,) = exported(recognised, UNGRADED.format(n=1))
    assert (old.score, old.total) == (None, 42.5)


@pytest.mark.parametrize("old", [OldResult(score=8.0, adjustment=5.0), OldResult(total=13.0)], ids=["apart", "sum"])
def test_points_by_hand_are_no_change(old):
    class_ = report([ClassEntry(id="7", submitters=(ADA,), old=old)], record("7", *FULL))
    assert list(changes(class_)) == []


def test_old_results_of_other_tests_are_counted_and_not_listed_one_by_one():
    old = OldResult(score=5.0, tests={f"gone {n}": 1.0 for n in range(5)})
    lines = listing(changes(report([ClassEntry(id="7", old=old)], record("7", *FULL))))
    assert list(lines) == [
        "7",
        "       5 → 8      total",
        "  8 tests that only the old or only the new results have",
    ]


def rows(file):
    with file.open(encoding="utf-8", newline="") as opened:
        return list(csv.DictReader(opened))


def test_points_by_hand_have_columns_of_their_own(tmp_path):
    members = [
        ClassEntry(id="7", submitters=(ADA,), old=OldResult(score=6.0, adjustment=-2.5)),
        ClassEntry(id="8", old=OldResult(total=42.5)),
    ]
    class_ = report(members, record("7", *FULL), record("8", *FULL))
    write_tables(tmp_path, class_)
    first, second = rows(tmp_path / "grades.csv")
    assert [first[name] for name in ("score", "adjustment", "total")] == ["8", "-2.5", "5.5"]
    assert [second[name] for name in ("score", "adjustment", "total")] == ["8", "", "8"]
    assert "the old total is 42.5" in second["notes"]
    write_comparison(tmp_path, class_)
    assert rows(tmp_path / "compare.csv")[0]["adjustment"] == "-2.5"
    assert "7 -2.5" in by_hand(members)


def test_our_own_table_gives_the_points_by_hand_back(tmp_path):
    members = [ClassEntry(id="7", submitters=(ADA,), old=OldResult(score=6.0, adjustment=-2.5))]
    write_tables(tmp_path, report(members, record("7", *FULL)))
    (member,) = with_old([ClassEntry(id="7")], tmp_path / "grades.csv")
    assert member.old is not None
    assert (member.old.score, member.old.adjustment) == (8.0, -2.5)


def test_gradescopes_table_tells_the_autograders_points_from_the_total(tmp_path):
    (tmp_path / "old.csv").write_text(DOWNLOAD + "A,E,0123,,15.0,20.0,Graded,7,20.0\n", "utf-8")
    (member,) = with_old([ClassEntry(id="7")], tmp_path / "old.csv")
    assert member.old == OldResult(score=20.0, adjustment=-5.0)


def test_two_rows_of_one_person_that_differ_are_refused(tmp_path):
    (tmp_path / "old.csv").write_text("id,score\n7,1\n8,1\n7,2\n", "utf-8")
    with pytest.raises(AssignmentError, match="two rows of the id 7"):
        with_old([ClassEntry(id="7")], tmp_path / "old.csv")


BOOK = """Student,ID,SIS User ID,SIS Login ID,Section,Homework (1)
    Points Possible,,,,,8
"Example, Ada",11,s1,ada@example.edu,S1,7.5
"Example, Bo",12,s2,bo@example.edu,S1,EX
"Example, Cy",13,s3,cy@example.edu,S1,
"Example, Dan",14,s4,dan@example.edu,S1,8
"""


@pytest.fixture
def book(tmp_path):
    (tmp_path / "book.csv").write_text(BOOK, "utf-8")
    return Gradebook(tmp_path / "book.csv")


def of(identity, **person):
    return ClassEntry(id=identity, submitters=(Submitter(**person),))


def cells(tmp_path):
    return {row["ID"]: row["Homework (1)"] for row in rows(tmp_path / "canvas.csv")}


def test_an_excused_student_is_left_alone_and_a_filled_cell_is_said_to_be_replaced(tmp_path, book):
    class_ = report([of(str(n)) for n in (11, 12, 13, 14)], *(record(str(n), *FULL) for n in (11, 12, 13, 14)))
    remarks = book.write(tmp_path, class_)
    assert cells(tmp_path) == {"": "8", "11": "8", "13": "8", "14": "8"}
    assert remarks == (
        "excused in the gradebook, and left alone: Example, Bo",
        "canvas.csv replaces points that the gradebook holds: Example, Ada 7.5 → 8",
    )


def test_what_the_gradebook_holds_is_a_column_of_the_grades(tmp_path, book):
    class_ = report([of("11"), of("12"), of("99")], *(record(n, *FULL) for n in ("11", "12", "99")))
    write_tables(tmp_path, class_, book.cells(class_))
    assert [row["gradebook"] for row in rows(tmp_path / "grades.csv")] == ["7.5", "EX", ""]


def test_points_by_hand_reach_canvas(tmp_path, book):
    member = ClassEntry(id="13", old=OldResult(score=8.0, adjustment=-1.0))
    book.write(tmp_path, report([member], record("13", *FULL)))
    assert cells(tmp_path)["13"] == "7"


@pytest.mark.parametrize("name", ["Ada Example", "  ada   EXAMPLE ", "exampleada", "Ada\u00a0Example"])
def test_a_name_never_takes_the_row_of_somebody_known_by_an_id(tmp_path, book, name):
    ada, mallory = of("11"), of("77", name=name, email="mallory@example.edu")
    remarks = book.write(tmp_path, report([mallory, ada], record("77", 0.0, 0.0, 0.0), record("11", *FULL)))
    assert cells(tmp_path) == {"": "8", "11": "8"}
    assert any("belongs to 11, and others have its name" in remark for remark in remarks)


def test_a_row_that_two_names_claim_is_left_out_with_both_named(tmp_path, book):
    one, other = of("70", name="Ada Example"), of("71", name="ada example")
    remarks = book.write(tmp_path, report([one, other], record("70", *FULL), record("71", 0.0, 0.0, 0.0)))
    assert cells(tmp_path) == {"": "8"}
    assert remarks[0] == (
        "row Example, Ada (11) is left out, for several submissions claim it: "
        "70 by the name Ada Example, 71 by the name ada example"
    )


def test_a_name_alone_decides_only_with_a_remark(tmp_path, book):  # the control: names do match
    remarks = book.write(tmp_path, report([of("70", name="Ada Example")], record("70", *FULL)))
    assert cells(tmp_path) == {"": "8", "11": "8"}
    assert "found by a name alone, which students choose" in remarks[0]


def test_a_person_whose_ids_are_two_peoples_is_left_out_with_both_named(tmp_path, book):
    remarks = book.write(tmp_path, report([of("70", sid="s1", email="BO@example.edu")], record("70", *FULL)))
    assert cells(tmp_path) == {"": "8"}
    assert "row Example, Ada (11) by the SID s1, row Example, Bo (12) by the email BO@example.edu" in remarks[0]


ROSTER = "identifier,github_username,github_id,name\n0123,ada,1,Ada\n0124,0123,2,Mallory\n"


def test_an_account_that_is_called_like_anothers_number_is_refused_with_both_named(tmp_path):
    with pytest.raises(AssignmentError, match="0123 is two people's: identifier of Ada, github_username of Mallory"):
        named(tmp_path, ROSTER, "0123")


def test_an_account_of_its_own_is_not_refused(tmp_path):  # the control
    assert named(tmp_path, ROSTER, "ada")["ada"].submitters[0].name == "Ada"


def test_an_email_that_two_rows_have_is_refused(tmp_path):
    with pytest.raises(AssignmentError, match="several rows of the email"):
        named(tmp_path, "email,name\na@b,One\nA@B,Two\n", "a@b")
