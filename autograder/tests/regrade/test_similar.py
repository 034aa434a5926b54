"""Near copies are shown as pairs to look at: not what all were given, not what the lecture said, and no verdict."""

import functools
import html
import re
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from autograder.assignment import load_assignment
from autograder.commands.regrade import command
from autograder.regrade.sources.recognition import Located, recognise_class
from autograder.submission.apart import read_apart
from autograder.verify.bank import load_bank

from ..results.test_preview import EVIL, Elements
from ..support.classes import class_of, record
from ..support.course import make_course
from ..support.exports import write_folder

ROOT = Path(__file__).parents[3]

pytestmark = pytest.mark.slow


def test_without_the_library_the_remedy_is_named_before_anything_is_graded(tmp_path, monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    (tmp_path / "class/ada").mkdir(parents=True)
    options = [str(tmp_path / "class"), "--out", str(tmp_path / "out"), "--root", str(ROOT), "--similar"]
    done = CliRunner().invoke(command, options)
    assert "pip install 'micro-autograd-autograder[similar]'" in str(done.exception)
    assert not (tmp_path / "out").exists()


pytest.importorskip("copydetect")  # of the extra `similar`: without it there is nothing to promise

from autograder.regrade.similar.messages import Question  # noqa: E402
from autograder.regrade.similar.page import LEAST, compare_programs, given_to_all, write_similar  # noqa: E402


@pytest.fixture(scope="module")
def styles():
    """Correct engines in as many styles as the bank has: nobody copied from anybody."""
    assignment = load_assignment(ROOT)
    return tuple(load_bank(assignment).correct.values()), tuple(given_to_all(assignment))


def renamed(text):
    """Return a program with other names and comments, and blank lines elsewhere."""
    names = {"other": "rhs", "out": "result", "parents": "before"}
    text = re.sub(r"\b(other|out|parents)\b", lambda match: names[match[0]], re.sub(r"#.*", "# mine", text))
    return text.replace("\n    def ", "\n\n    def ")


def pairs_in(texts, given=(), least=LEAST):
    return [
        (pair.one, pair.other)
        for pair in compare_programs(Question(texts=texts, given=given, least=least, most=20)).pairs
    ]


def test_a_renamed_copy_is_found_among_styles_that_nobody_copied(styles):
    texts, given = styles
    assert pairs_in((*texts, renamed(texts[3])), given) == [(3, len(texts))]


def test_the_same_class_gives_the_same_pairs(styles):
    texts, given = styles
    question = Question(texts=(*texts, renamed(texts[5])), given=given, least=0.3, most=20)
    assert compare_programs(question) == compare_programs(question)


STEP = "def step_{n}(a, b):\n    return a ** {n} + b // {n} if a > b else [a, b, {n}]"
HANDED_OUT = "\n".join(STEP.format(n=n) for n in range(12))
OWN = ("x = {1: 2}\nfor i in x:\n    print(i)\n", "while True:\n    y = (3,)\n")


def test_what_everybody_was_given_makes_nobody_similar():
    texts = tuple(f"{HANDED_OUT}\n{own}" for own in OWN)
    assert pairs_in(texts) == [(0, 1)]  # the control
    assert pairs_in(texts, given=(HANDED_OUT,)) == []


def test_what_more_than_a_third_of_the_class_has_makes_nobody_similar(styles):
    texts = tuple(f"{HANDED_OUT}\n{text[:900]}" for text in styles[0][:12])
    few = (*texts[:2], *styles[0][12:])
    assert (0, 1) in pairs_in(few, least=0.5)  # the control: two of many have it
    assert pairs_in(texts) == []


@pytest.fixture
def shown(tmp_path):
    """Write the page of a class of programs; return its text, and what was said."""

    def show(files, digest=lambda each: each.delivery().digest):
        course = make_course(tmp_path / "course")
        assignment = load_assignment(course.root)
        placed = recognise_class([write_folder(tmp_path / "class", files)], assignment).placed
        pairs = [(each.found.member, record(each.found.id, source=digest(each))) for each in placed]
        said = write_similar(tmp_path, class_of(*pairs), placed, assignment)
        return (tmp_path / "similar.html").read_text("utf-8"), said

    return show


def test_the_page_shows_the_passages_of_a_pair_side_by_side_and_calls_it_no_verdict(shown, styles):
    one = styles[0][2]
    page, said = shown({"ada/doubling.py": one, "bob/doubling.py": renamed(one), "eve/doubling.py": styles[0][7]})
    assert "1 pair to look at, and no verdict" in said
    assert page.count('<div class="sides">') == 1
    assert re.findall(r"<h3>(\w+)", page) == ["ada", "bob"]
    assert page.count('class="common"') > 20
    words = html.unescape(re.sub(r"<[^>]*>", " ", page)).lower()
    assert not re.search(r"cheat|plagiar|copied|guilty|suspect", words)


def test_a_program_cannot_leave_its_place_on_the_page(shown, styles):
    one = f"{styles[0][2]}\nx = {EVIL!r}\n"
    page, _ = shown({"ada/doubling.py": one, "bob/doubling.py": renamed(one)})
    assert {tag for tag, _ in Elements(page).found}.isdisjoint({"script", "img", "a", "iframe"})


def test_a_program_made_to_hold_the_comparison_is_named_and_the_others_are_compared(shown, styles):
    one = styles[0][2]
    page, said = shown(
        {
            "ada/doubling.py": one,
            "bob/doubling.py": renamed(one),
            "mallory/doubling.py": f"{one}\n{'x;' * 500_000}",
        }
    )
    assert "1 pair to look at" in said
    assert said.endswith("longer than 40,000 characters: mallory")
    assert re.findall(r"<h3>(\w+)", page) == ["ada", "bob"]


def test_with_a_higher_limit_a_longer_program_is_compared(shown, styles, monkeypatch):  # the control
    one = styles[0][2]
    monkeypatch.setattr("autograder.regrade.similar.page.MOST_CHARACTERS", 60_000)
    _, said = shown({"ada/doubling.py": one, "mallory/doubling.py": f"{one}\n{'# mine' * 7_000}\nx = 1\n"})
    assert "1 pair to look at" in said
    assert "mallory" not in said


def test_a_submission_that_cannot_be_read_in_time_is_named_and_holds_nobody(shown, styles, monkeypatch):
    before = Located.delivery

    def delivery(located):
        while located.found.id == "mallory":  # in the process that reads it
            time.sleep(60)
        return before(located)

    monkeypatch.setattr(Located, "delivery", delivery)
    monkeypatch.setattr("autograder.regrade.similar.page.read_apart", functools.partial(read_apart, seconds=1))
    one = styles[0][2]
    files = {"ada/doubling.py": one, "bob/doubling.py": renamed(one), "mallory/doubling.py": styles[0][7]}
    _, said = shown(files, digest=lambda each: each.found.id)
    assert "1 pair to look at" in said
    assert said.endswith(": mallory")


def test_programs_that_are_too_short_say_nothing(shown):
    page, said = shown({f"s{n}/doubling.py": f"def double(x):\n    return x + x + {n} - {n}\n" for n in range(3)})
    assert "0 pairs" in said
    assert "0 programs are long enough" in page


def test_the_command_says_where_the_pairs_are(regrading, styles):
    text = f"{styles[0][2]}\ndef double(x):\n    return x + x\n"
    write_folder(regrading.source, {"ada/doubling.py": text, "bob/doubling.py": renamed(text)})
    answer = regrading.run("--similar")
    assert answer.returncode == 0, answer.stderr
    assert f"similar submissions: 1 pair to look at, and no verdict: {regrading.out / 'similar.html'}" in answer.stderr
