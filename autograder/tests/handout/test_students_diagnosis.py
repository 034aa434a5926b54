"""`pytest --diagnose` on the student's own machine: the same mistakes, the same words, and no answer in it."""

import ast
import importlib
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from autograder.diagnosis.codes import MISTAKES, sentence

from ..support.small import ENGINE, assigning, edited

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
CORRECT = sorted((Path(__file__).parents[1] / "mistakes/correct").glob("*.py"))
TEST = """
def test_it(engine):
    a = engine.Value(0.7)
    (a * a).backward()
    assert a.grad == 0
"""


def said(source, formula):
    """Return what is said after a failed test of a and b: (code, operator), or None."""
    diagnose, recorder = importlib.import_module("given.diagnose"), importlib.import_module("given.recorder")
    engine = ModuleType("engine")
    exec(source, vars(engine))
    error: BaseException = AssertionError()
    with recorder.Recorder(engine) as record:
        try:
            eval(formula, {"a": engine.Value(0.7), "b": engine.Value(1.9)}).backward()
        except Exception as problem:  # noqa: BLE001 - a wrong engine may raise anything
            error = problem
    return diagnose.diagnosis(record, error)


def printed(folder, *option):
    """Return what pytest prints in a student's folder whose engine overwrites gradients in `*`."""
    shutil.copy(ROOT / "starter/conftest.py", folder)
    shutil.copytree(ROOT / "starter/given", folder / "given")
    (folder / "engine.py").write_text(assigning("*"), "utf-8")
    (folder / "test_it.py").write_text(TEST, "utf-8")
    command = [sys.executable, "-B", "-m", "pytest", *option, "-q", "-p", "no:cacheprovider"]
    return subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", check=False).stdout


BOUND = "# exp\n        out._backward"
TOPO = "                topo.append(v)"


@pytest.mark.parametrize(
    ("code", "subjects", "engine", "formula"),
    [
        ("overwrites-gradient", ["*"], assigning("*"), "a * a + b"),
        ("overwrites-gradient", ["tanh"], assigning("tanh"), "a.tanh() + a.tanh() * b"),
        ("graph-cut", ["exp"], edited((BOUND, BOUND.replace("out.", "    out."))), "a.exp() * b"),
        ("rule-misplaced", ["exp"], edited((BOUND, BOUND.replace("out.", "self."))), "(a * 2).exp() * b"),
        ("forgets-out-grad", ["exp"], edited(("out.data * out.grad", "out.data")), "a.exp() * b"),
        ("wrong-sign", ["-"], edited(("+= -out.grad", "+= out.grad")), "a - b"),
        ("local-derivative", ["tanh"], edited(("1 - t ** 2", "1 - t")), "a.tanh() * b"),
        ("forward-value", ["tanh"], edited(("t = math.tanh", "t = 2 * math.tanh")), "a.tanh() * b"),
        ("reflected-swapped", ["__rsub__"], edited(("Value(other) - self", "self - other")), "(2 - a) * b"),
        ("reflected-recursive", ["__rsub__"], edited(("Value(other) - self", "other - self")), "(2 - a) * b"),
        ("reflected-missing", ["__radd__"], edited(("__radd__", "__rad__")), "2 + a * b"),
        ("missing-return", ["exp"], edited((f"{BOUND} = _backward\n        return out", "")), "a.exp() * b"),
        ("output-not-seeded", [], edited(("        self.grad = 1.0\n", "")), "a * b"),
        ("only-output", [], edited(("reversed(topo)", "topo")), "(a * b).tanh()"),
        ("visited-again", [], edited((TOPO, TOPO[4:]), ("set(_children)", "tuple(_children)")), "(a + b) * (a + b)"),
    ],
)  # fmt: skip
def test_the_mistake_is_named(code, subjects, engine, formula):
    assert said(engine, formula) == (code, "".join(f"`{subject}`" for subject in subjects))


def test_of_a_right_engine_nothing_is_said_though_a_test_fails():
    assert said(ENGINE, "a * a + b.exp() / a - 2 / b + sum([a, -b])") is None


@pytest.mark.parametrize("file", CORRECT, ids=lambda file: file.stem)
def test_of_a_correct_engine_of_any_style_nothing_is_said(monkeypatch, file):
    monkeypatch.setitem(sys.modules, "engine", ModuleType("engine"))  # where a dataclass looks for its annotations
    assert said(file.read_text("utf-8"), "a * a + b.exp() / a - 2 / b.tanh() + sum([a, -b]).relu() ** 2") is None


def test_it_stands_below_the_failure_when_it_is_asked_for(tmp_path):
    said_once = re.findall(r"-+ Diagnosis -+\n(.+)", printed(tmp_path, "--diagnose"))
    assert said_once == [sentence("overwrites-gradient", ["*"])]


def test_without_the_option_nothing_is_said(tmp_path):
    text = printed(tmp_path)
    assert "1 failed" in text
    assert "Diagnosis" not in text


def test_the_words_are_the_graders():
    diagnose = importlib.import_module("given.diagnose")
    own = {code: text.replace("{it}", "`*`") for code, text in diagnose.SAYS.items() if code != "changes-operand"}
    assert own == {code: sentence(code, ["*"]) for code in own}
    assert diagnose.SAYS.keys() <= MISTAKES.keys()


def test_the_files_hold_no_local_derivative_and_no_backward_pass():
    texts = "".join(file.read_text("utf-8") for file in (ROOT / "solution/given").glob("*.py"))
    names = {node.attr for node in ast.walk(ast.parse(texts)) if isinstance(node, ast.Attribute)}
    assert names & {"cosh", "parents", "partials", "_prev", "_backward"} == set()
    assert "reversed(topo" not in texts
