"""The demonstration works with any engine, breaks a rule on request, and names the task that is missing."""

import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).parents[3]
CORRECT = ROOT / "autograder/tests/mistakes/correct"
ENGINES = [ROOT / "solution/engine.py", *(CORRECT / name for name in ("closures.py", "slots.py", "tape.py"))]


def demo(folder, *arguments):
    """Run demo.py as a student does, in the folder that holds the homework."""
    command = [sys.executable, "-B", "demo.py", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, encoding="utf-8", check=False)


def row(result, expression):
    """Return what was printed for an expression: the derivatives for a and b, each right and broken; the verdict."""
    (line,) = [line for line in result.stdout.splitlines() if line.startswith(expression + "  ")]
    *numbers, verdict, it = line.removeprefix(expression).split()
    return [float(number) for number in numbers], f"{verdict} {it}"


@pytest.fixture(params=ENGINES, ids=lambda path: path.stem)
def folder(request, tmp_path):
    """Return a folder with the demonstration and one correct engine."""
    shutil.copy(request.param, tmp_path / "engine.py")
    shutil.copy(ROOT / "solution/demo.py", tmp_path)
    return tmp_path


def test_broken_product_shows_in_a_square_and_hides_in_a_product_of_two(folder):
    result = demo(folder, "--break", "mul", "a * a", "a * b", "a * a + a")
    assert row(result, "a * a") == ([6.0, 3.0, 0.0, 0.0], "shows it")  # the second share replaces the first
    assert row(result, "a * b") == ([2.0, 2.0, 3.0, 3.0], "hides it")


def test_broken_sum_halves_a_plus_a(folder):
    assert row(demo(folder, "--break", "add"), "a + a") == ([2.0, 1.0, 0.0, 0.0], "shows it")


def test_breaking_a_rule_does_not_last():
    result = demo(ROOT / "solution", "--break", "tanh", "a.tanh() + a.tanh()", "a.tanh()", "a.tanh() + a.tanh()")
    lines = [line for line in result.stdout.splitlines() if line.startswith("a.tanh() + a.tanh()")]
    assert lines[0] == lines[1]


def test_line_is_fitted():
    result = demo(ROOT / "solution", "line")
    assert "step 100   y = 2.0000 x -1.0000" in result.stdout


def test_without_nn_the_first_demonstration_still_works(folder):
    result = demo(folder, "xor", "line")
    assert "step 150" in result.stdout
    assert "This needs nn.py, of part 4" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "task"), [((), "task 1.1"), (("line",), "task 4.4"), (("--break", "mul"), "task 1.1")]
)
def test_starter_names_the_missing_task(arguments, task):
    result = demo(ROOT / "starter", *arguments)
    assert result.stderr.strip() == f"This needs {task}, which is not written yet. README.md says what belongs there."
    assert result.returncode == 1


def test_the_drawing_of_the_handout_is_what_an_engine_draws(folder):
    shutil.copytree(ROOT / "solution/given", folder / "given")
    demo(folder, "graph")
    drawn = (folder / "graph.svg").read_text("utf-8")
    texts = [element.text for element in ElementTree.fromstring(drawn).iter() if element.text and element.text.strip()]
    assert drawn == (ROOT / "starter/graph.svg").read_text("utf-8")
    assert "gradient of a: 3 · 1 + 3 · 1 + 1 · 1 = 7" in texts
