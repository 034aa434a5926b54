"""The film on a student's page: of an open test that the reader sees, with the student's own numbers, and no secret."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from autograder.cli import main
from autograder.film.frames import film_of
from autograder.film.graph import Box, Change
from autograder.model import Visibility
from autograder.regrade.feedback import shown_film
from autograder.regrade.records.class_report import kept_film
from autograder.results.preview import Audience
from autograder.results.student_page import student_page

from ..support.small import assigning

ROOT = Path(__file__).parents[3]
ATTACK = "</script><script>alert(1)</script>"
# p = a · a and y = p + a at a = 3: the gradients are 1, 1 and 3 + 3 + 1 = 7. The last step overwrites.
BOXES = (
    Box("a", "3", value=3.0, gradient=7.0),
    Box("p", "a · a", (0, 0), (3.0, 3.0), 9.0, 1.0),
    Box("y", "p + a", (1, 0), (1.0, 1.0), 12.0, 1.0),
)
STEPS = [(3, 2, 0.0, 1.0), (4, 1, 0.0, 1.0), (5, 0, 0.0, 1.0), (6, 0, 1.0, 3.0)]
FILM = film_of("y", BOXES, [3.0, 9.0, 12.0], [Change(line, place, "grad", was, now) for line, place, was, now in STEPS])
FILM = FILM.with_lines("engine.py", ((5, "a.grad += 1.0"), (6, f"a.grad = 3.0  # {ATTACK}")))

# Each number that a test makes a Value of is written down; the engine is right otherwise.
LISTENING = """
import os
_init = Value.__init__
def _listening(self, data, *rest, **more):
    with open(os.environ["HEARD"], "a") as heard:
        heard.write(f"{float(data)!r}\\n")
    _init(self, data, *rest, **more)
Value.__init__ = _listening
"""


def seen_by(reader, visibility="visible", status="failed", of="public/test_it.py::test_reuse"):
    tests = [{"status": status, "visibility": visibility, "extra_data": {"id": "public/test_it.py::test_reuse"}}]
    return shown_film({"tests": tests}, (of, FILM), reader)


@pytest.mark.parametrize(
    ("visibility", "now", "published"),
    [
        (Visibility.VISIBLE, True, True),
        (Visibility.AFTER_PUBLISHED, False, True),
        (Visibility.AFTER_DUE_DATE, False, True),
        (Visibility.HIDDEN, False, False),
    ],
)
def test_a_film_is_shown_to_whoever_sees_its_test(visibility, now, published):
    assert (seen_by(Audience.STUDENT, visibility.value) is FILM) == now
    assert (seen_by(Audience.STUDENT_PUBLISHED, visibility.value) is FILM) == published


def test_a_film_of_a_test_that_is_not_in_the_results_or_passed_is_not_shown():
    assert seen_by(Audience.STUDENT, of="hidden/test_it.py::test_reuse") is None
    assert seen_by(Audience.STUDENT, status="passed") is None


@pytest.fixture(scope="module")
def view():
    from autograder.results.preview import view

    return view({"output": "", "tests": [{"name": "a value used twice", "status": "failed"}]}, Audience.STUDENT)


@pytest.fixture(scope="module")
def page(view):
    return student_page(view, assignment="homework", who="Ada", film=FILM)


def test_without_scripts_the_page_shows_the_first_wrong_step_with_what_was_expected(page):
    box, _ = re.findall(r'<g class="box leaf wrong on-grad" data-place="0".*?</g>', page)
    assert re.findall(r'class="(number \w+|expected)"[^>]*>([^<]*)<', box) == [
        ("number data", "3"),
        ("number grad", "3"),
        ("expected", "expected 4"),
    ]


def test_the_picture_says_what_it_shows_to_whoever_cannot_see_it(page):
    says = "Line 6. This put 3 where 1 was. Add: 1 + 3 = 4 was expected."
    assert page.count(f"<desc>{says}</desc>") == page.count("<svg ") == 2  # from left to right, and for narrow screens
    assert f'<p id="says" class="wrong" aria-live="polite">{says}</p>' in page


def test_a_line_of_the_submission_is_text_and_not_markup(page):
    assert ATTACK not in page
    assert "&lt;/script&gt;&lt;script&gt;alert(1)" in page
    assert page.count("<script") == 2  # the film's data and the film's script


def test_a_film_that_would_make_a_large_page_is_left_out(view):
    lines = tuple((n, "x" * 160) for n in range(4000))
    page = student_page(view, assignment="homework", who="Ada", film=FILM.with_lines("engine.py", lines))
    assert "<svg" not in page
    assert "a value used twice" in page


def test_a_page_without_a_film_has_no_script(view):
    assert "<script" not in student_page(view, assignment="homework", who="Ada")


def heard(tmp_path, suite):
    """Return the numbers that the tests of one suite make values of."""
    (tmp_path / "listening").mkdir(exist_ok=True)
    text = (ROOT / "solution" / "engine.py").read_text("utf-8")
    (tmp_path / "listening" / "engine.py").write_text(text + LISTENING, "utf-8")
    file = tmp_path / f"{suite}.txt"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "autograder.local"]
    command += ["--import-mode=importlib", suite, "--submission", str(tmp_path / "listening")]
    subprocess.run(command, cwd=ROOT, env={**os.environ, "HEARD": str(file)}, capture_output=True, check=False)
    return {float(line) for line in file.read_text("utf-8").split()}


def as_shown(numbers):
    """Return the numbers as a page would show them; none so short that another number may look the same."""
    return {text for number in numbers for text in (f"{number:.6g}", repr(number)) if len(text.lstrip("-0.")) > 5}


@pytest.mark.slow
def test_the_pages_of_wrong_engines_show_numbers_of_open_tests_and_none_that_only_hidden_tests_use(tmp_path):
    students = tmp_path / "class"
    for operator in "+*":
        (students / f"wrong{ord(operator)}").mkdir(parents=True)
        (students / f"wrong{ord(operator)}" / "engine.py").write_text(assigning(operator), "utf-8")
    out = tmp_path / "out"
    command = ["regrade", str(students), "--out", str(out), "--root", str(ROOT), "--feedback", "--published"]
    done = CliRunner().invoke(main, [*command, "--jobs", "1", "--scored-only"])
    assert done.exit_code == 0, done.output

    pages = [file.read_text("utf-8") for file in (out / "feedback").glob("*/feedback.html")]
    tokens = {token for page in pages for token in re.findall(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?", page)}
    open_numbers, hidden = heard(tmp_path, "tests_public"), heard(tmp_path, "tests_hidden")
    secret = as_shown(hidden - open_numbers) - as_shown(open_numbers)
    films = [kept_film(out, file.name) for file in students.iterdir()]

    assert all("<svg" in page for page in pages)
    assert [film[0].partition("/")[0] for film in films if film] == ["public"] * 2
    assert len(secret) > 50
    assert tokens & as_shown(open_numbers)  # the control: what is shown is found
    assert tokens & secret == set()
