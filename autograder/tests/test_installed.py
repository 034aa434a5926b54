"""`pip install` is enough: the wheel, in an environment of its own, works on a course outside this repository."""

import hashlib
import json
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from autograder.bundle.zip_file import ZipMember, zip_bytes

from .support.environment import Environment, grader_wheel, write_needs

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "docs/example-assignment"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    return grader_wheel(tmp_path_factory.mktemp("built"))


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """An environment that was empty before the grader's wheel was installed into it."""
    environment = Environment(tmp_path_factory.mktemp("installed"))
    write_needs(wheel, environment.wheels)
    environment.install(wheel)
    return environment


@pytest.fixture
def course(tmp_path):
    """A course's own repository."""
    return shutil.copytree(EXAMPLE, tmp_path / "course", ignore=shutil.ignore_patterns("__pycache__", "dist"))


def names_in(archive):
    with zipfile.ZipFile(archive) as opened:
        return opened.namelist()


def test_the_wheel_holds_the_grader_and_its_lock_but_no_test_attack_or_homework(wheel):
    names = names_in(wheel)
    assert {"autograder/cli.py", "autograder/bundle/image/requirements.txt", "autograder/suites/suites.ini"} <= {*names}
    own = {name.partition("/")[0] for name in names} - {"micro_autograd_autograder-0.1.0.dist-info"}
    assert own == {"autograder"}
    assert [name for name in names if name.startswith("autograder/tests/")] == []


def test_the_wheel_is_the_grader_as_it_is_here(wheel):
    with zipfile.ZipFile(wheel) as opened:
        shipped = {name: opened.read(name) for name in opened.namelist() if name.startswith("autograder/")}
    here = {
        path.relative_to(ROOT).as_posix(): path.read_bytes()
        for path in (ROOT / "autograder").rglob("*")
        if path.is_file() and not {"tests", "__pycache__"} & {*path.relative_to(ROOT).parts}
    }
    assert shipped == here


def test_the_environment_holds_no_more_than_the_grader_asks_for(installed):
    answer = installed.run("autograder", "--version", cwd=ROOT.parent)
    assert answer.returncode == 0, answer.stderr
    asked = "import numpy"
    assert subprocess.run([installed.python, "-c", asked], cwd="/", capture_output=True, check=False).returncode == 1


def test_a_course_is_proved(installed, course):
    answer = installed.run("autograder", "verify", cwd=course)
    assert answer.returncode == 0, answer.stdout + answer.stderr
    assert "all is as it must be" in answer.stdout


def test_a_course_is_bundled_and_the_image_has_the_grader_and_its_lock(installed, course):
    answer = installed.run("autograder", "bundle", cwd=course)
    assert answer.returncode == 0, answer.stderr
    names = names_in(course / "dist/autograder.zip")
    assert {"setup.sh", "run_autograder", "requirements.txt"} <= {*names}
    assert [name for name in names if name.endswith(".whl")] == ["micro_autograd_autograder-0.1.0-py3-none-any.whl"]


def test_the_zip_is_the_one_that_the_graders_own_repository_builds(installed, course, tmp_path):
    assert installed.run("autograder", "bundle", "--out", tmp_path / "there", cwd=course).returncode == 0
    here = [sys.executable, "-m", "autograder", "bundle", "--root", str(course), "--out", str(tmp_path / "here")]
    subprocess.run(here, cwd=ROOT, check=True, capture_output=True)
    digests = [
        hashlib.sha256((tmp_path / place / "autograder.zip").read_bytes()).hexdigest() for place in ("here", "there")
    ]
    assert digests[0] == digests[1]


def test_a_submission_is_graded_and_its_result_shown_to_each_reader(installed, course):
    answer = installed.run("autograder", "grade", "solution", "--results", "results.json", "--root", ".", cwd=course)
    assert answer.returncode == 0, answer.stderr
    tests = json.loads((course / "results.json").read_text("utf-8"))["tests"]
    assert sum(test.get("score", 0) for test in tests) == 10
    answer = installed.run("autograder", "preview", "results.json", "--out", "page.html", cwd=course)
    assert answer.returncode == 0, answer.stderr
    assert "root where the polynomial falls" in (course / "page.html").read_text("utf-8")


def test_a_course_whose_folder_holds_the_environment_need_not_be_named(installed, course):
    refused = installed.run("autograder", "grade", "solution", cwd=course)
    assert (refused.returncode, "Say which course is meant" in refused.stderr) == (2, True)
    own = installed.home.parent
    shutil.copytree(course, own, dirs_exist_ok=True)
    assert installed.run("autograder", "grade", "solution", cwd=own).returncode == 0


def test_a_class_is_regraded_into_tables_and_a_page(installed, course):
    for student, folder in {"ada": "solution", "grace": "starter"}.items():
        shutil.copytree(course / folder, course / "class" / student)
    answer = installed.run(
        "autograder", "regrade", "class", "--out", "regraded", "--root", ".", "--jobs", "1", cwd=course
    )
    assert answer.returncode == 0, answer.stderr
    grades = (course / "regraded/grades.csv").read_text("utf-8")
    assert "ada" in grades
    assert (course / "regraded/report.html").is_file()


def test_a_new_course_proves_itself_is_bundled_and_lacks_nothing_here(installed, tmp_path):
    assert installed.run("autograder", "new", "hw2", cwd=tmp_path).returncode == 0
    for verb in ("doctor", "verify", "bundle"):
        answer = installed.run("autograder", verb, cwd=tmp_path / "hw2")
        assert answer.returncode == 0, answer.stdout + answer.stderr
    answer = installed.run("pytest", "-q", "-p", "no:cacheprovider", cwd=tmp_path / "hw2")
    assert "hidden score: 6 / 6" in answer.stdout


def test_pytest_runs_the_suites_of_a_course_against_its_solution_or_another_folder(installed, course):
    answer = installed.run("pytest", "-q", "-p", "no:cacheprovider", cwd=course)
    assert "10 passed" in answer.stdout
    answer = installed.run("pytest", "-q", "-p", "no:cacheprovider", "--submission", "starter", cwd=course)
    assert "9 failed, 1 skipped" in answer.stdout  # one waits for another that failed


def test_pytest_of_another_project_in_that_environment_is_left_alone(installed, tmp_path):
    (tmp_path / "test_other.py").write_text("def test_other():\n    pass\n", encoding="utf-8")
    answer = installed.run("pytest", "-q", "-p", "no:cacheprovider", cwd=tmp_path)
    assert (answer.returncode, "1 passed" in answer.stdout) == (0, True)


# Another distribution that installs a package of the same name.


def other_wheel(directory):
    """Write a wheel of another distribution whose package is called `autograder`."""
    info = "autograder-3.7.7.dist-info"
    files = {
        "autograder/__init__.py": "",
        "autograder/__main__.py": "print('the other one')\n",
        "autograder/output_summary.py": "",
        f"{info}/METADATA": "Metadata-Version: 2.1\nName: autograder\nVersion: 3.7.7\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = "".join(f"{name},,\n" for name in [*files, f"{info}/RECORD"])
    members = [ZipMember(name, text.encode()) for name, text in {**files, f"{info}/RECORD": record}.items()]
    file = directory / "autograder-3.7.7-py3-none-any.whl"
    file.write_bytes(zip_bytes(members))
    return file


@pytest.fixture(scope="module")
def mixed(wheel, installed, tmp_path_factory):
    """An environment into which the grader was installed over another package of its name."""
    environment = Environment(tmp_path_factory.mktemp("mixed"))
    shutil.copytree(installed.wheels, environment.wheels, dirs_exist_ok=True)
    environment.install(other_wheel(environment.wheels))
    assert environment.run("autograder", cwd="/").stdout == "the other one\n"  # the control: it is whole before
    environment.install(wheel)
    return environment


def test_under_another_package_of_its_name_the_suites_of_a_course_do_not_start(wheel, installed, course, tmp_path):
    environment = Environment(tmp_path / "other way round")
    shutil.copytree(installed.wheels, environment.wheels, dirs_exist_ok=True)
    environment.install(wheel)
    environment.install(other_wheel(environment.wheels))
    assert environment.run("autograder", cwd="/").stdout == "the other one\n"
    answer = environment.run("pytest", cwd=course)
    assert answer.returncode == 4
    assert "autograder 3.7.7 is installed in " in answer.stderr


@pytest.mark.parametrize("arguments", [["--version"], ["verify"], ["--help"]])
def test_over_another_package_of_its_name_the_grader_does_not_start(mixed, course, arguments):
    answer = mixed.run("autograder", *arguments, cwd=course)
    assert answer.returncode == 2
    assert answer.stdout == ""
    assert answer.stderr.startswith("autograder: autograder 3.7.7 is installed in ")
    assert "pip uninstall autograder micro-autograd-autograder" in answer.stderr
