"""A homework names the module that explains its mistakes: one of the grader's, one of its own, or none."""

import json

import pytest

from autograder.assignment import load_assignment
from autograder.bundle.contents import assignment_members
from autograder.errors import AssignmentError
from autograder.findings.plugin import plugin_of
from autograder.suites.manifest import suites_digest

from ..support.course import make_course

WRONG = "def double(x):\n    return x * x * x\n"
OWN = '''
"""Explains how a number is doubled wrongly: it asks the submission what it makes of 1."""

from autograder.model import Diagnosis
from autograder.wire import format as wire
from autograder.wording import Wording

WORDING = Wording(rank=0, general="A number is not doubled.", one="{it} gives the cube, not the double.")


def diagnose(tape, anew):
    """Ask the function that the test called for the double of 1."""
    called = next(step.arguments[0] for step in tape.steps if step.code == wire.CALL)
    cube_of_one = tape.ask([(wire.CALL, (called, (1,), {}))], 1.0)
    if cube_of_one != 1:
        return None
    return Diagnosis(code="cubes", sentence=WORDING.of(["double"]), subject="double", wording=WORDING)
'''


@pytest.fixture
def course(tmp_path):
    return make_course(tmp_path)


def named(course, name):
    course.edit("pyproject.toml", 'name = "doubling"\n', f'name = "doubling"\ndiagnosis = "{name}"\n')
    return load_assignment(course.root)


def graded(course):
    (course.root / "handed").mkdir()
    (course.root / "handed/doubling.py").write_text(WRONG, "utf-8")
    return course.run("grade", str(course.root / "handed"), "--json")


def test_the_courses_own_diagnosis_is_what_a_student_reads(course):
    (course.root / "own_diagnosis.py").write_text(OWN, "utf-8")
    named(course, "own_diagnosis")
    results = json.loads(graded(course).stdout)
    assert "Start here: `double` gives the cube, not the double." in results["output"]
    assert results["extra_data"]["diagnoses"] == {"cubes": 2}  # a public test and the hidden one: 0 is doubled


def test_without_one_a_student_reads_the_tests_alone(course):
    results = json.loads(graded(course).stdout)
    assert "is the first test that does not pass" in results["output"]
    assert results["extra_data"]["diagnoses"] == {}


def test_it_is_taken_to_where_it_is_graded(course):
    (course.root / "own_diagnosis.py").write_text(OWN, "utf-8")
    without = suites_digest(load_assignment(course.root))
    assignment = named(course, "own_diagnosis")
    assert "own_diagnosis.py" in {member.name for member in assignment_members(assignment)}
    assert suites_digest(assignment) != without


@pytest.mark.parametrize(
    ("name", "says"), [("no_such_module", "cannot be imported"), ("json", "must define a function `diagnose")]
)
def test_a_module_that_cannot_diagnose_is_an_error_of_the_configuration(course, name, says):
    with pytest.raises(
        AssignmentError, match=rf"pyproject\.toml, \[tool\.autograder\]: diagnosis = '{name}': .*{says}"
    ):
        plugin_of(named(course, name))
