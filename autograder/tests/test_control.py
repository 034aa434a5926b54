"""The control: pytest in one process with the engine gives each test the verdict that the confined worker gives it."""

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from autograder.assignment import load_assignment
from autograder.verify.bank import load_bank
from autograder.verify.trials import cases_of, trials

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
ASSIGNMENT = load_assignment(ROOT)
BANK = load_bank(ASSIGNMENT)
MISTAKES = [  # one of each kind; none of those that only a deadline ends, which plain pytest has not got
    *(
        "add-overwrites",
        "tanh-overwrites",
        "append-outside-the-if",
        "breadth-first",
        "not-seeded",
        "neg-without-parents",
    ),
    *("exp-rule-on-the-operand", "rsub-swapped", "radd-missing", "rtruediv-calls-itself", "mul-does-not-wrap"),
    *(
        "exp-without-return",
        "pow-divides-by-the-base",
        "relu-passes-at-zero",
        "iadd-in-place",
        "equal-values-are-equal",
    ),
]
NAMES = [*BANK.correct, *MISTAKES]


@pytest.fixture(scope="module")
def proxied():
    """The trials of the compared engines, each test in a confined worker."""
    cases = [case for case in cases_of(ASSIGNMENT, BANK) if case.name in NAMES]
    return {trial.case.name: trial for trial in trials(ASSIGNMENT, cases, jobs=2)}


def passed_in_process(engine: Path, report: Path) -> set[str]:
    """Return the ids of the tests that pass under plain pytest with `--submission`."""
    suites = {suite.path: suite.name for suite in ASSIGNMENT.suites}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *suites, "--submission", str(engine)]
    subprocess.run([*command, f"--junitxml={report}"], cwd=ROOT, capture_output=True, check=False)
    passed = set()
    for case in ElementTree.parse(report).iter("testcase"):
        path, _, file = case.attrib["classname"].rpartition(".")
        if len(case) == 0:  # no <failure>, <error> or <skipped>
            passed.add(f"{suites[path]}/{file}.py::{case.attrib['name']}")
    return passed


@pytest.mark.parametrize("name", NAMES)
def test_both_ways_of_running_agree_on_every_scored_test(proxied, name, tmp_path):
    trial = proxied[name]
    (tmp_path / "engine.py").write_text(
        BANK.correct.get(name) or trial.case.text,
        encoding="utf-8",
    )
    scored = {outcome.test.id for outcome in trial.report.outcomes if outcome.test.scored}
    assert scored & passed_in_process(tmp_path, tmp_path / "junit.xml") == scored - trial.lost
