"""The bundle for otter-grader: its test files give nothing away, and what they call grades by itself.

Whether otter-grader itself comes to the same verdicts, `make otter` says.
"""

import ast
import json
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import msgspec
import pytest
from msgspec.structs import replace

from autograder.assignment import load_assignment
from autograder.bundle.lint import handout_problems
from autograder.bundle.otter import GRADER, otter_members, questions
from autograder.bundle.zip_file import zip_bytes
from autograder.errors import AssignmentError
from autograder.model import GradedTest, Visibility

from ..support.course import RIGHT, make_course

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
ASSIGNMENT = load_assignment(ROOT)
HALF = "print('seen')\n\n\ndef double(x):\n    return abs(x + x)\n"
DOUBLE = GradedTest(
    id="public/test_double.py::test_double", suite="public", title="Twice", points=2, visibility=Visibility.VISIBLE
)
NEGATIVE = GradedTest(
    id="hidden/test_negative.py::test_double_of_a_negative",
    suite="hidden",
    title="−3, doubled",
    points=0.5,
    visibility=Visibility.AFTER_PUBLISHED,
)
LATER = replace(DOUBLE, id="public/test_double.py::test_later", visibility=Visibility.AFTER_DUE_DATE)
FURTHER = replace(DOUBLE, id="public/test_further.py::test_more", points=0, scored=False)
ASK_DOUBLE, ASK_NEGATIVE = (f"run_case({test.id!r}, submission='doubling.py')\n" for test in (DOUBLE, NEGATIVE))
TELL = "try:\n    {}except AssertionError as told:\n    print(told)\n"


@pytest.fixture
def course(tmp_path):
    """Give a course that has a starter."""
    course = make_course(tmp_path / "course")
    (course.root / "starter").mkdir()
    (course.root / "starter/doubling.py").write_text(
        "def double(x):\n    raise NotImplementedError\n", encoding="utf-8"
    )
    return course


@pytest.fixture
def kernel(course, tmp_path):
    """Give what runs lines of Python as otter's kernel would, beside a submission of that text and the bundle."""
    members = {member.name: member for member in otter_members(load_assignment(course.root), [DOUBLE, NEGATIVE])}
    submission = tmp_path / "submission"
    submission.mkdir()
    (submission / GRADER).write_bytes(members[GRADER].content)
    (submission / "__init__.py").touch()  # otter makes it

    def run(lines, text=HALF, name="doubling.py"):
        (submission / name).write_text(text, encoding="utf-8")
        head = f"import sys\nsys.path.insert(0, {GRADER!r})\nfrom autograder.bundle.in_kernel import run_case\n"
        command = [sys.executable, "-c", head + lines]
        return subprocess.run(command, cwd=submission, capture_output=True, encoding="utf-8", timeout=60, check=False)

    return run


def test_a_file_of_ours_is_a_question_of_otters_and_hidden_tests_are_apart():
    found = questions([DOUBLE, LATER, NEGATIVE, FURTHER])
    assert [(question.name, question.hidden, question.tests) for question in found] == [
        ("q1_public_double", False, (DOUBLE,)),
        ("q2_public_double", True, (LATER,)),
        ("q3_hidden_negative", True, (NEGATIVE,)),
    ]


def test_alphabetical_order_is_declared_order_beyond_nine_questions():
    tests = [replace(DOUBLE, id=f"public/test_{letter}.py::test_it") for letter in "zyxwvutsrqp"]
    names = [question.name for question in questions(tests)]
    assert names == sorted(names)


def test_a_test_file_holds_names_points_and_calls_alone():
    files = {member.name: member.content for member in otter_members(ASSIGNMENT, [NEGATIVE])}
    body = ast.parse(files["tests/q1_hidden_negative.py"].decode("ascii")).body
    assert [ast.unparse(node) for node in body[-2:]] == [
        "name = 'q1_hidden_negative'",
        "@test_case(name='−3, doubled', points=0.5, hidden=True)\ndef case_1():\n    "
        "run_case('hidden/test_negative.py::test_double_of_a_negative', submission='engine.py')",
    ]


def test_no_line_of_a_hidden_test_lies_beside_the_submission_in_the_open():
    ids = [line.split(None, 1) for line in (ROOT / "tests_hidden/manifest.txt").read_text("utf-8").splitlines()[1:]]
    tests = [replace(NEGATIVE, id=test, points=float(points)) for points, test in ids]
    files = [member for member in otter_members(ASSIGNMENT, tests) if member.name != GRADER]
    assert len(files) > 3
    assert handout_problems(zip_bytes(files), ASSIGNMENT) == []


@pytest.mark.parametrize(
    ("visibility", "shown"),
    [(Visibility.AFTER_PUBLISHED, True), (Visibility.AFTER_DUE_DATE, True), (Visibility.HIDDEN, False)],
)
def test_what_students_may_never_see_otter_does_not_publish(visibility, shown):
    members = otter_members(ASSIGNMENT, [DOUBLE, replace(NEGATIVE, visibility=visibility)])
    config = json.loads(next(member.content for member in members if member.name == "otter_config.json"))
    assert config["show_hidden"] is shown


def test_requirements_are_pins_a_line_each():
    members = otter_members(ASSIGNMENT, [DOUBLE])
    lines = next(member.content for member in members if member.name == "requirements.txt").decode().splitlines()
    assert [line for line in lines if "==" not in line or "--hash" in line or "\\" in line] == []
    assert {"pytest", "msgspec", "click"} <= {line.partition("==")[0] for line in lines}


def test_an_assignment_of_two_scored_files_is_refused():
    two = {name: msgspec.structs.replace(each, scored=True) for name, each in ASSIGNMENT.modules.items()}
    with pytest.raises(AssignmentError, match="otter-grader grades one file"):
        otter_members(msgspec.structs.replace(ASSIGNMENT, modules=two), [DOUBLE])


def test_a_test_that_passes_returns_and_one_that_does_not_tells_what_a_student_may_read(kernel):
    answer = kernel(f"{ASK_DOUBLE}print('passed')\n{ASK_NEGATIVE}")
    assert answer.stdout == "passed\n"
    assert answer.stderr.splitlines()[-2:] == [
        "AssertionError: The result is not the expected one.",
        "Negative numbers double too.",
    ]


def test_the_submission_is_graded_once(kernel):
    count = dedent("""
        import subprocess
        class Counted(subprocess.Popen):
            made = 0
            def __init__(self, *arguments, **options):
                Counted.made += 1
                super().__init__(*arguments, **options)
        subprocess.Popen = Counted
    """)
    answer = kernel(f"{count}{ASK_DOUBLE}{TELL.format(ASK_NEGATIVE)}{ASK_DOUBLE}print(Counted.made)")
    assert answer.stdout.splitlines()[-1] == "1"


def test_the_only_file_is_taken_whatever_its_name(kernel):
    answer = kernel(ASK_NEGATIVE, text=RIGHT, name="homework 3.py")
    assert (answer.returncode, answer.stderr) == (0, "")


def test_a_submission_that_cannot_be_imported_is_explained_once(kernel):
    answer = kernel(TELL.format(ASK_DOUBLE) + TELL.format(ASK_NEGATIVE), text="def double(x)\n")
    assert answer.stdout.count("doubling.py line 1") == 1
    assert answer.stdout.endswith("Not run: doubling.py could not be imported (see above).\n")


@pytest.mark.parametrize(
    "call",
    [
        ASK_DOUBLE.replace("test_double'", "test_gone'"),
        ASK_DOUBLE.replace("run_case", "sys.executable = '/nowhere'; run_case"),
        ASK_DOUBLE.replace("run_case", "import os; os.remove('doubling.py'); run_case"),
    ],
    ids=["no such test", "no grader", "no submission"],
)
def test_where_nothing_can_be_said_the_process_ends_and_no_exception_is_left_to_score(kernel, call):
    answer = kernel(f"try:\n    {call}except BaseException:\n    print('scored')\n")
    assert (answer.returncode, answer.stdout) == (3, "")
    assert answer.stderr.startswith("autograder: nothing was graded: ")
