"""The suites run in-process: their scores are printed only if one process ran them."""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]


def lines_of(*options):
    """Return what pytest prints about one file of the public suite."""
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "tests_public/test_reuse.py", *options]
    return subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=False).stdout.splitlines()


def test_one_process_prints_the_score():
    manifest = (ROOT / "tests_public/manifest.txt").read_text("utf-8").splitlines()
    points = sum(float(line.split()[0]) for line in manifest if "test_reuse.py::" in line)
    assert [line for line in lines_of() if "score" in line] == [
        f"public score: {points:g} / {points:g} (not every test of the suite was run)"
    ]


def test_several_processes_say_why_they_print_none():
    pytest.importorskip("xdist")
    assert [line for line in lines_of("-n", "2") if "score" in line] == [
        "no score: run the suites without -n, since one process must count their points"
    ]
