"""The script that Gradescope runs, with a grader that says what it was given."""

import shutil
import sys

import pytest

from ..support.small_bundle import ROOT, run_autograder

pytestmark = pytest.mark.slow


@pytest.fixture
def laid_out(tmp_path):
    """Give a directory laid out as /autograder, whose image was built."""
    for name in ("source/venv/bin", "submission"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "source/ready").touch()
    (tmp_path / "source/venv/bin/python").write_text('#!/bin/sh\necho "$@"\nenv\n', encoding="utf-8")
    (tmp_path / "source/venv/bin/python").chmod(0o755)
    for place in (tmp_path, tmp_path / "source"):
        shutil.copy(ROOT / "autograder/bundle/image/run_autograder", place)
    return tmp_path


@pytest.mark.skipif(sys.platform == "win32", reason="the script runs on Gradescope's Linux")
@pytest.mark.parametrize("place", [".", "source"])
def test_a_run_starts_the_grader_of_the_image_on_its_directory(laid_out, place):
    arguments = run_autograder(laid_out, place).stdout.splitlines()[0]
    assert arguments == f"-I -m autograder gradescope --root {laid_out}"


@pytest.mark.skipif(sys.platform == "win32", reason="the script runs on Gradescope's Linux")
def test_the_environment_of_the_harness_reaches_nobody(laid_out):
    given = run_autograder(laid_out).stdout
    assert "LANG=C.UTF-8" in given
    assert "4711" not in given


@pytest.mark.skipif(sys.platform == "win32", reason="the script runs on Gradescope's Linux")
def test_a_run_in_an_image_that_was_not_built_says_so(laid_out):
    (laid_out / "source/ready").unlink()
    answer = run_autograder(laid_out)
    assert answer.returncode == 3
    assert "setup.sh did not finish when this image was built" in answer.stderr
