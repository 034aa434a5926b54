"""The control: pytest in one process with the engine gives each test the verdict that the confined worker gives it.

What the worker gives stands in the bank: a correct engine earns everything, a mistake loses exactly what its row names.
`verify/test_mistakes.py` and `autograder verify` hold the worker to that; here plain pytest is held to it.
"""

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from autograder.assignment import load_assignment
from autograder.suites.manifest import NAME
from autograder.verify.bank import load_bank, select

from .support import plain_pytest

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
ROWS = {row.name: row for row in BANK.mistakes if row.name in MISTAKES}
NAMES = [*BANK.correct, *MISTAKES]
SCORED = {
    line.split(maxsplit=1)[1]
    for suite in ASSIGNMENT.suites
    for line in (ROOT / suite.path / NAME).read_text("utf-8").splitlines()[1:]
    if float(line.split()[0]) > 0
}


@pytest.fixture(scope="module")
def passed_in_process(tmp_path_factory):
    """The ids of the tests that pass under plain pytest with `--submission`, by the engine's name."""
    folders = {name: tmp_path_factory.mktemp(name) for name in NAMES}
    for name, folder in folders.items():
        text = BANK.correct[name] if name in BANK.correct else BANK.text(ROWS[name])
        (folder / "engine.py").write_text(text, "utf-8")
    paths = {suite.name: suite.path for suite in ASSIGNMENT.suites}
    names = {test.partition("::")[0].partition("/")[::2] for test in SCORED}
    files = ",".join(sorted(f"{paths[suite]}/{name}" for suite, name in names))
    command = [sys.executable, str(Path(plain_pytest.__file__)), files, *map(str, folders.values())]
    subprocess.run(command, cwd=ROOT, check=True)
    return {name: passed(folder / "junit.xml") for name, folder in folders.items()}


def passed(report: Path) -> set[str]:
    """Return the ids of the tests that passed, from the report of a run."""
    suites = {suite.path: suite.name for suite in ASSIGNMENT.suites}
    found = set()
    for case in ElementTree.parse(report).iter("testcase"):
        path, _, file = case.attrib["classname"].rpartition(".")
        if len(case) == 0:  # no <failure>, <error> or <skipped>
            found.add(f"{suites[path]}/{file}.py::{case.attrib['name']}")
    return found


def lost(name: str) -> frozenset[str]:
    """Return the tests that a confined engine loses."""
    row = ROWS.get(name)
    return select(row.loses, SCORED) - select(row.keeps, SCORED) if row else frozenset()


def test_the_compared_mistakes_lose_the_same_with_every_seed():
    assert [name for name, row in ROWS.items() if row.may_lose] == []
    assert len(ROWS) == len(MISTAKES)


@pytest.mark.parametrize("name", NAMES)
def test_both_ways_of_running_agree_on_every_scored_test(passed_in_process, name):
    assert passed_in_process[name] == SCORED - lost(name)
