"""What the documentation tells an instructor to do, done as it stands there with an installed grader."""

import os
import re
import shutil
import sys
from pathlib import Path

import pytest

from .support.environment import installed_grader
from .support.walkthrough import blocks, walk

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="the pages show a shell"),
]

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "docs/example-assignment"


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    """The variables of a shell in which `autograder` is the installed grader."""
    home = installed_grader(tmp_path_factory.mktemp("installed")).home
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "AUTOGRADER"))}
    return kept | {"PATH": f"{home / 'bin'}{os.pathsep}{os.environ['PATH']}"}


def test_the_instructors_page_is_done_step_by_step(environment, tmp_path):
    page = ROOT / "docs/instructors.md"
    ignored = shutil.ignore_patterns("__pycache__", "dist", ".autograder_cache")
    done = walk(page, shutil.copytree(EXAMPLE, tmp_path / "course", ignore=ignored), environment)
    assert {command.split()[1] for command in done if command.startswith("autograder")} == {
        "bundle",
        "manifest",
        "verify",
    }
    assert blocks(page) > len(done) / 2


def test_a_homework_on_a_class_is_written_step_by_step_and_is_the_example(environment, tmp_path):
    done = walk(ROOT / "docs/new-assignment.md", tmp_path, environment)
    assert {"new", "starter", "manifest", "verify", "bundle"} <= {command.split()[1] for command in done}
    assert files_of(tmp_path / "rationals") == files_of(ROOT / "docs/example-rationals")


def files_of(course):
    """Return the files of a course that its author commits; the seed is drawn for each."""
    made = {"dist", "unpacked", "__pycache__", ".autograder_cache", ".pytest_cache"}
    names = [path.relative_to(course) for path in course.rglob("*") if path.is_file()]
    texts = {name.as_posix(): (course / name).read_text("utf-8") for name in names if not made & {*name.parts}}
    return {name: re.sub(r"^seed = \d+", "seed = 0", text, flags=re.MULTILINE) for name, text in texts.items()}
