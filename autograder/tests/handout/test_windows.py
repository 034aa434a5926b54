"""The handout as Windows may have it: CRLF everywhere, a byte order mark in engine.py, and output in cp1252."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ..support.small import assigning

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
SOLUTION = (ROOT / "solution/engine.py").read_text("utf-8")


@pytest.fixture(scope="module")
def handout(tmp_path_factory):
    """Return the handout with CRLF at the end of each line."""
    folder = tmp_path_factory.mktemp("handout") / "micro autograd"
    ignored = shutil.ignore_patterns("__pycache__", ".*")
    shutil.copytree(ROOT / "starter", folder, ignore=ignored)
    shutil.copytree(ROOT / "tests_public", folder / "tests_public", ignore=ignored)
    for file in folder.rglob("*"):
        if file.is_file():
            file.write_bytes(file.read_bytes().replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))
    return folder


def run(handout, engine, *arguments):
    """Run Python in the handout with this engine, as Windows has it; return what it prints, in cp1252."""
    (handout / "engine.py").write_bytes(b"\xef\xbb\xbf" + engine.replace("\n", "\r\n").encode())
    environment = {**os.environ, "PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0"}
    done = subprocess.run(
        [sys.executable, "-B", *arguments], cwd=handout, env=environment, capture_output=True, check=False
    )
    return done.stdout.decode("cp1252"), done.stderr.decode("cp1252")


def film(file):
    (data,) = re.findall(r'<script type="application/json" id="film">(.*)</script>', file.read_text("utf-8"))
    return json.loads(data)


def test_the_public_tests_give_every_point(handout):
    printed, _ = run(handout, SOLUTION, "-m", "pytest", "-p", "no:cacheprovider")
    assert "public score: 40 / 40" in printed


def test_a_diagnosis_names_the_line_and_its_page_shows_it(handout):
    wrong = assigning("*")
    printed, _ = run(handout, wrong, "-m", "pytest", "-v", "--diagnose", "-k", "reused", "-p", "no:cacheprovider")
    lines = wrong.splitlines()
    (number,) = {int(found) for found in re.findall(r"engine\.py line (\d+)", printed)}
    assert lines[number - 1].strip().startswith(("self.grad = ", "other.grad = "))
    (step,) = [frame for frame in film(handout / "diagnosis.html")["frames"] if frame["wrong"]]
    assert step["line"] == number


def test_the_starter_names_its_first_task(handout):
    printed, _ = run(handout, (ROOT / "starter/engine.py").read_text("utf-8"), "-m", "pytest", "-p", "no:cacheprovider")
    assert "public score: 0 / 40" in printed
    assert "task 1.1" in printed


@pytest.mark.parametrize("arguments", [["film"], ["graph"], ["--help"], ["line"]], ids=lambda each: each[0])
def test_the_demonstrations_print_what_the_terminal_can_show(handout, arguments):
    shutil.copy(ROOT / "solution/nn.py", handout)
    printed, errors = run(handout, SOLUTION, "demo.py", *arguments)
    assert errors == ""
    assert printed


def test_a_film_shows_the_lines_without_their_ends(handout):
    run(handout, SOLUTION, "demo.py", "film", "a*a + a", "a=3")
    page = (handout / "film.html").read_bytes()
    assert b"\r" not in page
    assert "def backward(self)" in page.decode("utf-8")  # the whole function, so the file was understood
    assert [frame["wrong"] for frame in film(handout / "film.html")["frames"]] == [False] * 7
