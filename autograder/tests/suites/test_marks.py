"""What is declared beside a test, and that nothing of it can be lost without a word."""

import json

import pytest

from ..support.course import make_course

pytestmark = pytest.mark.slow


@pytest.fixture
def course(tmp_path):
    return make_course(tmp_path)


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        ("tests_public/test_double.py", "@pytest.mark.points(2)\n", "", "has no `points` mark"),
        ("tests_public/test_double.py", "points(2)", "point(2)", "'point' not found in `markers`"),
        (
            "tests_public/test_double.py",
            "points(2)",
            "points(2.1)",
            "tests_public/test_double.py:4: test_double: `points(2.1)` is not a multiple of 0.25",
        ),
        (
            "tests_public/test_double.py",
            "points(2)",
            "points(2)\n@pytest.mark.points(1)",
            "tests_public/test_double.py:4: test_double: has two `points` marks",
        ),
        (
            "tests_public/test_double.py",
            "test_double(doubling)",
            "test_double(duobling)",
            "test_double.py:4: test_double: asks for `duobling`, which is neither a module (doubling, extra)",
        ),
        ("tests_public/test_double.py", "points(2)", 'points("2")', "`points` takes exactly one argument"),
        (
            "tests_public/test_double.py",
            "points(2)",
            "points(1)",
            "pyproject.toml:10: suite `public` declares 2 points; the configuration says 3",
        ),
        (
            "tests_public/test_double.py",
            'after("test_double")',
            'after("test_duoble")',
            "tests_public/test_double.py:8: `after` names no earlier test",
        ),
        ("tests_public/test_double.py", "points(2)", "unscored", "names no earlier test"),  # it would run later
        ("tests_public/test_double.py", "points(2)", "skip", "the mark `skip` may not stand in a graded suite"),
        ("tests_public/test_double.py", "points(2)", "xfail", "the mark `xfail` may not stand in a graded suite"),
        (
            "tests_public/test_double.py",
            "points(2)",
            'points(2)\n@pytest.mark.task("1")',
            "takes its argument as `id=`",
        ),
        (
            "tests_public/test_double.py",
            "points(2)",
            'points(2)\n@pytest.mark.visibility("no")',
            "not one of Gradescope's four: visible, hidden, after_due_date, after_published",
        ),
        ("tests_public/test_double.py", "test_double(doubling)", "test_double(extra)", "mark it `unscored`"),
        ("tests_public/test_double.py", "def test_double(", "def (", "cannot be collected"),
        ("tests_public/test_double.py", "assert doubling.double(2) == 4", "pytest.skip('no')", "skipped itself"),
        ("tests_public/test_double.py", "assert doubling.double(2) == 4", "pytest.xfail('no')", "skipped itself"),
        ("tests_hidden/test_negative.py", '@pytest.mark.hint("Negative numbers double too.")\n', "", "needs a `hint`"),
        ("tests_hidden/test_negative.py", "test_double_of_a_negative", "test_renamed", "not what their manifests say"),
        ("tests_hidden/manifest.txt", "1.00", "2.00", "test_double_of_a_negative  (tests_hidden/manifest.txt:2)"),
    ],
)
def test_what_would_lose_points_stops_grading(course, file, old, new, message):
    course.edit(file, old, new)

    run = course.run("grade", str(course.root / "solution"), "--results", str(course.root / "results.json"))

    assert run.returncode == 2
    assert message in run.stderr
    assert "Traceback" not in run.stderr
    assert run.stdout == ""


def test_a_suite_that_lost_a_file_stops_grading(course):
    (course.root / "tests_hidden/test_negative.py").unlink()

    run = course.run("grade", str(course.root / "solution"))

    assert run.returncode == 2
    assert "points" in run.stderr


def test_the_docstring_is_the_title_and_the_name_its_fallback(course):
    run = course.run("grade", str(course.root / "solution"), "--json")

    names = [test["name"] for test in json.loads(run.stdout)["tests"]]
    assert {"double", "Twice nothing is nothing"} <= set(names)


def test_manifest_accepts_the_suites_as_they_are(course):
    course.edit("tests_public/test_double.py", "test_double_of_zero", "test_zero")

    assert course.run("manifest").returncode == 0

    assert course.run("grade", str(course.root / "solution")).returncode == 0
    assert "1.00  public/test_double.py::test_zero" in (course.root / "tests_public/manifest.txt").read_text("utf-8")


CASES = """
import pytest

pytestmark = pytest.mark.points(1)

@pytest.mark.points(0.5)
@pytest.mark.hint("of the test")
@pytest.mark.parametrize("x", [
    1, pytest.param(2, marks=[pytest.mark.points(2), pytest.mark.hint("of the case")]), pytest.param(3)
])
def test_double(doubling, x):
    assert doubling.double(x) == x + x
"""


def test_a_case_s_own_mark_stands_closer_than_that_of_its_test(course):
    (course.root / "tests_public/test_double.py").write_text(CASES, "utf-8")
    assert course.run("manifest").returncode == 0

    run = course.run("grade", str(course.root / "solution"), "--json")

    public = [test for test in json.loads(run.stdout)["tests"] if "double [" in test["name"]]
    assert [test["max_score"] for test in public] == [0.5, 2, 0.5], run.stderr
