"""What a student reads names no place on the machine, and is the same in every run, at every level of isolation."""

import os
import sys
import tempfile
from pathlib import Path

import pytest

from autograder.assignment import load_assignment
from autograder.grading import grade, last
from autograder.model import Level
from autograder.results.gradescope import results_bytes
from autograder.sandbox import isolation

from .support.course import make_course
from .support.exports import write_folder

# Each says where it lies in another way: an exception's text and notes, printed text, a warning, a traceback.
AT_IMPORT = {
    "exception": "raise ValueError(__file__)",
    "quoted": "raise ValueError(repr(__file__) + str([__file__, random.__file__]))",
    "uri": "raise ValueError(f'file://{__file__}')",
    "module": "raise ValueError(random)",
    "missing name": "from random import nothing_of_that_name",
    "missing file": "open('weights.txt')",
    "missing file by its path": "open(__file__ + '.weights')",
    "own class": "class Lost(Exception): pass\nraise Lost(f'looked in {sys.path} and {__file__}:3')",
    "printed": "print(__file__, random.__file__, sys.path, sys.prefix + '/lib/x')\nraise ValueError",
    "printed to stderr": "print(f'{__file__}:1: UserWarning', file=sys.stderr)\nraise ValueError",
    "traceback": "try:\n    1 / 0\nexcept ZeroDivisionError:\n    print(traceback.format_exc())\nraise ValueError",
    "syntax error": "exec(compile('x = = 1', __file__, 'exec'))",
}
IMPORTS = "import random, sys, traceback\n"


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    made = make_course(tmp_path_factory.mktemp("course"))
    made.edit("pyproject.toml", 'imports = ["math"]', 'imports = ["math", "random", "sys", "traceback"]')
    return load_assignment(made.root)


def graded(source, course, level):
    return results_bytes(last(grade(course, source, level=level)), course).decode()


def levels():
    """Return every level that this machine gives: below STRONG a worker sees where it lies."""
    return [level for level in sorted(Level) if level <= isolation.strongest()]


def places():
    """Return the texts that would say where the grader's files lie."""
    fixed = {tempfile.gettempdir(), sys.prefix, sys.base_prefix, str(Path(os.__file__).parent), str(Path.home())}
    return {place for place in fixed if len(place) > 1}


@pytest.mark.slow
@pytest.mark.parametrize("level", levels(), ids=lambda level: level.name)
def test_no_text_of_a_submission_says_where_it_lies(tmp_path, course, level):
    found = {}
    for name, code in AT_IMPORT.items():
        shown = graded(write_folder(tmp_path / name, {"doubling.py": IMPORTS + code}), course, level)
        found[name] = {place for place in places() if f"{place}/" in shown or f'{place}\\"' in shown}
    assert {key: leaked for key, leaked in found.items() if leaked} == {}


@pytest.mark.slow
@pytest.mark.parametrize("level", levels(), ids=lambda level: level.name)
def test_two_runs_of_the_same_files_show_the_same(tmp_path, course, level):
    text = IMPORTS + f"print(__file__, sys.path)\n\ndef double(x):\n    {AT_IMPORT['own class'].splitlines()[1]}\n"
    source = write_folder(tmp_path / "submission", {"doubling.py": text.replace("Lost", "ValueError")})
    first, second = (without_times(graded(source, course, level)) for _ in range(2))
    assert first == second


def without_times(results):
    return [line for line in results.splitlines() if "execution_time" not in line and "seconds" not in line]


def test_a_worker_knows_the_places_that_are_kept_from_the_student(tmp_path, course):  # the control
    name = "len(__file__ + random.__file__)"
    code = f"{IMPORTS}raise ValueError({name} if len(__file__) > 9 else 'short')"
    shown = graded(write_folder(tmp_path / "s", {"doubling.py": code}), course, Level.PROCESS)
    number = int(shown.partition("ValueError: ")[2].partition('"')[0].partition("\\n")[0].split()[0].rstrip("."))
    assert number > len("/doubling.py/random.py")
