"""`pytest --diagnose` writes diagnosis.html on the student's own machine, and names it."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ..support.small import assigning

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
TESTS = """
import pytest
from pytest import approx

def test_value(engine):
    assert engine.Value(2.0).data == 3.0

def test_square(engine):
    unused = engine.Value(1.0)
    a = engine.Value(3.0)
    (a * a + a).backward()
    assert a.grad == approx(7.0)

def test_later(engine):
    a = engine.Value(5.0)
    (a * a).backward()
    assert a.grad == approx(10.0)
"""


def run(folder, engine, *options):
    """Return what pytest prints in a student's folder with this engine."""
    for name in ("conftest.py", "pytest.ini"):
        shutil.copy(ROOT / "starter" / name, folder)
    shutil.copytree(ROOT / "starter/given", folder / "given", dirs_exist_ok=True)
    (folder / "engine.py").write_text(engine, "utf-8")
    (folder / "test_it.py").write_text(TESTS, "utf-8")
    command = [sys.executable, "-B", "-m", "pytest", "test_it.py", *options, "-p", "no:cacheprovider"]
    return subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", check=False).stdout


def film(folder):
    page = (folder / "diagnosis.html").read_text("utf-8")
    (data,) = re.findall(r'<script type="application/json" id="film">(.*)</script>', page)
    return page, json.loads(data)


def test_the_first_failing_test_with_a_backward_pass_is_filmed_and_named(tmp_path):
    printed = run(tmp_path, assigning("*"), "--diagnose")
    page, shown = film(tmp_path)
    assert f"{tmp_path / 'diagnosis.html'} shows the backward pass of test_square, line by line" in printed
    (wrong,) = [frame for frame in shown["frames"] if frame["wrong"]]
    line = assigning("*").splitlines()[wrong["line"] - 1].strip()
    assert line.startswith("self.grad = other.data * out.grad")
    assert (wrong["to"], wrong["expected"]) == ("3", "4")
    assert "overwrites the gradient" in page


def test_values_that_the_pass_does_not_reach_are_left_out(tmp_path):
    run(tmp_path, assigning("*"), "--diagnose")
    _, shown = film(tmp_path)
    assert shown["data"] == ["3", "9", "12"]


def test_a_rule_that_raises_is_filmed_up_to_there(tmp_path):
    engine = assigning("*").replace("self.grad = other.data * out.grad", "self.grad += other.dat * out.grad")
    run(tmp_path, engine, "--diagnose")
    _, shown = film(tmp_path)
    assert shown["frames"][-1]["says"].startswith("The pass broke off: AttributeError: ")


def test_without_the_option_nothing_is_written(tmp_path):
    assert "diagnosis.html" not in run(tmp_path, assigning("*"))
    assert not (tmp_path / "diagnosis.html").exists()


def test_a_page_of_an_earlier_run_does_not_stay_when_its_mistake_is_gone(tmp_path):
    run(tmp_path, assigning("*"), "--diagnose")
    printed = run(tmp_path, (ROOT / "solution/engine.py").read_text("utf-8"), "--diagnose")
    assert "diagnosis.html" not in printed
    assert not (tmp_path / "diagnosis.html").exists()
