"""How often a diagnosis is right is counted over the bank: the sentence that is read first, and the line it blames."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from autograder.assignment import load_assignment
from autograder.diagnosis.codes import diagnosed
from autograder.model import BlamedLine, Status
from autograder.verify.agreement import Answer, comparable
from autograder.verify.bank import Mistake
from autograder.verify.rates import Verdict, changed_lines, judged, table
from autograder.verify.trials import Case, Kind, Trial

from ..support.reports import declared, outcome, report

ROOT = Path(__file__).parents[3]
BEFORE = "a = 1\nb = 2\nc = 3"
AFTER = "a = 1\nb = 5\nc = 3"


def trial(*found, status=Status.FAILED, **row):
    mistake = Mistake(
        name="m",
        says="…",
        edits=(("b = 2", "b = 5"),),
        loses=("*",),
        base="closures",
        where="bank/rules.toml:7",
        **{"diagnosis": "wrong-sign", "subject": "*", **row},
    )
    outcomes = [outcome(status, declared(), diagnosis=each) for each in found or (None,)]
    done = replace(report(*outcomes), diagnoses=found)
    return Trial(Case("m", Kind.MISTAKE, text=AFTER, mistake=mistake), done)


def judge(done):
    (found,) = judged([done], {"closures": BEFORE})
    return found


@pytest.mark.parametrize(
    ("after", "lines"),
    [("a = 1\nb = 5\nc = 3", {2}), ("a = 1\nc = 3", {1, 2}), ("a = 1\nb = 2\nnew\nc = 3", {3}), (BEFORE, set())],
    ids=["replaced", "gone", "added", "the same"],
)
def test_the_lines_of_a_mistake_are_those_that_it_changes(after, lines):
    assert changed_lines(BEFORE, after) == lines


@pytest.mark.parametrize(
    ("code", "subject", "verdict"),
    [
        ("wrong-sign", "*", Verdict.RIGHT),
        ("wrong-sign", "+, *", Verdict.RIGHT),
        ("wrong-sign", "", Verdict.RIGHT),
        ("wrong-sign", "+", Verdict.WRONG),
        ("graph-cut", "*", Verdict.WRONG),
    ],
)
def test_a_first_sentence_is_right_if_it_names_the_mistake_and_no_other_operator(code, subject, verdict):
    assert judge(trial(replace(diagnosed(code), subject=subject))).verdict is verdict


def test_a_second_sentence_that_is_right_does_not_make_the_first_one_right():
    assert judge(trial(diagnosed("graph-cut", "*"), diagnosed("wrong-sign", "*"))).verdict is Verdict.WRONG


def test_what_a_row_allows_besides_is_not_wrong():
    assert judge(trial(diagnosed("graph-cut", "*"), also=("graph-cut *",))).verdict is Verdict.RIGHT


def test_silence_is_right_only_where_nothing_need_be_said():
    assert judge(trial()).verdict is Verdict.NONE
    assert judge(trial(diagnosis="", subject="")).verdict is Verdict.RIGHT


@pytest.mark.parametrize(("number", "right"), [(2, True), (3, False)])
def test_a_line_is_right_if_the_mistake_changed_it(number, right):
    blamed = replace(diagnosed("wrong-sign", "*"), line=BlamedLine(file="engine.py", line=number, said="…"))
    assert judge(trial(blamed)).line is right


def test_the_table_has_a_row_for_each_kind_and_one_for_all():
    found = [judge(trial(diagnosed("wrong-sign", "*"))), judge(trial())]
    kinds = [line.split()[0] for line in table(found)[2:4]]
    assert kinds == ["rules", "all"]
    assert table(found)[3].split()[1:5] == ["50%", "50%", "0%", "2"]


@pytest.mark.parametrize(("status", "seen"), [(Status.FAILED, 1), (Status.PASSED, 0), (Status.TIMED_OUT, 0)])
def test_the_handout_is_compared_where_a_public_test_fails_and_ends(status, seen):
    done, homework = trial(status=status), load_assignment(ROOT)
    suite = next(suite.name for suite in homework.suites if not suite.secret)
    outcomes = tuple(replace(o, test=replace(o.test, suite=suite)) for o in done.report.outcomes)
    moved = replace(done, report=replace(done.report, outcomes=outcomes))
    assert len(comparable([moved], homework)) == seen


def test_both_agree_if_they_say_the_same():
    assert Answer("m", "x", "x").agrees
    assert not Answer("m", "x", "").agrees
