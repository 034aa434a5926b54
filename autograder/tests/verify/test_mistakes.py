"""The bank: every correct engine earns full marks, every mistake loses its tests and keeps the others.

One proof serves all promises of this file: that of `make verify`, as far as nothing changed since. CI makes it before
the tests. Without it every correct engine and every third mistake is tried.
"""

import os
from pathlib import Path

import pytest

from autograder.assignment import load_assignment
from autograder.verify.agreement import agreement
from autograder.verify.bank import load_bank
from autograder.verify.gaps import gaps, undetecting_tests, unlisted
from autograder.verify.proof import Proof
from autograder.verify.proving import proved
from autograder.verify.trials import Kind, cases_of

pytestmark = pytest.mark.slow

ASSIGNMENT = load_assignment(Path(__file__).parents[3])
BANK = load_bank(ASSIGNMENT)
CASES = cases_of(ASSIGNMENT, BANK)
CORRECT = [case.name for case in CASES if case.kind is Kind.CORRECT]
LEAST_COST = 2  # no single idea of the handout is worth less
PROOF = Proof(ASSIGNMENT)
TRIED = [
    case for n, case in enumerate(CASES) if case.kind is not Kind.MISTAKE or n % 3 == 0 or PROOF.trial(case) is not None
]
MISTAKES = [case.name for case in TRIED if case.kind is Kind.MISTAKE]


@pytest.fixture(scope="module")
def bank():
    """The trial of every engine that is tried, by name."""
    return {trial.case.name: trial for trial in proved(ASSIGNMENT, TRIED, jobs=max(2, os.cpu_count() or 1))}


@pytest.mark.parametrize("name", CORRECT)
def test_a_correct_engine_earns_full_marks_and_is_told_of_no_mistake(bank, name):
    assert gaps(bank[name]) == []


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_loses_its_tests_keeps_the_others_and_is_named(bank, name):
    assert gaps(bank[name]) == []


@pytest.mark.parametrize("name", MISTAKES)
def test_a_row_names_every_test_that_its_mistake_loses(bank, name):
    assert unlisted(bank[name]) == frozenset()


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_costs_at_least_two_points_of_a_hundred(bank, name):
    score = bank[name].report.score
    assert score.possible == 100
    assert score.possible - score.earned >= LEAST_COST


@pytest.mark.skipif(len(TRIED) < len(CASES), reason="`make verify` proves it of the whole bank")
def test_every_scored_test_is_needed_by_a_mistake(bank):
    assert undetecting_tests(list(bank.values())) == []


def test_the_bank_holds_many_styles_and_many_mistakes():
    assert len(CORRECT) >= 14
    assert sum(case.kind is Kind.MISTAKE for case in CASES) >= 60


@pytest.mark.parametrize("operator", ["+", "*", "unary -", "-", "/", "**", "tanh", "exp", "relu"])
def test_every_operator_has_a_mistake_that_overwrites_the_gradient(operator):
    assert ("overwrites-gradient", operator) in {(row.diagnosis, row.subject) for row in BANK.mistakes}


@pytest.mark.parametrize("operator", ["__radd__", "__rmul__", "__rsub__", "__rtruediv__"])
@pytest.mark.parametrize("code", ["reflected-missing", "reflected-recursive"])
def test_every_reflected_operator_is_missing_once_and_recursive_once(code, operator):
    assert (code, operator) in {(row.diagnosis, row.subject) for row in BANK.mistakes}


def test_no_two_mistakes_are_the_same_engine():
    texts = [BANK.text(row) for row in BANK.mistakes]
    assert len(set(texts)) == len(texts)


def test_a_line_that_is_blamed_is_one_of_the_file_and_comes_from_a_public_test(bank):
    blamed = [
        (trial.case.text.split("\n"), outcome.test.suite, outcome.diagnosis.line)
        for trial in bank.values()
        for outcome in trial.report.outcomes
        if outcome.diagnosis and outcome.diagnosis.line
    ]
    assert len(blamed) > len(MISTAKES) / 4
    assert {suite for _, suite, _ in blamed} == {"public"}
    assert all(lines[line.line - 1].strip() == line.text for lines, _, line in blamed)


def test_the_students_own_diagnosis_says_first_what_the_grader_says_first(bank):
    """Of some twenty engines: the whole bank takes two minutes, and CI tries it by `make verify`."""
    answers = agreement(ASSIGNMENT, list(bank.values())[:: len(bank) // 20])
    assert len(answers) > 8
    assert [answer for answer in answers if not answer.agrees] == []
