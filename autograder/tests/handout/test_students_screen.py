"""`pytest` in the student's folder is one screen: what is done, one line per failing test, the one next thing."""

import ast
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.standard_library import EXCLUDED

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
SOLUTION = (ROOT / "solution/engine.py").read_text("utf-8")
STARTER = (ROOT / "starter/engine.py").read_text("utf-8")
RECURSIVE = re.compile(r"    order: list\[Value\] = \[\]\n.*?    return order\n", re.DOTALL)
PLAIN_WALK = """    order, seen = [], set()
    def visit(node):
        if node not in seen:
            seen.add(node)
            for parent in node.parents:
                visit(parent)
            order.append(node)
    visit(output)
    return order
"""


@pytest.fixture
def home(tmp_path):
    """Return the untouched handout, in a folder below one with a pytest configuration of its own."""
    (tmp_path / "pyproject.toml").write_text("[tool.pytest.ini_options]\ntestpaths = ['elsewhere']\n", "utf-8")
    home = tmp_path / "homework"
    shutil.copytree(ROOT / "starter", home)
    shutil.copytree(ROOT / "tests_public", home / "tests_public")
    return home


def run(folder, *arguments):
    command = [sys.executable, "-B", "-m", "pytest", "-p", "no:cacheprovider", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", check=False)


def write(home, text):
    (home / "engine.py").write_text(text, "utf-8")


def with_method(text, name):
    """Return `text` with the solution's method of that name."""
    pattern = re.compile(rf"    def {name}\(.*?(?=\n\n)", re.DOTALL)
    (found,) = pattern.findall(SOLUTION)
    return pattern.sub(lambda _: found, text, count=1)


def test_the_untouched_handout_is_one_screen_that_names_the_first_task(home):
    answer = run(home)
    assert answer.returncode == 1
    assert len(answer.stdout.splitlines()) <= 24
    assert "next: task 1.1, test_value_of_sum_and_product[a + b]." in answer.stdout


def test_a_right_operator_shows_before_the_backward_pass_exists(home):
    write(home, with_method(with_method(STARTER, "__add__"), "__mul__"))
    assert re.search(r"1\.1  0\.5 / 2 +values right; the gradients wait for task 2\.2", run(home).stdout)


def test_an_engine_written_anew_waits_for_its_backward_pass(home):
    write(home, SOLUTION.replace("def backward(", "def not_yet("))
    assert re.search(r"1\.4  0\.75 / 4\.25 +values right; the gradients wait for task 2\.2", run(home).stdout)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("input()", "the file waits for `input()` when it is imported"),
        ("exit()", "the file ends Python when it is imported"),
        ("get_ipython().system('ls')", "`get_ipython()` is a command of a notebook"),
        ("!pip install numpy", "`!pip install numpy` is a command of a notebook"),
        ("```python", "````python` is a fence of Markdown"),
    ],
)
def test_what_a_file_must_not_do_at_its_import_is_named_with_its_line(home, line, said):
    write(home, f"{STARTER}{line}\n")
    assert f"engine.py, line {len(STARTER.splitlines()) + 1}: {said}" in run(home).stderr


def test_a_file_without_the_class_is_named(home):
    write(home, "")
    assert "engine.py defines no class `Value`" in run(home).stderr


def test_a_file_that_may_be_the_one_that_was_meant_is_named(home):
    (home / "engine (1).py").write_text(SOLUTION, "utf-8")
    assert "note: the tests read engine.py alone, not engine (1).py" in run(home).stdout


def test_a_run_of_other_tests_as_well_is_left_as_it_is(home):
    write(home, SOLUTION)
    (home.parent / "test_mine.py").write_text("def test_mine():\n    assert 1.0 == 2.0\n", "utf-8")
    answer = run(home.parent, ".")
    assert "assert 1.0 == 2.0" in answer.stdout
    assert "expected" not in answer.stdout


def test_a_wrong_value_fails_before_the_backward_pass_exists(home):
    write(home, with_method(with_method(STARTER, "__add__"), "__mul__").replace("a.data + b.data", "a.data - b.data"))
    assert "1.1  test_sum: expected -1.0, got 5.0" in run(home).stdout


@pytest.mark.parametrize("where", [".", "tests_public"])
def test_the_finished_engine_has_its_points_from_every_folder(home, where):
    write(home, SOLUTION)
    answer = run(home / where)
    assert answer.returncode == 0
    assert answer.stdout.endswith("public score: 40 / 40\n")


def test_the_parent_folder_may_run_it(home):
    write(home, SOLUTION)
    assert run(home.parent, "homework/tests_public").stdout.endswith("public score: 40 / 40\n")


def test_windows_line_ends_change_nothing(home):
    (home / "engine.py").write_bytes(SOLUTION.replace("\n", "\r\n").encode())
    assert run(home).stdout.endswith("public score: 40 / 40\n")


def test_discovery_shows_no_score(home):
    answer = run(home, "--collect-only", "-q")
    assert answer.returncode == 0
    assert "tests_public/test_known_values.py::test_sum\n" in answer.stdout
    assert "score:" not in answer.stdout


def test_a_syntax_error_is_one_line_with_its_place(home):
    write(home, STARTER + "def broken(:\n")
    answer = run(home)
    line = len(STARTER.splitlines()) + 1
    assert answer.returncode != 0
    assert [found for found in answer.stderr.splitlines() if found] == [
        f"ERROR: engine.py, line {line}: SyntaxError: invalid syntax. No test can run before that."
    ]


def test_an_exception_at_import_names_the_line(home):
    write(home, STARTER + "x = 1 / 0\n")
    assert f"engine.py, line {len(STARTER.splitlines()) + 1}: ZeroDivisionError" in run(home).stderr


@pytest.mark.parametrize(("module", "reason"), [("socket", "the network"), ("pytest", "standard library alone")])
def test_an_import_that_the_grader_refuses_stops_the_run(home, module, reason):
    write(home, SOLUTION.replace("import math\n", f"import math\nimport {module}\n", 1))
    answer = run(home)
    assert answer.returncode != 0
    assert f"the grader refuses to import {module}" in answer.stderr
    assert reason in answer.stderr
    assert "score:" not in answer.stdout


def test_the_handout_refuses_what_the_grader_refuses():
    source = ast.parse((ROOT / "solution/given/grader_imports.py").read_text("utf-8"))
    copied = next(node.value for node in source.body if isinstance(node, ast.Assign))
    assert eval(ast.unparse(copied)) == EXCLUDED


def test_an_import_of_a_file_beside_it_is_allowed(home):
    (home / "mine.py").write_text("", "utf-8")
    write(home, SOLUTION.replace("import math\n", "import math\nimport mine\n", 1))
    assert run(home).stdout.endswith("public score: 40 / 40\n")


def test_the_first_failure_is_one_that_earns_points(home):
    write(home, SOLUTION.replace("(1.0 / self.data,)", "(2.0,)").replace("(-1.0,)", "(1.0,)"))
    answer = run(home, "-x")
    assert "next: task 1.2, test_negation" in answer.stdout
    assert "1 failed" in answer.stdout


def test_what_the_contract_leaves_open_is_reported_and_not_failed(home):
    write(home, RECURSIVE.sub(PLAIN_WALK, SOLUTION))
    answer = run(home, "--further")
    assert answer.returncode == 0
    assert "reported, left open by the contract: test_deep_graph: RecursionError" in answer.stdout


def test_a_second_backward_is_reported_with_its_number(home):
    write(home, SOLUTION.replace("            node.grad = 0.0\n", "            pass\n"))
    answer = run(home, "--further")
    assert "test_second_backward: expected 14.0, got 2" in answer.stdout
    assert answer.returncode == 0


def test_details_are_shown_on_request(home):
    write(home, SOLUTION.replace("(-1.0,)", "(1.0,)"))
    assert "Minus a value is an operation too" in run(home, "-v").stdout
    assert ">       assert a.grad == approx(-1.0)" in run(home, "-v").stdout
    assert ">       assert" not in run(home).stdout


def test_the_table_of_the_handout_has_the_points_of_the_suite():
    manifest = (ROOT / "tests_public/manifest.txt").read_text("utf-8")
    rows = re.findall(
        r"^\| \d\.\d .*?\| ([\d.]+)(?: \+ ([\d.]+))? \|", (ROOT / "starter/README.md").read_text("utf-8"), re.MULTILINE
    )
    values = sum(float(points) for points in re.findall(r"^ *([\d.]+)  public/test_values\.py", manifest, re.MULTILINE))
    assert len(rows) == 6
    assert sum(float(first) for first, second in rows if second) == values
    assert sum(float(number or 0) for row in rows for number in row) == 40
