"""Another homework does not need a change of the grader: functions on lists, graded through the command line."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "docs/example-assignment"


def autograder(*arguments, cwd=ROOT):
    program = [sys.executable, "-m", "autograder", *map(str, arguments)]
    return subprocess.run(program, cwd=cwd, capture_output=True, encoding="utf-8", check=False)


def graded(directory, tmp_path):
    file = tmp_path / "results.json"
    answer = autograder("grade", directory, "--root", EXAMPLE, "--results", file)
    assert answer.returncode == 0, answer.stderr
    return json.loads(file.read_text("utf-8"))["tests"]


def points(tests):
    return sum(test.get("score", 0) for test in tests)


@pytest.mark.parametrize(("directory", "earned"), [("solution", 10), ("starter", 0)])
def test_the_solution_earns_everything_and_the_starter_nothing(directory, earned, tmp_path):
    assert points(graded(EXAMPLE / directory, tmp_path)) == earned


def test_a_mistake_costs_its_tests_and_a_hidden_failure_tells_its_hint_alone(tmp_path):
    source = (EXAMPLE / "solution/polynomial.py").read_text("utf-8")
    submission = tmp_path / "submission"
    submission.mkdir()
    wrong = source.replace(
        "if value(polynomial, low) * value(polynomial, middle) <= 0", "if value(polynomial, middle) >= 0"
    )
    (submission / "polynomial.py").write_text(wrong, encoding="utf-8")
    lost = [test for test in graded(submission, tmp_path) if test.get("score") == 0]
    assert [test["name"] for test in lost] == ["root where the polynomial falls"]
    assert "The polynomial may fall from left to right as well as rise." in lost[0]["output"]
    assert "approx" not in lost[0]["output"]


def test_its_starter_is_up_to_date():
    assert autograder("starter", "--check", "--root", EXAMPLE).returncode == 0


def test_it_can_be_bundled(tmp_path):
    answer = autograder("bundle", "--root", EXAMPLE, "--out", tmp_path)
    assert answer.returncode == 0, answer.stderr
    assert "set the assignment to 10 points" in answer.stderr
    assert sorted(file.name for file in tmp_path.iterdir()) == ["autograder.zip", "handout.zip"]


def test_the_root_is_found_from_inside_it():
    assert autograder("starter", "--check", cwd=EXAMPLE / "tests_public").returncode == 0


def test_its_handout_runs_with_pytest_alone(tmp_path):
    shutil.copytree(EXAMPLE / "solution", tmp_path, dirs_exist_ok=True)
    shutil.copytree(EXAMPLE / "tests_public", tmp_path / "tests_public")
    program = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    answer = subprocess.run(program, cwd=tmp_path, capture_output=True, encoding="utf-8", check=False)
    assert answer.returncode == 0, answer.stdout
    assert "4 passed" in answer.stdout


def test_the_grader_knows_neither_homework_by_name():
    package = [file for file in (ROOT / "autograder").rglob("*.py") if "tests" not in file.relative_to(ROOT).parts]
    files = [*package, *(ROOT / "autograder/bundle/image").iterdir()]
    assert [file for file in files if "polynomial" in file.read_text("utf-8")] == []
