"""What a submission may import beside the standard library is up to the configuration, module by module."""

import json

import pytest

from autograder.assignment import load_assignment
from autograder.errors import AssignmentError

from ..support.course import RIGHT, make_course

GIVEN = '''
"""Given."""

def times(n, x):  # given
    return n * x
'''
BY_THE_GIVEN = "from shapes import times\n\ndef double(x):\n    return times(2, x)\n"


@pytest.fixture
def course(tmp_path):
    """Return a course whose module may import `shapes`, which its handout gives."""
    course = make_course(tmp_path / "course")
    course.edit("pyproject.toml", 'file = "doubling.py"', 'file = "doubling.py"\npackages = ["shapes"]')
    (course.root / "solution/shapes.py").write_text(GIVEN, "utf-8")
    return course


@pytest.fixture
def graded(course, tmp_path):
    """Return a function that grades files, and answers with the score and the text of all entries."""

    def grade(**files):
        folder = tmp_path / "submission"
        folder.mkdir()
        for name, text in files.items():
            (folder / f"{name}.py").write_text(text, "utf-8")
        answer = course.run("grade", str(folder), "--json")
        assert answer.returncode == 0, answer.stderr
        return sum(test.get("score", 0) for test in json.loads(answer.stdout)["tests"]), answer.stdout

    return grade


def test_a_module_that_the_handout_gives_is_there_when_it_is_graded(graded):
    assert graded(doubling=BY_THE_GIVEN)[0] == 4


def test_the_given_module_is_the_handouts_whatever_is_handed_in(graded):
    assert graded(doubling=BY_THE_GIVEN, shapes="def times(n, x):\n    return 0\n")[0] == 4


def test_a_module_that_does_not_name_it_may_not_import_it(graded, course):
    course.edit("pyproject.toml", 'packages = ["shapes"]', "")
    course.edit("pyproject.toml", 'file = "extra.py"', 'file = "extra.py"\npackages = ["shapes"]')
    score, text = graded(doubling=BY_THE_GIVEN)
    assert score == 0
    assert "doubling.py line 1 imports shapes; only extra.py may import it" in text


def test_an_installed_package_is_there(graded, course):
    course.edit("pyproject.toml", 'packages = ["shapes"]', 'packages = ["iniconfig"]')
    assert graded(doubling=f"import iniconfig\n\nassert iniconfig.IniConfig\n\n{RIGHT}")[0] == 4


@pytest.mark.parametrize(
    ("packages", "given", "message"),
    [
        (
            '["absent_shapes"]',
            GIVEN,
            "doubling.py may import absent_shapes, which cannot be imported here: pip install",
        ),
        ('["shapes"]', "raise ValueError\n", "shapes.py says so when it is imported"),
        ('["shapes"]', "import doubling\n", "shapes.py imports doubling.py, which students write"),
    ],
    ids=["absent", "raises", "circle"],
)
def test_a_package_that_cannot_be_loaded_is_the_courses_fault_and_no_zero(course, packages, given, message):
    course.edit("pyproject.toml", '["shapes"]', packages)
    (course.root / "solution/shapes.py").write_text(given, "utf-8")
    answer = course.run("grade", str(course.root / "solution"))
    assert answer.returncode == 2
    assert message in answer.stderr
    assert answer.stdout == ""


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('packages = ["math"]', "packages: math is of the standard library"),
        ('packages = ["shapes.py", "a b"]', "packages: 'a b' is not what `import` could be followed by"),
        ('arrays = "torch"', "arrays = 'torch': the grader carries arrays of"),
        ('returns = { double = "array" }', "double = 'array': say whose arrays"),
    ],
)
def test_what_a_module_cannot_import_or_return_is_refused(course, line, message):
    course.edit("pyproject.toml", 'packages = ["shapes"]', line)
    with pytest.raises(AssignmentError) as caught:
        load_assignment(course.root)
    assert message in str(caught.value)


def test_a_proof_says_first_which_import_of_the_solution_is_not_declared(course):
    course.edit("pyproject.toml", 'packages = ["shapes"]', "")
    (course.root / "solution/doubling.py").write_text(BY_THE_GIVEN, "utf-8")
    answer = course.run("verify")
    assert answer.returncode == 2
    assert "solution/doubling.py:1 imports shapes, which no submission may" in answer.stderr
    assert 'write packages = ["shapes"] into [tool.autograder.modules.doubling]' in answer.stderr
