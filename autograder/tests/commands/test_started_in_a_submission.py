"""A TA who stands in a student's folder and starts the grader runs nothing that lies there."""

import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[3]
COMMAND = Path(sys.executable).with_name("autograder")
MODULE = [sys.executable, "-m", "autograder"]
NAMES = ("click.py", "msgspec.py", "pathlib.py", "tomllib.py", "importlib_metadata.py", "pytest.py", "pkgutil.py")


@pytest.fixture
def started(tmp_path):
    """Return a function that starts a command in a folder whose modules say that they ran."""

    def start(command, names):
        for name in names:
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_text(f"print('ran {name}')\n", "utf-8")
        environment = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(REPOSITORY), "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run(
            [*map(str, command)], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False, timeout=60
        )
        return done.stdout + done.stderr

    return start


@pytest.mark.parametrize("verb", [["--version"], ["grade", "--help"], ["regrade", "--help"]], ids=" ".join)
def test_modules_in_the_folder_are_not_run_by_the_module(started, verb):
    said = started([*MODULE, *verb], [name for name in NAMES if name != "pkgutil.py"])
    assert "ran " not in said
    assert "autograder" in said


@pytest.mark.skipif(not COMMAND.is_file(), reason="the grader's command is not installed beside this interpreter")
@pytest.mark.parametrize("verb", [["--version"], ["grade", "--help"], ["regrade", "--help"]], ids=" ".join)
def test_nothing_in_the_folder_is_run_by_the_command_not_even_a_package_of_the_graders_name(started, verb):
    said = started([COMMAND, *verb], [*NAMES, "autograder/__init__.py", "autograder/__main__.py"])
    assert "ran " not in said
    assert "autograder" in said


@pytest.mark.parametrize("name", ["click.py", "pathlib.py"])
def test_a_module_in_the_folder_would_be_run_by_python_itself(started, name):  # the control
    assert f"ran {name}" in started([sys.executable, "-c", f"import {name.removesuffix('.py')}"], [name])


def test_a_package_of_the_graders_name_is_run_by_the_module_so_the_pages_name_the_command(started):  # the limit
    assert "ran autograder/__init__.py" in started(MODULE, ["autograder/__init__.py", "autograder/__main__.py"])
    for page in ("README.md", "docs/tas.md", "docs/instructors.md", "docs/new-assignment.md"):
        assert "python -m autograder" not in (REPOSITORY / page).read_text("utf-8")
