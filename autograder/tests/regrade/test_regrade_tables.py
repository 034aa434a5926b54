"""The tables of a class: whose points stand where, what has none, and how other programs read them."""

import csv

import pytest

from autograder.model import Flag, Note
from autograder.regrade.records.class_report import (
    ClassEntry,
    Record,
    Submitter,
)
from autograder.regrade.records.csv_file import cell, plain, read_table
from autograder.regrade.records.tables import write_tables

from ..support.table_rows import ADA, KEY, TESTS, record, report


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
