"""The template repository for GitHub: its steps run here as they run there, and their points are those of the marks."""

import base64
import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
import yaml

from autograder.assignment import load_assignment
from autograder.bundle.classroom import classroom_members, tasks_of
from autograder.bundle.lint import handout_problems, zip_problems
from autograder.bundle.zip_file import zip_bytes
from autograder.errors import AssignmentError
from autograder.files import write_whole
from autograder.suites.runner import collected_suites

from ..support.small import assigning

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
ASSIGNMENT = load_assignment(ROOT)


@pytest.fixture(scope="module")
def tests():
    with collected_suites(ASSIGNMENT) as collected:
        return collected.tests


@pytest.fixture(scope="module")
def members(tests):
    return classroom_members(ASSIGNMENT, tests)


@pytest.fixture(scope="module")
def repository(members, tmp_path_factory):
    folder = tmp_path_factory.mktemp("classroom")
    for member in members:
        write_whole(folder / member.name, member.content)
    return folder


@pytest.fixture(scope="module")
def job(repository):
    workflow = yaml.safe_load((repository / ".github/workflows/classroom.yml").read_text("utf-8"))
    return workflow["jobs"]["run-autograding-tests"]


def graded(job):
    return [step for step in job["steps"] if "id" in step]


def results_of(job, repository, engine, tmp_path):
    """Run each step in a copy of the repository with this engine; return what the reporter reads, by runner."""
    copy = tmp_path / "repository"
    shutil.copytree(repository, copy)
    (copy / "engine.py").write_text(engine, "utf-8")
    outputs = {}
    for step in graded(job):
        output = tmp_path / step["id"]
        command = step["run"].replace("python ", f'"{sys.executable}" -B ', 1)
        environment = {**os.environ, **step["env"], "GITHUB_OUTPUT": str(output)}
        done = subprocess.run(
            ["sh", "-c", command], cwd=copy, env=environment, capture_output=True, encoding="utf-8", check=False
        )
        assert "task " in done.stdout, done.stdout + done.stderr
        outputs[step["id"]] = output.read_text("utf-8").splitlines()[-1].removeprefix("result=")
    # As the reporter does: the runner's id in capitals, with _RESULTS behind it, holds JSON in base64.
    reporter = job["steps"][-1]
    variables = {name: outputs[text.split(".")[1]] for name, text in reporter["env"].items()}
    runners = reporter["with"]["runners"].split(",")
    return {runner: json.loads(base64.b64decode(variables[f"{runner.upper()}_RESULTS"])) for runner in runners}


def points(results):
    won = sum(test["score"] for result in results.values() for test in result["tests"])
    return won, sum(result["max_score"] for result in results.values())


def test_the_solution_earns_every_public_point_step_by_step(job, repository, tmp_path):
    results = results_of(job, repository, (ROOT / "solution/engine.py").read_text("utf-8"), tmp_path)
    assert points(results) == (40, 40)
    assert {result["status"] for result in results.values()} == {"pass"}


def test_the_template_as_it_is_earns_nothing_and_says_which_task_is_not_written(job, repository, tmp_path):
    results = results_of(job, repository, (repository / "engine.py").read_text("utf-8"), tmp_path)
    assert points(results) == (0, 40)
    assert {result["status"] for result in results.values()} == {"fail"}
    assert "task 1.1" in results["step1"]["tests"][0]["message"]


def test_a_mistake_costs_the_points_that_it_costs_in_the_grader(job, repository, tmp_path, tests):
    results = results_of(job, repository, assigning("*"), tmp_path)
    failed = {test["name"] for result in results.values() for test in result["tests"] if test["status"] != "pass"}
    assert failed
    lost = sum(test.points for test in tests if test.suite == "public" and test.id.rpartition("/")[2] in failed)
    assert points(results) == (40 - lost, 40)


def test_an_engine_that_cannot_be_imported_loses_the_points_and_not_the_table(job, repository, tmp_path):
    assert points(results_of(job, repository, "def f(:\n", tmp_path)) == (0, 40)


def test_a_task_whose_tests_never_end_has_left_a_result_before(job, repository, tmp_path):
    copy, output = tmp_path / "repository", tmp_path / "output"
    shutil.copytree(repository, copy)
    (copy / "engine.py").write_text("class Value:\n    def __init__(self, x):\n        while True: pass\n", "utf-8")
    environment = {**os.environ, "GITHUB_OUTPUT": str(output)}
    command = [sys.executable, "-B", ".github/classroom/points.py", "1.1", "2"]
    process = subprocess.Popen(command, cwd=copy, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        while not output.exists() or not output.read_text("utf-8").endswith("\n"):
            assert process.poll() is None
            time.sleep(0.05)
    finally:
        process.kill()
        process.wait()
    result = json.loads(base64.b64decode(output.read_text("utf-8").removeprefix("result=")))
    assert (result["status"], result["max_score"]) == ("fail", 2)
    assert {test["score"] for test in result["tests"]} == {0}


def test_each_task_has_a_step_that_names_its_points(job, tests):
    public = [test for test in tests if test.suite == "public" and test.scored]
    named = {step["env"]["TASK"]: step["name"] for step in graded(job)}
    assert list(named) == tasks_of(public)
    assert named["1.1"] == "Task 1.1, 2 points"


def test_the_names_are_those_that_classroom_looks_for(repository, job):
    text = (repository / ".github/workflows/classroom.yml").read_text("utf-8")
    workflow = yaml.safe_load(text)
    assert workflow["name"] == "Autograding Tests"
    assert list(workflow["jobs"]) == ["run-autograding-tests"]
    runners = job["steps"][-1]["with"]["runners"]
    assert re.fullmatch(r"([a-zA-Z0-9]+,)*[a-zA-Z0-9]+", runners)
    assert workflow["permissions"]["contents"] == "read"


def test_the_points_are_shown_also_when_a_step_fails(job):
    assert job["steps"][-1]["if"] == "always()"


def test_the_template_gives_nothing_of_the_staffs_away(members):
    data = zip_bytes(members)
    assert [*zip_problems(data), *handout_problems(data, ASSIGNMENT)] == []
    assert not [member.name for member in members if "hidden" in member.name or "manifest" in member.name]


def test_the_container_has_the_python_that_the_workflow_runs(repository, job):
    container = json.loads((repository / ".devcontainer/devcontainer.json").read_text("utf-8"))
    (version,) = [step["with"]["python-version"] for step in job["steps"] if "python-version" in step.get("with", {})]
    assert container["image"].endswith(f":{version}")
    assert container["customizations"]["vscode"]["settings"]["python.testing.pytestEnabled"] is True


def test_tasks_come_in_the_order_of_their_numbers_and_tests_without_one_last(tests):
    renamed = [replace_task(test, task) for test, task in zip(tests, ["2.10", "", "2.9", "1.1"], strict=False)]
    assert tasks_of(renamed) == ["1.1", "2.9", "2.10", ""]


def replace_task(test, task):
    from msgspec.structs import replace

    return replace(test, task=task)


def test_an_assignment_without_public_points_has_no_template(tests):
    with pytest.raises(AssignmentError, match="no public test carries points"):
        classroom_members(ASSIGNMENT, [test for test in tests if test.suite != "public"])
