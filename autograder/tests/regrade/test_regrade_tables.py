"""The tables of a class: stable, harmless in a spreadsheet, and never a zero for what was not judged."""

import csv

import pytest

from autograder.errors import AssignmentError
from autograder.model import Flag, Isolation, Level, Note, Score, Status
from autograder.regrade.records.class_report import (
    ClassEntry,
    ClassReport,
    Key,
    OldResult,
    Record,
    Run,
    Submitter,
    TestResult,
)
from autograder.regrade.records.comparison import changes, listing, with_old, write_comparison
from autograder.regrade.records.csv_file import cell, plain, read_table
from autograder.regrade.records.gradebook import Gradebook
from autograder.regrade.records.tables import write_tables
from autograder.regrade.sources.found import FoundSubmission
from autograder.regrade.sources.roster import with_roster

from ..support.reports import SECRET, declared

KEY = Key(submission="f11e5", suites="d1935", version="1.2.3", level="strong")
TESTS = (
    declared("sum", task="1.1"),
    declared("reuse", task="1.10"),
    declared("corner", SECRET, task="1.2", points=4.0),
)
RUN = Run(
    assignment="homework",
    version="1.2.3",
    python="3.11.7",
    packages={},
    suites="d1935",
    isolation=Isolation(level=Level.STRONG, required=Level.STRONG),
    tests=TESTS,
)
ADA = Submitter(name="Ada Example", sid="0123", email="ada@example.edu")


def record(identity, *points, **changes):
    results = tuple(
        TestResult(id=test.id, status=Status.PASSED if earned else Status.FAILED, score=earned)
        for test, earned in zip(TESTS, points, strict=True)
    )
    score = Score(earned=sum(points), possible=8.0)
    return Record(**{"id": identity, "key": KEY, "score": score, "results": results, **changes})


def report(members, *records):
    return ClassReport(run=RUN, members=tuple(members), records={each.id: each for each in records})


def written(tmp_path, class_, name="grades.csv"):
    write_tables(tmp_path, class_)
    with (tmp_path / name).open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def test_the_columns_stay_in_their_order(tmp_path):
    header = written(tmp_path, report([]))[0]
    assert header[:5] == ["id", "name", "sid", "email", "score"]
    assert header[5:8] == ["task 1.1", "task 1.2", "task 1.10"]
    assert header[8:11] == [test.id for test in TESTS]
    assert header[11:] == ["status", "notes"]


def test_a_row_holds_the_points_of_each_task_and_test(tmp_path):
    class_ = report([ClassEntry(id="7", submitters=(ADA,))], record("7", 2.0, 0.0, 1.25))
    assert written(tmp_path, class_)[1] == [
        *("7", "Ada Example", "0123", "ada@example.edu", "3.25", "2", "1.25", "0", "2", "0", "1.25", "graded", "")
    ]


def test_each_submitter_of_a_group_has_a_row(tmp_path):
    class_ = report([ClassEntry(id="7", submitters=(ADA, Submitter(name="B")))], record("7", 2.0, 2.0, 4.0))
    assert [(row[0], row[1], row[4]) for row in written(tmp_path, class_)[1:]] == [
        ("7", "Ada Example", "8"),
        ("7", "B", "8"),
    ]


@pytest.mark.parametrize(
    "records", [[], [Record(id="7", key=KEY, problem="the zygote ended")]], ids=["waiting", "failed"]
)
@pytest.mark.parametrize("table", ["grades.csv", "failures.csv"])
def test_what_was_not_judged_has_a_blank_score(tmp_path, records, table):
    row = written(tmp_path, report([ClassEntry(id="7")], *records), table)[1]
    assert row[4] == ""
    assert "0" not in row


def test_failures_say_why(tmp_path):
    class_ = report([ClassEntry(id="7")], Record(id="7", key=KEY, problem="the zygote ended"))
    assert written(tmp_path, class_, "failures.csv")[1][-1] == "the zygote ended"


def test_what_was_graded_is_no_failure(tmp_path):
    class_ = report([ClassEntry(id="7")], record("7", 0.0, 0.0, 0.0, imported=False, import_problem="SyntaxError"))
    assert len(written(tmp_path, class_, "failures.csv")) == 1


def test_notes_gather_what_a_ta_should_know(tmp_path):
    noted = record(
        "7", 2.0, 2.0, 4.0, notes=(Note(title="E.py was taken", text=""),), flags=(Flag(title="odd", text=""),)
    )
    assert written(tmp_path, report([ClassEntry(id="7", remarks=("late",))], noted))[1][-1] == (
        "late; E.py was taken; flag: odd"
    )


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "＝1"])
def test_a_formula_is_harmless_and_can_be_read_back(text):
    assert cell(text).startswith("'") or cell(text).startswith(" ") or cell(text).startswith("\\")
    assert not cell(text).startswith(("=", "+", "-", "@"))


def test_an_escaped_cell_is_read_as_it_was():
    assert plain(cell("=1+1")) == "=1+1"


def test_a_name_with_a_line_break_stays_on_its_line(tmp_path):
    class_ = report([ClassEntry(id="7", submitters=(Submitter(name="a\nb"),))], record("7", 2.0, 2.0, 4.0))
    write_tables(tmp_path, class_)
    assert len((tmp_path / "grades.csv").read_text("utf-8").splitlines()) == 2


@pytest.mark.parametrize(
    "data",
    [b"\xef\xbb\xbfa;b\n1;\xc3\xa9\n", "a\tb\n1\té\n".encode("utf-16"), b'a,b\r\n1,"\xc3\xa9"\r\n', b"a,b\n1,\xe9\n"],
    ids=["BOM and semicolons", "UTF-16 and tabs", "CRLF", "Latin-1"],
)
def test_a_table_is_read_as_any_spreadsheet_saves_it(tmp_path, data):
    (tmp_path / "t.csv").write_bytes(data)
    assert read_table(tmp_path / "t.csv") == [{"a": "1", "b": "é"}]


# --- old and new


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


# --- Canvas's gradebook

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


# --- rosters


def named(tmp_path, text, *ids):
    (tmp_path / "roster.csv").write_text(text, "utf-8")
    return {
        each.id: each
        for each in with_roster([FoundSubmission(id=id_, parts=()) for id_ in ids], tmp_path / "roster.csv")
    }


def test_classrooms_roster_gives_names_to_accounts(tmp_path):
    text = (
        '"identifier","github_username","github_id","name"\n"ada@example.edu","ada","1","Ada Example"\n"x","","",""\n'
    )
    found = named(tmp_path, text, "ada", "b")
    assert found["ada"].submitters == (Submitter(name="Ada Example", email="ada@example.edu"),)
    assert found["b"].remarks == ("not in roster.csv",)


def test_the_members_of_a_team_share_its_repository(tmp_path):
    head = "github_username,roster_identifier,student_repository_name,points_awarded,group_name\n"
    found = named(tmp_path, head + "ada,0123,hw3-team-a,5,team-a\nb,0124,hw3-team-a,5,team-a\n", "team-a")
    assert [person.sid for person in found["team-a"].submitters] == ["0123", "0124"]
    assert found["team-a"].old == OldResult(score=5.0)


def test_any_table_of_ids_and_names_will_do(tmp_path):
    found = named(tmp_path, "id,name,sid,email\ns1,Ada Example,0123,ada@example.edu\n", "s1")
    assert found["s1"].submitters == (ADA,)


def test_a_roster_that_names_no_account_is_refused(tmp_path):
    with pytest.raises(AssignmentError, match="none of the columns"):
        named(tmp_path, "colour\nred\n", "s1")
