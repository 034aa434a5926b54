"""A homework names the module that explains its mistakes: one of the grader's, one of its own, or none."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from autograder.assignment import load_assignment
from autograder.bundle.contents import assignment_members
from autograder.errors import AssignmentError
from autograder.findings.plugin import plugin_of
from autograder.interface import RemoteInterface
from autograder.remote.module import RemoteModule
from autograder.remote.replay import Replay
from autograder.remote.tape import Tape
from autograder.suites.manifest import suites_digest

from ..support.course import make_course
from ..support.near import Near

WRONG = "def double(x):\n    return x * x * x\n"
HALF_WRONG = "def double(x):\n    return 2 * abs(x)\n"
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


def graded(course, text=WRONG):
    (course.root / "handed").mkdir()
    (course.root / "handed/doubling.py").write_text(text, "utf-8")
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


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("    return tape.nothing", "AttributeError: 'Replay' object has no attribute 'nothing'"),
        ("    return 'it is wrong'", "returned 'it is wrong', which is neither a Diagnosis nor None"),
        (
            "    from autograder.model import Diagnosis\n    return Diagnosis(code=3, sentence='')",
            "Expected `str`, got",
        ),
        ("    raise SystemExit(0)", "SystemExit: 0"),
        ("    while True:\n        pass", "it took more than 0.2 seconds"),
        ("    return [0] * (1 << 40)", "MemoryError"),
    ],
    ids=["attribute", "text", "fields", "exit", "loop", "memory"],
)
def test_a_slip_in_a_diagnosis_costs_its_sentence_and_staff_are_told(course, source, says):
    (course.root / "own_diagnosis.py").write_text(f"def diagnose(tape, anew):\n{source}\n", "utf-8")
    course.edit("pyproject.toml", 'imports = ["math"]', "limits = { grader_seconds = 0.2 }")
    told_and_graded(course, says)


BANK = """
[[mistakes]]
name = "without-sign"
says = "The sign is lost."
base = "solution"
edits = [["x + x", "2 * abs(x)"]]
loses = ["test_double_of_a_negative"]
"""


@pytest.mark.slow
def test_a_slip_in_a_diagnosis_is_a_gap_of_the_proof(course):
    (course.root / "starter").mkdir()
    (course.root / "mistakes").mkdir()
    (course.root / "mistakes/all.toml").write_text(BANK, "utf-8")
    (course.root / "own_diagnosis.py").write_text("def diagnose(tape, anew):\n    raise KeyError('x')\n", "utf-8")
    course.edit("pyproject.toml", 'imports = ["math"]', 'mistakes = "mistakes"')
    assert "cannot be diagnosed" not in course.run("verify").stdout
    named(course, "own_diagnosis")
    answer = course.run("verify")
    assert answer.returncode == 2
    assert "without-sign cannot be diagnosed: hidden/test_negative.py::test_double_of_a_negative: KeyError: 'x'" in (
        answer.stdout
    )


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("import no_such_module\n", "own_diagnosis.py:1: ModuleNotFoundError: No module named 'no_such_module'"),
        ("\n1 / 0\n", "own_diagnosis.py:2: ZeroDivisionError: division by zero"),
        ("def diagnose(tape, anew:\n", "SyntaxError: '(' was never closed (own_diagnosis.py, line 1)"),
        ("", "the module must define a function `diagnose(tape, anew)`"),
    ],
    ids=["import", "raises", "syntax", "empty"],
)
def test_a_diagnosis_that_cannot_be_imported_costs_no_score_and_stops_every_proof(course, source, says):
    (course.root / "own_diagnosis.py").write_text(source, "utf-8")
    told_and_graded(course, says)
    proof = course.run("verify")
    assert proof.returncode == 2
    assert says in proof.stderr


def told_and_graded(course, says):
    """Grade a wrong submission: it has its score, and staff read `says`."""
    named(course, "own_diagnosis")
    answer = graded(course, HALF_WRONG)
    assert answer.returncode == 0, answer.stderr
    results = json.loads(answer.stdout)
    assert sum(test.get("score", 0) for test in results["tests"]) == 3  # of 4
    assert results["extra_data"]["diagnoses"] == {}
    staff = " ".join(course.run("grade", str(course.root / "handed")).stdout.split())
    assert "A diagnosis failed" in staff
    assert says in staff


def test_a_diagnosis_names_a_section_of_the_configuration(course):
    (course.root / "own_diagnosis.py").write_text(OWN.replace("wording=WORDING", 'section="cubes"'), "utf-8")
    assignment = 'sections = { cubes = "chapter-two-is-not-three" }'
    course.edit("pyproject.toml", 'imports = ["math"]', assignment)
    named(course, "own_diagnosis")
    assert 'See "Chapter: two is not three" in the handout.' in graded(course).stdout.replace('\\"', '"')


PAGE = (Path(__file__).parents[3] / "docs/new-assignment.md").read_text("utf-8")
(DOCUMENTED,) = re.findall(r"```python\n(from autograder\.model import Diagnosis\n.*?)```", PAGE, re.DOTALL)
STACK = """
class Stack:
    def __init__(self):
        self.items = []

    def push(self, item):
        self.items.append(item)

    def pop(self):
        return self.items.pop({})
"""


@pytest.mark.parametrize(("end", "sentence"), [("0", "`pop` takes the first item, not the last."), ("", None)])
def test_the_documented_diagnosis_names_its_mistake_and_no_other(end, sentence):
    near = Near(STACK.format(end))
    tape: Any = Tape(near, lambda: 1.0)  # type: ignore[arg-type]
    tape.reset()
    stack = RemoteModule(tape, RemoteInterface(file="stack.py"), 1, near.names).Stack()
    stack.push("a")
    stack.pop()
    namespace: dict[str, Any] = {}
    exec(DOCUMENTED, namespace)
    replay = Replay(tape, lambda: Near(STACK.format(end)), lambda _: None)  # type: ignore[arg-type,return-value]
    found = namespace["diagnose"](replay, lambda *_: None)
    assert (found and found.sentence) == sentence
