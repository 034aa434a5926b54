"""The solution earns everything, the starter earns nothing. Both are graded by the command line."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def results():
    """The results.json of the solution and of the starter."""

    def graded(submission: str) -> dict:
        command = [sys.executable, "-m", "autograder", "grade", submission, "--json"]
        return json.loads(subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout)

    return {name: graded(name) for name in ("solution", "starter")}


def scored(results: dict) -> list[dict]:
    return [test for test in results["tests"] if test.get("max_score", 0) > 0]


def test_the_solution_earns_exactly_full_marks(results):
    assert sum(test["score"] for test in scored(results["solution"])) == 100


def test_the_starter_earns_exactly_nothing(results):
    assert sum(test["score"] for test in scored(results["starter"])) == 0


@pytest.mark.parametrize("submission", ["solution", "starter"])
@pytest.mark.parametrize(("suite", "points"), [("public", 40), ("hidden", 60)])
def test_a_suites_points_add_up(results, submission, suite, points):
    tests = [test for test in scored(results[submission]) if test["extra_data"]["id"].startswith(f"{suite}/")]
    assert sum(test["max_score"] for test in tests) == points


def test_the_starter_hears_of_every_scored_test_that_the_solution_passes(results):
    listed = {name: [test["extra_data"]["id"] for test in scored(each)] for name, each in results.items()}
    assert listed["starter"] == listed["solution"]


def test_the_solution_fails_nothing_that_earns_no_points(results):
    unscored = [test for test in results["solution"]["tests"] if test not in scored(results["solution"])]
    assert [test["name"] for test in unscored if test.get("status") == "failed"] == []
