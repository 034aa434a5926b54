"""`autograder new` writes a course that proves itself at once, and a handout that needs nothing of ours."""

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from autograder.assignment import load_assignment
from autograder.cli import main

pytestmark = pytest.mark.slow

PYTEST_ALONE = """
import sys
sys.modules["autograder"] = None
import pytest
sys.exit(pytest.main(["-q", "-p", "no:cacheprovider"]))
"""
PYTEST = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider"]


ROOT = Path(__file__).parents[3]


def autograder(*arguments, cwd):
    """Run the command line, as it is in this repository, in a folder elsewhere."""
    program = [sys.executable, "-m", "autograder", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(program, cwd=cwd, env=environment, capture_output=True, encoding="utf-8", check=False)


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    place = tmp_path_factory.mktemp("courses")
    assert autograder("new", "hw 2", cwd=place).returncode == 0
    return place / "hw 2"


@pytest.fixture(scope="module")
def built(course):
    answer = autograder("bundle", cwd=course)
    assert answer.returncode == 0, answer.stderr
    return course / "dist"


@pytest.fixture
def handout(built, tmp_path):
    """The folder that a student unzips."""
    with zipfile.ZipFile(built / "handout.zip") as archive:
        archive.extractall(tmp_path)
    return tmp_path / "hw-2"


@pytest.mark.parametrize("seed", ["as it is", 1, 2])
def test_a_new_course_proves_itself_under_any_seed(course, seed):
    file = course / "pyproject.toml"
    usual = file.read_text("utf-8")
    if seed != "as it is":
        file.write_text(re.sub(r"seed = \d+", f"seed = {seed}", usual), encoding="utf-8")
    answer = autograder("verify", cwd=course)
    file.write_text(usual, encoding="utf-8")
    assert answer.returncode == 0, answer.stdout
    assert "all is as it must be" in answer.stdout
    assert "Not in the rows" not in answer.stdout


def test_two_courses_draw_other_inputs(tmp_path):
    seeds = set()
    for number in range(5):
        assert CliRunner().invoke(main, ["new", str(tmp_path / str(number))]).exit_code == 0
        seeds.add(load_assignment(tmp_path / str(number)).seed)
    assert len(seeds) > 1


def test_its_starter_and_manifests_are_up_to_date(course):
    assert autograder("starter", "--check", cwd=course).returncode == 0
    before = {file: file.read_bytes() for file in course.glob("tests_*/manifest.txt")}
    assert autograder("manifest", cwd=course).returncode == 0
    assert {file: file.read_bytes() for file in before} == before


def test_pytest_in_it_runs_both_suites_and_keeps_the_score(course):
    here = {**os.environ, "PYTHONPATH": str(ROOT)}
    run = [*PYTEST, "-p", "autograder.local"]
    answer = subprocess.run(run, cwd=course, env=here, capture_output=True, encoding="utf-8", check=False)
    assert answer.returncode == 0, answer.stdout
    assert {"public score: 4 / 4", "hidden score: 6 / 6"} <= {*answer.stdout.splitlines()}


def test_its_handout_has_the_score_line_the_hints_and_waits_as_this_homeworks_has(handout):
    source = (handout / "stack.py").read_text("utf-8")
    assert source.count("raise NotImplementedError") == 5
    answer = subprocess.run(PYTEST, cwd=handout, capture_output=True, encoding="utf-8", check=False)
    assert "public score: 0 / 4" in answer.stdout
    assert "What was pushed last has to come back first." in answer.stdout
    assert "2 failed, 2 skipped" in answer.stdout  # those that wait for the first are not red too


def test_its_handout_runs_in_an_environment_that_has_only_pytest(handout, course):
    (handout / "stack.py").write_bytes((course / "solution/stack.py").read_bytes())
    alone = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    program = [sys.executable, "-c", PYTEST_ALONE]
    answer = subprocess.run(program, cwd=handout, env=alone, capture_output=True, encoding="utf-8", check=False)
    assert answer.returncode == 0, answer.stdout
    assert "public score: 4 / 4" in answer.stdout


def test_no_hidden_test_or_answer_is_in_its_handout(handout):
    texts = "\n".join(file.read_text("utf-8") for file in handout.rglob("*") if file.is_file())
    assert "reverse" not in texts
    assert "self._items" not in texts


def test_its_workflow_runs_commands_that_exist(course):
    workflow = yaml.safe_load((course / ".github/workflows/verify.yml").read_text("utf-8"))
    runs = [step["run"] for step in workflow["jobs"]["verify"]["steps"] if "run" in step]
    verbs = [run.split()[1] for run in runs if run.startswith("autograder")]
    assert verbs == ["doctor", "verify", "bundle"]
    assert [verb for verb in verbs if autograder(verb, "--help", cwd=course).returncode != 0] == []


def test_what_is_there_already_is_left_alone(tmp_path):
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    answer = CliRunner().invoke(main, ["new", str(tmp_path)])
    assert answer.exit_code == 2
    assert "holds notes.txt already: name a new folder, or an empty one" in answer.output
    assert [file.name for file in tmp_path.iterdir()] == ["notes.txt"]


def test_a_folder_that_holds_a_repository_and_an_environment_alone_is_new(tmp_path):
    for name in (".git", ".venv"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "config").write_text("mine", encoding="utf-8")
    answer = CliRunner().invoke(main, ["new", str(tmp_path)])
    assert answer.exit_code == 0, answer.output
    assert str(tmp_path / "solution/stack.py") in answer.output
    assert "config" not in answer.output


def test_a_file_in_its_place_is_left_alone(tmp_path):
    (tmp_path / "homework").write_text("mine", encoding="utf-8")
    assert CliRunner().invoke(main, ["new", str(tmp_path / "homework")]).exit_code == 2
    assert (tmp_path / "homework").read_text("utf-8") == "mine"
