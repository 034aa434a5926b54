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
from pytest import approx

from autograder.diagnosis.codes import sentence
from autograder.diagnosis.reasoning.slopes import partials_of
from autograder.diagnosis.reasoning.values import value_of

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


def said(folder, source, formula):
    """Return what is said after a failed test of a and b: (code, operator), or None."""
    diagnose, recorder = importlib.import_module("given.diagnose"), importlib.import_module("given.recorder")
    (folder / "engine.py").write_text(source, "utf-8")
    engine = ModuleType("engine")
    engine.__file__ = str(folder / "engine.py")
    exec(compile(source, engine.__file__, "exec"), vars(engine))
    error: BaseException = AssertionError()
    with recorder.Recorder(engine) as record:
        try:
            eval(formula, {"a": record.Value(0.7), "b": record.Value(1.9)}).backward()
        except Exception as problem:  # noqa: BLE001 - a wrong engine may raise anything
            error = problem
    found = diagnose.Diagnosis().diagnosed(record, error)
    return (found.code, found.subject) if found else None


def printed(folder, *option):
    """Return what pytest prints in a student's folder whose engine overwrites gradients in `*`."""
    shutil.copy(ROOT / "starter/conftest.py", folder)
    shutil.copytree(ROOT / "starter/given", folder / "given")
    (folder / "engine.py").write_text(assigning("*"), "utf-8")
    (folder / "test_it.py").write_text(TEST, "utf-8")
    command = [sys.executable, "-B", "-m", "pytest", *option, "-q", "-p", "no:cacheprovider"]
    return subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", check=False).stdout


BOUND = "# exp\n        out._backward"
CHILDREN = ("set(_children)", "tuple(_children)")
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
        ("operator-missing", ["**"], edited(("__pow__", "__power__")), "a ** 2 + b"),
        ("operator-missing", ["tanh"], edited(("def tanh", "def tan")), "a.tanh() + b"),
        ("operator-missing", ["unary -"], edited(("__neg__", "__minus__")), "-a + b"),
        ("missing-return", ["exp"], edited((f"{BOUND} = _backward\n        return out", "")), "a.exp() * b"),
        ("output-not-seeded", [], edited(("        self.grad = 1.0\n", "")), "a * b"),
        ("only-output", [], edited(("reversed(topo)", "topo")), "(a * b).tanh()"),
        ("visited-again", [], edited((TOPO, TOPO[4:]), CHILDREN), "(lambda c: c + c)(a * b)"),
    ],
)  # fmt: skip
def test_the_mistake_is_named(tmp_path, code, subjects, engine, formula):
    assert said(tmp_path, engine, formula) == (code, "".join(subjects))


def test_of_a_right_engine_nothing_is_said_though_a_test_fails(tmp_path):
    assert said(tmp_path, ENGINE, "a * a + b.exp() / a - 2 / b + sum([a, -b])") is None


@pytest.mark.parametrize("file", CORRECT, ids=lambda file: file.stem)
def test_of_a_correct_engine_of_any_style_nothing_is_said(monkeypatch, tmp_path, file):
    monkeypatch.setitem(sys.modules, "engine", ModuleType("engine"))  # where a dataclass looks for its annotations
    assert (
        said(tmp_path, file.read_text("utf-8"), "a * a + b.exp() / a - 2 / b.tanh() + sum([a, -b]).relu() ** 2") is None
    )


def test_it_stands_below_the_failure_with_its_line_and_again_at_the_end(tmp_path):
    text = printed(tmp_path, "--diagnose")
    told = sentence("overwrites-gradient", ["*"])
    below = re.findall(r"-+ Diagnosis -+\n(.+)\n(.+)", text)
    assert [first for first, _ in below] == [told]
    assert re.fullmatch(r"engine\.py line 2[12]: `(self|other)\.grad = .*` put \S+ where \S+ was; .*", below[0][1])
    assert f"1. {told} See " in text


def test_without_the_option_nothing_is_said(tmp_path):
    text = printed(tmp_path)
    assert "1 failed" in text
    assert "Diagnosis" not in text


@pytest.mark.parametrize("file", sorted((ROOT / "autograder/diagnosis/reasoning").glob("*.py")), ids=lambda f: f.stem)
def test_the_reasoning_is_the_graders_but_for_the_slopes(file):
    first, _, rest = (ROOT / "solution/given/reasoning" / file.name).read_text("utf-8").partition("\n")
    assert (rest == file.read_text("utf-8")) == (file.stem != "slopes")
    assert ("Copied by" in first) == (file.stem != "slopes")


OPERATIONS = [
    ("add", (1.7, -0.6)),
    ("mul", (1.7, -0.6)),
    ("truediv", (1.7, -0.01)),
    ("pow", (-2.0, 3.0)),
    ("pow", (0.0, 1.0)),
    ("pow", (4.0, 0.5)),
    ("tanh", (2.9,)),
    ("exp", (20.0,)),
    ("relu", (0.003,)),
    ("relu", (0.0,)),
    ("neg", (1e-9,)),
]


@pytest.mark.parametrize(("operation", "x"), OPERATIONS)
def test_central_differences_are_as_good_as_the_formulas(operation, x):
    slopes = importlib.import_module("given.reasoning.slopes")
    y = value_of(operation, x)
    right = approx(partials_of(operation, x, y), rel=1e-9, abs=1e-9)
    assert slopes.partials_of(operation, x, y) == right


def test_the_files_hold_no_local_derivative_and_no_backward_pass():
    texts = "".join(file.read_text("utf-8") for file in (ROOT / "solution/given").rglob("*.py"))
    names = {node.attr for node in ast.walk(ast.parse(texts)) if isinstance(node, ast.Attribute)}
    assert names & {"cosh", "_prev", "_backward"} == set()
    formulas = re.findall(
        r'": (lambda x, y: .*),', (ROOT / "autograder/diagnosis/reasoning/slopes.py").read_text("utf-8")
    )
    assert len(formulas) == 8
    assert [formula for formula in formulas if formula in texts] == []
    assert "reversed(topo" not in texts
