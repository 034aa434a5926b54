"""Every student gets a page of what they may see, under the name by which the LMS knows whose it is."""

import html
import json
import re
import zipfile

import pytest

from autograder.errors import AutograderError
from autograder.failure import Failure, FailureKind
from autograder.model import Status, Visibility
from autograder.regrade.feedback import write_feedback
from autograder.results.gradescope import results_bytes

from ..support.classes import class_of, record, result
from ..support.exports import RIGHT
from ..support.reports import SECRET, assignment, declared, outcome, report

INPUT = "HIDDEN-INPUT-7421"
NEVER = declared("never", title="never shown", visibility=Visibility.HIDDEN)
LATER = declared("later", SECRET, title="shown once published", hint="Add the gradients.")
DUE = declared("due", title="after the day", visibility=Visibility.AFTER_DUE_DATE)
OPEN_TEST = declared("reuse", title="a value used twice")


def graded(said="expected 7, got 3", **changes):
    """Return the results of a submission that fails a test of each visibility."""
    failure = Failure(kind=FailureKind.ASSERTION, statement=said, expected="7", got="3")
    secret = Failure(kind=FailureKind.EXCEPTION, exception="ValueError", message=INPUT, expected=INPUT, got=INPUT)
    return report(
        outcome(Status.FAILED, OPEN_TEST, failure=failure),
        outcome(Status.FAILED, LATER, failure=secret, output=INPUT),
        outcome(Status.FAILED, NEVER, failure=failure),
        outcome(Status.FAILED, DUE, failure=failure),
        **changes,
    )


@pytest.fixture
def fed(tmp_path, recognised):
    """Write the feedback of a class in `files`; return the folder that holds it, and what was said."""

    def feed(files, reports=None, failed=(), **options):
        placed = recognised(files).placed
        reports = reports or {each.found.id: graded() for each in placed}
        pairs = []
        for each in placed:
            name = each.found.id
            problem = {"problem": "its zip is damaged", "score": None} if name in failed else {}
            pairs.append((each.found.member, record(name, result(OPEN_TEST, Status.FAILED), **problem)))
            if not problem:
                file = tmp_path / "out" / "results" / f"{name}.json"
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(results_bytes(reports[name], assignment()))
        said = write_feedback(tmp_path / "out", class_of(*pairs, of=[OPEN_TEST]), placed, **options)
        return tmp_path / "out" / "feedback", said

    return feed


def members(path):
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name).decode() for name in archive.namelist()}


def moodles_reading(name):
    """Return the participant and the file that Moodle's importer takes a path for, as its source documents it."""
    parts = name.split("/")
    while parts:
        words = parts.pop(0).split("_", 4)
        if len(words) >= 4 and words[1].isdecimal() and words[2:4] == ["assignsubmission", "file"]:
            return words[1], "/".join([*words[4:], *parts]).lstrip("/")
    return None


def canvas_reading(name):
    """Return the user and the attachment that Canvas takes a name for, as its source documents it."""
    words = [word for word in name.split("_") if word != "LATE"]
    if words[0] == "anon":
        return words[1], words[2]
    return tuple([word for word in words if word.isdecimal()][:2])


MOODLE = {
    "Ada Example_12345_assignsubmission_file/doubling.py": RIGHT,
    "Zoë O'Neil_12346_assignsubmission_file_/hw/doubling.py": RIGHT,  # as versions before 4.1 write it
}


def test_moodle_knows_whose_each_page_is(fed):
    folder, _ = fed(MOODLE)
    names = members(folder / "moodle.zip")
    assert set(names) == {
        "Ada Example_12345_assignsubmission_file/feedback.html",
        "Zoë O'Neil_12346_assignsubmission_file_/feedback.html",
    }
    assert sorted(map(moodles_reading, names)) == [("12345", "feedback.html"), ("12346", "feedback.html")]


@pytest.mark.parametrize("who", ["Ada Example", "Participant"])
def test_moodle_knows_whose_each_page_is_without_folders(fed, who):
    folder, _ = fed({f"{who}_12345_assignsubmission_file_doubling.py": RIGHT})
    assert [moodles_reading(name) for name in members(folder / "moodle.zip")] == [("12345", "feedback.html")]


ILIAS = {
    "Example_Ada_adaex_4711/doubling.py": RIGHT,
    "O_Neil_Zoe_zon_4712/Late Submission - doubling.py": RIGHT,
    "Lovelace_Ann_lov_4713/hw/doubling.py": RIGHT,
}


def iliass_reading(names):
    """Return the user and the file that ILIAS takes each path for: the folder's last word is the user's id."""
    found = [name.split("/") for name in names]
    assert {parts[0][:14] for parts in found} == {"multi_feedback"}
    return sorted((int(folder.split("_")[-1]), file) for _, folder, file in found)


def test_ilias_knows_whose_each_page_is(fed):
    folder, said = fed(ILIAS)
    assert iliass_reading(members(folder / "ilias.zip")) == [(n, "feedback.html") for n in (4711, 4712, 4713)]
    assert "for ILIAS's `Multi-Feedback`" in said[0]


FIRST, SECOND = "12345-67890 - Ada Example - Oct 3, 2026 1102 AM", "12345-67890 - Ada Example - Oct 10, 2026 0902 AM"


def test_brightspace_gets_a_page_beside_the_attempt_that_counts(fed):
    other = "12346-67891 - Zoë O'Neil - Oct 4, 2026 1102 AM"
    files = {f"{FIRST}/doubling.py": RIGHT, f"{SECOND}/doubling.py": RIGHT, f"{other}/doubling.py": RIGHT}
    folder, said = fed({**files, "index.html": "<html></html>"})
    assert set(members(folder / "brightspace.zip")) == {f"{SECOND}/feedback.html", f"{other}/feedback.html"}
    assert "for Brightspace's `Add Feedback Files`" in said[0]


def test_brightspace_gets_a_page_for_each_without_folders_too(fed):
    folder, _ = fed({f"{FIRST} - doubling.py": RIGHT, "index.html": "<html></html>"})
    assert set(members(folder / "brightspace.zip")) == {f"{FIRST} - feedback.html"}


@pytest.mark.parametrize(
    ("name", "reading"),
    [
        ("smithbob_340934_208490284_doubling.py", ("340934", "208490284")),
        ("smithbob_LATE_340934_208490284_doubling-1.py", ("340934", "208490284")),
        ("smithbob_340934_208490284_my_7_8_doubling.py", ("340934", "208490284")),
        ("anon_x9Qz1_208490284_doubling.py", ("x9Qz1", "208490284")),
        ("LATE_anon_x9Qz1_208490284_doubling.py", ("x9Qz1", "208490284")),
    ],
)
def test_canvas_knows_whose_each_page_is(fed, name, reading):
    folder, _ = fed(
        {name: RIGHT, "jonesann_340935_208490285_doubling.py": RIGHT} if "anon" not in name else {name: RIGHT}
    )
    names = [each for each in members(folder / "canvas.zip") if "jonesann" not in each]
    assert [canvas_reading(each) for each in names] == [reading]
    assert names[0].endswith("_feedback.html")


def test_canvas_page_can_be_read_in_an_editor_and_in_a_browser(fed):
    said = "--> <script>alert(1)</script> ---"
    folder, _ = fed({"smithbob_340934_208490284_doubling.py": RIGHT}, {"340934": graded(said)})
    (text,) = members(folder / "canvas.zip").values()
    comment = re.match(r"<!DOCTYPE html>\n<!--\n(.*?)\n-->\n<html", text, re.DOTALL)
    assert comment is not None
    assert "a value used twice" in comment[1]
    assert "--" not in comment[1]


def test_a_repository_gets_the_text_of_an_issue(fed):
    files = {f"hw-submissions/hw-{user}/{name}": RIGHT for user in "ab" for name in (".git/HEAD", "doubling.py")}
    folder, said = fed(files)
    assert sorted(file.name for file in folder.iterdir()) == ["hw-a.md", "hw-b.md"]
    assert "expected 7, got 3" in (folder / "hw-a.md").read_text("utf-8")
    assert "a text for an issue" in said[0]


def test_nobodys_page_takes_the_place_of_anothers(fed):
    users = ("a_b", "a b", "A_B", "c")  # of the first three, no file's name keeps the difference
    files = {f"hw-submissions/hw-{user}/{name}": RIGHT for user in users for name in (".git/HEAD", "doubling.py")}
    folder, said = fed(files)
    pages = [file.name.casefold() for file in folder.iterdir()]
    assert len(set(pages)) == len(users)
    assert said[0].startswith(f"feedback for {len(users)} submissions")


def test_an_issue_is_left_by_no_text_of_a_submission(fed):
    said = "```\n````\n@everyone [click](https://example.edu)"
    files = {f"hw-submissions/hw-{user}/{name}": RIGHT for user in "ab" for name in (".git/HEAD", "doubling.py")}
    folder, _ = fed(files, {"a": graded(said), "b": graded()})
    text = (folder / "hw-a.md").read_text("utf-8")
    outside = re.sub(r"(?ms)^(`{3,})text\n.*?^\1$", "", text)
    assert "@everyone" in text
    assert "@everyone" not in outside


def test_anybody_else_gets_a_folder(fed):
    folder, said = fed({"ada/doubling.py": RIGHT, "bob/doubling.py": RIGHT})
    assert sorted(str(file.relative_to(folder)) for file in folder.rglob("*.html")) == [
        "ada/feedback.html",
        "bob/feedback.html",
    ]
    assert said[0] == f"feedback for 2 submissions, a page each: {folder}"


def test_a_page_holds_the_failed_line_the_points_and_who_it_is_for(fed):
    folder, _ = fed({"Ada Example_12345_assignsubmission_file/doubling.py": RIGHT})
    (text,) = members(folder / "moodle.zip").values()
    assert "expected 7, got 3" in text
    assert "0 of 1 public test passed: 0 / 2 points." in text
    assert "Ada Example" in text


def shown_in(text):
    return {
        title
        for title in ("a value used twice", "never shown", "shown once published", "after the day")
        if title in text
    }


def test_before_publication_only_what_is_visible_is_on_the_page(fed):
    folder, said = fed({"ada/doubling.py": RIGHT, "bob/doubling.py": RIGHT})
    text = (folder / "ada/feedback.html").read_text("utf-8")
    assert shown_in(text) == {"a value used twice"}
    assert "3 further tests cannot be seen now" in text
    assert any("--published shows it" in sentence for sentence in said)


def test_after_publication_hidden_tests_stay_hidden(fed):
    folder, _ = fed({"ada/doubling.py": RIGHT, "bob/doubling.py": RIGHT}, published=True)
    text = (folder / "ada/feedback.html").read_text("utf-8")
    assert shown_in(text) == {"a value used twice", "shown once published", "after the day"}


@pytest.mark.parametrize("published", [False, True])
def test_nothing_of_a_hidden_test_and_nothing_for_staff_is_on_the_page(fed, published):
    folder, _ = fed({"ada/doubling.py": RIGHT, "bob/doubling.py": RIGHT}, published=published)
    text = (folder / "ada/feedback.html").read_text("utf-8")
    assert INPUT in json.dumps(str(graded()))  # the control: the report has it
    assert INPUT not in text
    assert "d1935" not in text
    assert "chroot" not in text


def test_what_a_student_wrote_is_text_on_the_page(fed):
    evil = "</pre><script>alert(1)</script><img src=x onerror=alert(1)>\"'&"
    name = "<b onclick=x>&'_12345_assignsubmission_file/doubling.py"
    folder, _ = fed({name: RIGHT}, {"12345": graded(evil)})
    (text,) = members(folder / "moodle.zip").values()
    assert "<script" not in text
    assert "<img" not in text
    assert "<b " not in text
    assert "alert(1)" in html.unescape(text)


def test_who_has_no_grade_gets_no_page_and_is_named(fed):
    files = {"ada/doubling.py": RIGHT, "bob/doubling.py": RIGHT}
    folder, _ = fed(files)
    assert (folder / "bob/feedback.html").exists()
    folder, said = fed(files, failed={"bob"})
    assert not (folder / "bob/feedback.html").exists()  # nor that of an earlier call
    assert (folder / "ada/feedback.html").exists()
    assert "no feedback, since there is no grade: bob" in said


def test_two_calls_write_the_same_bytes(fed):
    first = (fed(MOODLE)[0] / "moodle.zip").read_bytes()
    assert (fed(MOODLE)[0] / "moodle.zip").read_bytes() == first


def test_results_that_somebody_changed_are_named(fed, tmp_path, recognised):
    files = {"ada/doubling.py": RIGHT, "bob/doubling.py": RIGHT}
    fed(files)
    (tmp_path / "out/results/ada.json").write_text('{"tests": 3}')
    placed = recognised(files).placed
    pairs = [(each.found.member, record(each.found.id, result(OPEN_TEST))) for each in placed]
    with pytest.raises(AutograderError, match=r"ada.json is not as it was written"):
        write_feedback(tmp_path / "out", class_of(*pairs, of=[OPEN_TEST]), placed)
