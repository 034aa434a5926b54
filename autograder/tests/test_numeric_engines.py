"""An engine that takes differences where the chain rule is due loses what only the chain rule can do."""

from pathlib import Path

import pytest

from autograder.assignment import load_assignment
from autograder.grading import grade, last
from autograder.model import Status

from .support import numeric_engine
from .support.exports import write_folder

ROOT = Path(__file__).parents[2]
ENGINE = Path(numeric_engine.__file__).read_text("utf-8")


@pytest.fixture(scope="module")
def statuses(tmp_path_factory):
    """Return a function that grades an engine with the hidden suite, and returns each test's status by its id."""
    assignment = load_assignment(ROOT)

    def run(text):
        source = write_folder(tmp_path_factory.mktemp("engine"), {"engine.py": text})
        report = last(grade(assignment, source, suites=("hidden",)))
        return {outcome.test.id: outcome.status for outcome in report.outcomes if outcome.test.scored}

    return run


@pytest.mark.slow
@pytest.mark.parametrize("extrapolates", [False, True], ids=["central differences", "Richardson"])
def test_differences_cost_too_much_and_are_not_exact(statuses, extrapolates):  # threats 83, 84
    found = statuses(ENGINE.replace("EXTRAPOLATES = True", f"EXTRAPOLATES = {extrapolates}"))
    lost = {test.rpartition("::")[2] for test, status in found.items() if status is not Status.PASSED}
    assert {"test_sum_of_products", "test_large_constant"} <= lost


@pytest.mark.slow
def test_the_chain_rule_costs_little_and_is_exact(statuses):  # the control
    assert set(statuses((ROOT / "solution/engine.py").read_text("utf-8")).values()) == {Status.PASSED}
