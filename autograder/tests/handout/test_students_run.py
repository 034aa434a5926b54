"""A student's own run says what was skipped, why, and that no points hang on it."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
NO_NUMPY = "raise ModuleNotFoundError(\"No module named 'numpy'\", name='numpy')\n"


@pytest.fixture
def folder(tmp_path):
    """Return the handout as a student has it when the scored part is done."""
    shutil.copytree(ROOT / "starter", tmp_path, dirs_exist_ok=True)
    shutil.copytree(ROOT / "tests_public", tmp_path / "tests_public")
    text = (ROOT / "solution/engine.py").read_text("utf-8")
    text = text.partition("    # Part 3.")[0]
    (tmp_path / "engine.py").write_text(text, "utf-8")
    return tmp_path


def run(folder, *arguments):
    command = [sys.executable, "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "error", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", check=False)


def test_a_part_that_is_not_begun_fails_nothing(folder):
    answer = run(folder, "--deselect", "tests_public/test_further_graph.py::test_deep_graph")
    assert answer.returncode == 0, answer.stdout
    assert "not begun: task 4.1" in answer.stdout
    assert "not begun: 'Value' object has no attribute 'log'" in answer.stdout
    assert "going further, worth no points:" in answer.stdout


def test_the_score_is_that_of_the_scored_tests(folder):
    assert run(folder).stdout.rstrip().endswith("public score: 40 / 40")


CASES = """
import pytest

@pytest.mark.points(1)
@pytest.mark.parametrize("x", [1.0, pytest.param(2.0, marks=pytest.mark.points(2))])
def test_value(engine, x):
    assert engine.Value(x).data == x
"""


def test_the_points_of_a_case_count_in_place_of_its_test_s(folder):
    shutil.rmtree(folder / "tests_public")
    (folder / "tests_public").mkdir()
    (folder / "tests_public/test_cases.py").write_text(CASES, "utf-8")
    assert "public score: 3 / 3" in run(folder).stdout


def test_without_numpy_the_array_parts_are_skipped_with_the_reason(folder):
    (folder / "numpy.py").write_text(NO_NUMPY, "utf-8")
    answer = run(folder, "tests_public/test_further_layers.py", "tests_public/test_further_gradcheck.py")
    assert answer.returncode == 0
    assert "skipped: layers.py needs NumPy: pip install numpy" in answer.stdout


def test_without_a_file_its_part_is_skipped(folder):
    (folder / "nn.py").unlink()
    answer = run(folder, "tests_public/test_further_networks.py")
    assert answer.returncode == 0
    assert "skipped: there is no nn.py" in answer.stdout


def test_without_torch_parity_is_skipped(folder):
    (folder / "torch.py").write_text(NO_NUMPY.replace("numpy", "torch"), "utf-8")
    answer = run(folder, "tests_public/test_torch_parity.py")
    assert answer.returncode == 0
    assert "skipped: PyTorch is not installed: pip install torch" in answer.stdout


def test_a_begun_task_that_is_wrong_fails(folder):
    (folder / "nn.py").write_text("from engine import Value\n\ndef descend(parameters, rate):\n    pass\n", "utf-8")
    answer = run(folder, "tests_public/test_further_networks.py::test_a_step_down")
    assert answer.returncode == 1
    assert "going further, worth no points: 1 failed" in answer.stdout


def test_a_mistake_in_a_scored_task_is_no_skip(folder):
    (folder / "engine.py").write_text((ROOT / "starter/engine.py").read_text("utf-8"), "utf-8")
    answer = run(folder, "tests_public/test_reuse.py")
    assert answer.returncode == 1
    assert "worth no points" not in answer.stdout
