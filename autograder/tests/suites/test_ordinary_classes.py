"""A homework on ordinary classes: one text of its tests runs in the grader and in a student's plain pytest."""

import json
import shutil
import subprocess
import sys

import pytest

from ..support.course import Course

CONFIGURATION = """
[tool.autograder]
name = "boxes"
solution = "solution"
suites = [{ name = "public", path = "tests_public", points = 8 }]

[tool.autograder.modules.boxes]
file = "boxes.py"
"""
CONFTEST = """
import importlib

import pytest

MARKS = ("points(n)", "hint(text)")


@pytest.fixture
def boxes():  # given
    return importlib.import_module("boxes")


@pytest.fixture
def ask():  # given
    return lambda thing: thing


def pytest_configure(config):  # given
    for mark in MARKS:
        config.addinivalue_line("markers", mark)
"""
SOLUTION = """
class Box:
    def __init__(self, *items):
        if None in items:
            raise ValueError("a box holds no None")
        self.items = list(items)

    def __eq__(self, other):
        return self.items == other.items if isinstance(other, Box) else NotImplemented

    def __hash__(self):
        return hash(tuple(self.items))

    def __lt__(self, other):
        return len(self) < len(other)

    def __len__(self):
        return len(self.items)

    def __iter__(self):
        return iter(self.items)

    def __str__(self):
        return f"a box of {len(self)}"

    def take(self):
        return self.items.pop()


class Opened:
    def __init__(self, box):
        self.box, self.closed = box, False

    def __enter__(self):
        return self.box

    def __exit__(self, kind, problem, trace):
        self.closed = True
        return kind is IndexError
"""
TESTS = """
import pytest

pytestmark = pytest.mark.points(1)


def test_equal(boxes, ask):
    assert ask(boxes.Box(1, 2)) == boxes.Box(1, 2)
    assert ask(boxes.Box(1, 2)) != boxes.Box(2, 1)
    assert boxes.Box(1).__eq__(1) is NotImplemented


def test_hash(boxes, ask):
    assert len({ask(boxes.Box(1)), ask(boxes.Box(1)), ask(boxes.Box(2))}) == 2


def test_sorted(boxes, ask):
    ordered = sorted([boxes.Box(1, 2), boxes.Box(), boxes.Box(3)], key=ask)
    assert [len(ask(box)) for box in ordered] == [0, 1, 2]


def test_list(boxes, ask):
    assert list(ask(boxes.Box(3, 4))) == [3, 4]


def test_text(boxes, ask):
    assert f"I have {ask(boxes.Box(1, 2))}" == "I have a box of 2"


def test_refuses_none(boxes):
    with pytest.raises(ValueError):
        boxes.Box(None)


def test_goes_on_after_an_error(boxes, ask):
    box = boxes.Box(1)
    assert box.take() == 1
    with pytest.raises(IndexError):
        box.take()
    assert len(ask(box)) == 0


def test_opened(boxes, ask):
    opened = boxes.Opened(boxes.Box(1))
    with ask(opened) as box:
        box.take()
        box.take()
    assert opened.closed is True
"""


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    root = tmp_path_factory.mktemp("boxes")
    for name, text in {
        "pyproject.toml": CONFIGURATION,
        "solution/boxes.py": SOLUTION,
        "solution/conftest.py": CONFTEST,
        "tests_public/test_boxes.py": TESTS,
    }.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(text, "utf-8")
    made = Course(root)
    assert made.run("manifest").returncode == 0
    return made


def lost(course, tmp_path, source):
    """Return the names of the tests that a submission loses, and all that is said about them."""
    (tmp_path / "boxes.py").write_text(source, "utf-8")
    answer = course.run("grade", str(tmp_path), "--json")
    assert answer.returncode == 0, answer.stderr
    tests = [test for test in json.loads(answer.stdout)["tests"] if test.get("max_score") and test["score"] == 0]
    return {test["extra_data"]["id"].rpartition("_test_")[2] or test["name"] for test in tests}, json.dumps(tests)


def test_the_solution_passes_in_the_grader(course, tmp_path):
    assert lost(course, tmp_path, SOLUTION)[0] == set()


def run_by_pytest(folder, *plugins):
    program = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *plugins, "tests_public"]
    return subprocess.run(program, cwd=folder, capture_output=True, encoding="utf-8", check=False).stdout


def test_the_same_tests_pass_in_the_course_with_pytest(course):
    assert "8 passed" in run_by_pytest(course.root, "-p", "autograder.local")


def test_the_same_tests_pass_on_a_students_machine(course, tmp_path):
    shutil.copytree(course.root / "solution", tmp_path / "handout")
    shutil.copytree(course.root / "tests_public", tmp_path / "handout/tests_public")
    assert "8 passed" in run_by_pytest(tmp_path / "handout")


MISTAKES = {
    "equal to everything": ("self.items == other.items if isinstance(other, Box) else NotImplemented", "True"),
    "a hash by identity": ("hash(tuple(self.items))", "id(self)"),
    "longer first": ("len(self) < len(other)", "len(self) > len(other)"),
    "backwards": ("iter(self.items)", "reversed(self.items)"),
    "no text": ("def __str__", "def text"),
    "takes None": ("if None in items", "if False"),
    "swallows nothing": ("kind is IndexError", "False"),
}
LOSES = {
    "equal to everything": "equal",
    "a hash by identity": "hash",
    "longer first": "sorted",
    "backwards": "list",
    "no text": "text",
    "takes None": "refuses_none",
    "swallows nothing": "opened",
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_in_one_of_pythons_methods_loses_its_test(mistake, course, tmp_path):
    old, new = MISTAKES[mistake]
    assert old in SOLUTION
    names, told = lost(course, tmp_path, SOLUTION.replace(old, new))
    assert LOSES[mistake] in str(names), told
    assert len(names) <= 2
