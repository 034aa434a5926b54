"""`autograder grade --film`: for a TA, the backward pass of each failing public test as a page, and nothing more."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from autograder.cli import main

from ..support.small import assigning

ROOT = Path(__file__).parents[3]
SCRIPT = "</script><script>alert(1)</script>"


def grade(submission, *options):
    return CliRunner().invoke(main, ["grade", str(submission), "--root", str(ROOT), "--suite", "public", *options])


@pytest.fixture(scope="module")
def submission(tmp_path_factory):
    """Return a submission whose product overwrites gradients, and whose source tries to be markup."""
    folder = tmp_path_factory.mktemp("submission")
    marked = assigning("*").replace(
        "self.grad = other.data * out.grad", f"self.grad = other.data * out.grad  # {SCRIPT}"
    )
    assert SCRIPT in marked
    (folder / "engine.py").write_text(marked, "utf-8")
    return folder


@pytest.fixture(scope="module")
def films(submission, tmp_path_factory):
    folder = tmp_path_factory.mktemp("films")
    answer = grade(submission, "--film", str(folder))
    assert answer.exit_code == 0, answer.output
    return {file.stem: file.read_text("utf-8") for file in sorted(folder.glob("*.html"))}


def data(page):
    (found,) = re.findall(r'<script type="application/json" id="film">(.*)</script>', page)
    return json.loads(found)


def test_a_failing_public_test_has_a_film_whose_wrong_step_is_the_line_that_overwrites(films, submission):
    film = data(films["test_reuse-test_reused_value_accumulates"])
    (wrong,) = [frame for frame in film["frames"] if frame["wrong"]]
    line = (submission / "engine.py").read_text("utf-8").splitlines()[wrong["line"] - 1]
    assert line.strip().startswith("self.grad = other.data * out.grad")
    assert re.search(r"^This put \S+ where \S+ was\. Add: ", wrong["says"])


def test_the_sentence_of_the_diagnosis_stands_above_the_film(films):
    assert "`*` overwrites the gradient" in films["test_reuse-test_reused_value_accumulates"]


def test_the_source_of_a_student_is_text_and_not_markup(films):
    pages = "".join(films.values())
    assert SCRIPT not in pages
    assert "&lt;script&gt;alert(1)" in pages


def test_each_page_forbids_requests_and_allows_its_own_script_alone(films):
    policies = [re.findall(r'Content-Security-Policy" content="([^"]*)"', page) for page in films.values()]
    ((policy,),) = {tuple(each) for each in policies}
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy


def test_only_failing_tests_have_films(films, submission):
    report = json.loads(grade(submission, "--json").stdout)
    failed = [test for test in report["tests"] if test.get("status") == "failed"]
    assert 0 < len(films) <= len(failed)


@pytest.mark.slow
def test_a_film_changes_nothing_of_the_result(tmp_path):
    """The engine walks no set: where it does, wrong gradients differ from run to run, with a film and without."""
    wrong = (ROOT / "solution/engine.py").read_text("utf-8").replace("(1.0 - t * t,)", "(1.0 - t,)")
    (tmp_path / "engine.py").write_text(wrong, "utf-8")
    result = grade(tmp_path / "engine.py", "--json", "--film", str(tmp_path / "films")).stdout
    assert list((tmp_path / "films").iterdir()) != []
    assert result == grade(tmp_path / "engine.py", "--json").stdout


@pytest.mark.slow
def test_a_right_submission_has_no_film(tmp_path):
    answer = grade(ROOT / "solution", "--film", str(tmp_path / "films"))
    assert answer.exit_code == 0
    assert list((tmp_path / "films").iterdir()) == []


def test_films_may_go_into_a_folder_of_a_folder_that_is_not_there(submission, tmp_path):
    assert grade(submission, "--film", str(tmp_path / "of/ada")).exit_code == 0
    assert list((tmp_path / "of/ada").glob("*.html")) != []


def test_films_that_cannot_be_written_are_an_error_with_the_folder(submission, tmp_path):
    (tmp_path / "file").write_text("", "utf-8")
    answer = grade(submission, "--film", str(tmp_path / "file/films"))
    assert "films cannot be written there" in answer.output
    assert answer.exit_code != 0
