"""`pytest --diagnose` on the student's own machine: the same mistakes, the same words, and no answer in it."""

import ast
import importlib
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.diagnosis.codes import MISTAKES, sentence

from .small import ENGINE, assigning, edited

ROOT = Path(__file__).parents[2]
FILES = ("conftest.py", "diagnose.py", "recorder.py")
TEST = """
from pytest import approx


def test_it(engine):
    a, b = engine.Value(0.7), engine.Value(1.9)
    y = ({})
    y.backward()
    assert [y.data, a.grad, b.grad] == approx({})
"""


def said(folder, engine, formula, expected, option=("--diagnose",)):
    """Return what is said below the failure of one test, and what pytest printed."""
    for name in FILES:
        shutil.copy(ROOT / "starter" / name, folder)
    (folder / "engine.py").write_text(engine, "utf-8")
    (folder / "test_it.py").write_text(TEST.format(formula, expected), "utf-8")
    command = [sys.executable, "-B", "-m", "pytest", *option, "-q", "-p", "no:cacheprovider"]
    answer = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", check=False)
    return re.findall(r"-+ Diagnosis -+\n(.+)", answer.stdout), answer.stdout + answer.stderr


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
def test_the_mistake_is_named_in_the_graders_words(tmp_path, code, subjects, engine, formula):
    found, printed = said(tmp_path, engine, formula, "[0, 0, 0]")
    assert found == [sentence(code, subjects)], printed


def test_of_a_right_engine_nothing_is_said_though_a_test_fails(tmp_path):
    found, printed = said(tmp_path, ENGINE, "a * a + b.exp() / a", "[0, 0, 0]")
    assert found == []
    assert "1 failed" in printed


def test_without_the_option_nothing_is_said(tmp_path):
    found, printed = said(tmp_path, assigning("*"), "a * a + b", "[0, 0, 0]", option=())
    assert found == []
    assert "1 failed" in printed


def test_the_words_are_the_graders():
    diagnose = importlib.import_module("diagnose")
    own = {code: text.replace("{it}", "`*`") for code, text in diagnose.SAYS.items() if code != "changes-operand"}
    assert own == {code: sentence(code, ["*"]) for code in own}
    assert diagnose.SAYS.keys() <= MISTAKES.keys()


def test_the_files_hold_no_local_derivative_and_no_backward_pass():
    texts = "".join((ROOT / "solution" / name).read_text("utf-8") for name in FILES[1:])
    names = {node.attr for node in ast.walk(ast.parse(texts)) if isinstance(node, ast.Attribute)}
    assert names & {"cosh", "parents", "partials", "_prev", "_backward"} == set()
    assert "reversed(topo" not in texts
