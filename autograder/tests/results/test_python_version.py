"""Which Python graded is on record, and in the words for whoever wrote for a newer one."""

import json
import platform
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from autograder.cli import main

ROOT = Path(__file__).parents[3]
RUNNING = f"3.{sys.version_info.minor}"
IN_3_13 = pytest.mark.skipif(sys.version_info >= (3, 14), reason="this Python has them")


@pytest.fixture
def graded(tmp_path):
    """Grade the solution with a line added at its end, and return the results.json."""

    def run(line):
        source = (ROOT / "solution" / "engine.py").read_text("utf-8")
        (tmp_path / "engine.py").write_text(f"{source}\n{line}\n", "utf-8")
        command = ["grade", str(tmp_path / "engine.py"), "--json", "--suite", "public", "--root", str(ROOT)]
        answer = CliRunner().invoke(main, command)
        assert answer.exit_code == 0, answer.output
        return json.loads(answer.stdout)

    return run


def test_the_results_say_which_python_graded(graded):
    assert graded("")["extra_data"]["python"] == platform.python_version()


@IN_3_13
@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('label = t"{3}"', "t-strings need 3.14"),
        ("from typing import evaluate_forward_ref", "`typing.evaluate_forward_ref` needs 3.14"),
        ("import functools\nfunctools.Placeholder", "`functools.Placeholder` needs 3.14"),
        ("import annotationlib", "`annotationlib` needs 3.14"),
    ],
)
def test_a_file_for_a_newer_python_is_told_so_before_anything_else(graded, line, words):
    lines = graded(line)["output"].splitlines()
    assert f"Graded with Python {RUNNING}; {words}." in lines[1]
