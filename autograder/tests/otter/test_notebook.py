"""The cell that the handout gives for Jupyter and Colab, run by a real kernel beside a student's engine.py.

`make otter` runs this: its environment has nbclient and a kernel, which nothing else here needs.
"""

import re
import shutil
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

ROOT = Path(__file__).parents[3]
SOLUTION = (ROOT / "solution/engine.py").read_text("utf-8")
(CELL,) = re.findall(r"```\n(import sys\n!.*?)```", (ROOT / "starter/README.md").read_text("utf-8"), re.DOTALL)

pytestmark = pytest.mark.slow


@pytest.fixture
def folder(tmp_path):
    """Return what a student unpacks, in a folder whose name has a blank."""
    folder = tmp_path / "my homework"
    shutil.copytree(ROOT / "starter", folder)
    shutil.copytree(ROOT / "tests_public", folder / "tests_public", ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def printed(folder, *cells):
    """Run a notebook of these cells in `folder`; return what each of them printed."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    NotebookClient(
        notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(folder)}}
    ).execute()
    return ["".join(output.get("text", "") for output in cell.outputs) for cell in notebook.cells]


def test_the_cell_runs_the_tests_on_the_engine_beside_the_notebook(folder):
    (folder / "engine.py").write_text(SOLUTION, "utf-8")
    assert "public score: 40 / 40" in printed(folder, CELL)[0]


def test_the_cell_sees_an_engine_that_was_saved_since_it_ran_last(folder):
    save = f"%%writefile engine.py\n{SOLUTION}"
    first, _, second = printed(folder, CELL, save, CELL)
    assert "public score: 0 / 40" in first
    assert "public score: 40 / 40" in second


def test_the_cell_takes_options_at_its_end(folder):
    (folder / "engine.py").write_text(SOLUTION.replace("parent.grad += partial", "parent.grad = partial"), "utf-8")
    assert "diagnosis.html shows the backward pass of" in printed(folder, f"{CELL.rstrip()} --diagnose")[0]


def test_a_notebook_elsewhere_goes_into_the_folder_first(folder):
    (folder / "engine.py").write_text(SOLUTION, "utf-8")
    assert "public score: 40 / 40" in printed(folder.parent, f"%cd {folder.name}", CELL)[1]
