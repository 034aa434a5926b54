"""`autograder verify`: a gap of the proof is named and ends with 2; a new test is written into the rows."""

import pytest

from ..support.course import make_course

pytestmark = pytest.mark.slow

BANK = """
[[mistakes]]
name = "triples"
says = "Three times instead of twice, where the number is positive."
base = "solution"
edits = [["x + x", "x + x + max(x, 0)"]]
loses = ["test_double"]
may_lose = ["test_double_of_zero"]  # it waits for test_double

[[mistakes]]
name = "never-negative"
says = "The sign is lost."
base = "solution"
edits = [["x + x", "abs(x + x)"]]
loses = ["test_double_of_a_negative"]

[[mistakes]]
name = "never-zero"
says = "Zero is taken for nothing at all."
base = "solution"
edits = [["x + x", "x + x or 1"]]
loses = ["test_double_of_zero"]
"""


@pytest.fixture
def course(tmp_path):
    """A course with a starter and a bank without a gap."""
    course = make_course(tmp_path)
    course.edit("pyproject.toml", 'solution = "solution"\n', 'solution = "solution"\nmistakes = "mistakes"\n')
    for name, text in {
        "starter/doubling.py": 'def double(x):\n    raise NotImplementedError("task 1.1")\n',
        "mistakes/arithmetic.toml": BANK,
        "mistakes/correct/product.py": "def double(x):\n    return 2 * x\n",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    return course


def test_a_bank_without_a_gap_ends_with_0(course):
    answer = course.run("verify")
    assert answer.returncode == 0
    assert answer.stderr == "Proving 6 engines: what each earns, loses and is diagnosed as\n"
    assert "2 correct engines, 3 mistakes, 3 scored tests: all is as it must be" in answer.stdout


@pytest.mark.parametrize(
    ("file", "old", "new", "gap"),
    [
        ("solution/doubling.py", "x + x", "max(0, x + x)", "solution earns 3 / 4, not 4"),
        ("starter/doubling.py", "raise", "if x == 2: return 4\n    raise", "starter earns 2 / 4, not 0"),
        ("mistakes/correct/product.py", "2 * x", "abs(2 * x)", "product earns 3 / 4, not 4"),
        (
            "mistakes/arithmetic.toml",
            "max(x, 0)",
            "min(x, 0)",
            "triples should lose public/test_double.py::test_double",
        ),
        (
            "mistakes/arithmetic.toml",
            'loses = ["test_double"]',
            'keeps = ["test_double"]\nloses = ["test_double_of_zero"]',
            "triples should keep public/test_double.py::test_double",
        ),
        ("mistakes/arithmetic.toml", '["test_double_of_zero"]\n', "[]\n", "never-zero names no test that it loses"),
    ],
)
def test_a_gap_is_named_and_ends_with_2(course, file, old, new, gap):
    course.edit(file, old, new)
    answer = course.run("verify")
    assert answer.returncode == 2
    assert gap in answer.stdout


def test_a_gap_names_the_row_the_test_and_what_to_do(course):
    course.edit("mistakes/arithmetic.toml", "max(x, 0)", "min(x, 0)")
    lines = course.run("verify").stdout.splitlines()
    place = lines.index("mistakes/arithmetic.toml:2: triples should lose public/test_double.py::test_double")
    assert lines[place + 1 : place + 3] == [
        "    tests_public/test_double.py:5: test_double",
        "    Choose inputs that show this mistake, or take the tests out of `loses`.",
    ]


def test_every_name_that_no_test_has_is_listed_before_an_engine_is_tried(course):
    course.edit("mistakes/arithmetic.toml", "test_double_of_a_negative", "test_gone")
    course.edit("mistakes/arithmetic.toml", 'loses = ["test_double_of_zero"]', 'loses = ["test_gone_too"]')
    answer = course.run("verify")
    assert answer.returncode == 2
    assert "mistakes/arithmetic.toml:15: mistake `never-negative`: no suite has a test `test_gone`" in answer.stderr
    assert "mistakes/arithmetic.toml:22: mistake `never-zero`: no suite has a test `test_gone_too`" in answer.stderr
    assert "Proving" not in answer.stderr


def test_a_test_that_no_mistake_fails_is_a_gap(course):
    course.edit("mistakes/arithmetic.toml", BANK[BANK.rindex("[[mistakes") :], "")
    answer = course.run("verify")
    assert answer.returncode == 2
    gap = "tests_public/test_double.py:10: no known mistake fails public/test_double.py::test_double_of_zero"
    assert gap in answer.stdout


NEW_TEST = """

@pytest.mark.points(1)
@pytest.mark.hint("Large numbers double too.")
def test_double_of_a_large_number(doubling):
    assert doubling.double(1000) == 2000
"""


@pytest.fixture
def with_a_new_test(course):
    """The course after a hidden test was added, of which the bank says nothing."""
    course.edit("tests_hidden/test_negative.py", "double(-3) == -6\n", f"double(-3) == -6\n{NEW_TEST}")
    course.edit("pyproject.toml", 'path = "tests_hidden"\npoints = 1', 'path = "tests_hidden"\npoints = 2')
    assert course.run("manifest").returncode == 0
    return course


def test_a_new_test_is_reported_with_the_mistakes_that_it_catches_and_stops_nothing(with_a_new_test):
    answer = with_a_new_test.run("verify")
    assert answer.returncode == 0
    assert "hidden/test_negative.py::test_double_of_a_large_number is failed by triples\n" in answer.stdout


def test_accept_writes_a_new_test_into_the_rows_of_the_mistakes_that_it_catches(with_a_new_test):
    assert "mistakes/arithmetic.toml" in with_a_new_test.run("verify", "--accept").stderr
    answer = with_a_new_test.run("verify")
    assert answer.returncode == 0
    assert "Not in the rows" not in answer.stdout
    with_a_new_test.edit("mistakes/arithmetic.toml", "x + x + max(x, 0)", "x + x + (0 < x < 9)")
    assert "triples should lose hidden/test_negative.py::test_double_of_a_large" in with_a_new_test.run("verify").stdout


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            '["x + x", "x + x + max(x, 0)"]',
            '["x - x", "x"]',
            "mistakes/arithmetic.toml:2: mistake `triples`: 'x - x' occurs 0 times in `solution`",
        ),
        ('["x + x", "x + x + max(x, 0)"]', '["x", "y"]', "mistake `triples`: 'x' occurs 3 times in `solution`"),
        (
            'base = "solution"\nedits = [["x + x", "x + x + max',
            'base = "twins"\nedits = [["x", "max',
            "no engine `twins`",
        ),
        ("says =", "sais =", "mistakes/arithmetic.toml:2: mistake triples: "),
        ('"never-zero"', '"triples"', "two engines or mistakes are called triples"),
        (
            '"test_double_of_zero"',
            '"test_treble"',
            "mistakes/arithmetic.toml:22: mistake `never-zero`: no suite has a test `test_treble`",
        ),
    ],
)
def test_a_row_that_cannot_be_tried_is_named(course, old, new, message):
    course.edit("mistakes/arithmetic.toml", old, new)
    answer = course.run("verify")
    assert answer.returncode == 2
    assert message in answer.stderr


def test_without_a_bank_solution_and_starter_are_tried_and_that_is_said(course):
    course.edit("pyproject.toml", 'mistakes = "mistakes"\n', "")
    answer = course.run("verify")
    assert answer.returncode == 0
    assert "names no bank" in answer.stderr
    assert "1 correct engine, 0 mistakes, 3 scored tests: all is as it must be" in answer.stdout


def test_one_engine_alone_can_be_tried(course):
    answer = course.run("verify", "--only", "trip*")
    assert answer.returncode == 0
    assert "0 correct engines, 1 mistake, 3 scored tests" in answer.stdout


def test_a_name_that_nothing_has_is_an_error(course):
    answer = course.run("verify", "--only", "quadruples")
    assert answer.returncode == 2
    assert "nothing is called quadruples" in answer.stderr


def test_two_processes_find_what_one_finds(course):
    assert course.run("verify", "--jobs", "2").stdout == course.run("verify").stdout
