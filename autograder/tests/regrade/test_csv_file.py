"""No cell of a table is a formula, whatever separator a spreadsheet splits at."""

import itertools
import re

import pytest

from autograder.regrade.records.csv_file import cell, plain, read_rows, write_csv

FORMULAS = ["=A1", "+A1", "-A1", "@A1", "\uff1dA1", " =A1", '"=A1']
JOINS = ["", ";", "x;", "x; ", "x|", "x\t", "x,", ";;", 'x;"']


@pytest.mark.parametrize("separator", [",", ";", "|", "\t"])
def test_no_part_of_a_text_starts_a_formula_at_any_separator(separator):
    cells = [cell(join + formula) for join, formula in itertools.product(JOINS, FORMULAS)]
    parts = {part: text for text in cells for part in text.split(separator)}
    assert {part: text for part, text in parts.items() if re.match(r'[\s"]*[=+@\uff1d-]', part)} == {}


@pytest.mark.parametrize("text", ["x;=A1", "=A1;=B1", "a|-b", "plain; text"])
def test_a_guarded_text_is_read_as_it_was(text):
    assert plain(cell(text)) == text


@pytest.mark.parametrize("text", ["ada; bob", "a - b", "x=1", "2-1", "it's; fine"])
def test_an_ordinary_text_stays_as_it_is(text):
    assert cell(text) == text


def test_a_file_holds_the_guard_and_no_escape_sequence(tmp_path):
    write_csv(tmp_path / "t.csv", [["id", "note"], ["a", "\x1b[31m;=A1\x1b[0m"]])
    assert read_rows(tmp_path / "t.csv")[0][1] == ["a", ";'=A1"]
