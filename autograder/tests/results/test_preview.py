"""What a page shows of a results.json is what Gradescope would show that reader, and never more."""

import base64
import hashlib
import html
import json
import re
from html.parser import HTMLParser

import pytest
from click.testing import CliRunner

from autograder.commands.preview import command
from autograder.errors import AssignmentError
from autograder.failure import Failure, FailureKind
from autograder.model import Note, Status
from autograder.results.gradescope import results_bytes
from autograder.results.preview import Audience, preview, view

from ..support.reports import SECRET, assignment, declared, outcome, report

NOW, LATER, STAFF = Audience.STUDENT, Audience.STUDENT_PUBLISHED, Audience.STAFF
EVIL = "</pre><script>alert(1)</script><img src=x onerror=alert(1)>\"'&"


def entry(name="reuse", **changes):
    return {"name": name, "status": "passed", "score": 2, "max_score": 2, **changes}


def written(*tests, **changes) -> bytes:
    return json.dumps({"tests": list(tests) or [entry()], **changes}).encode()


def seen(reader, *tests, **changes):
    return view(json.loads(written(*tests, **changes)), reader)


def names(shown) -> list[str]:
    return [entry.name.text for entry in shown.entries]


class Elements(HTMLParser):
    """Every element of a page with its attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str]]] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))


@pytest.mark.parametrize(
    ("visibility", "readers"),
    [
        ("visible", [NOW, LATER, STAFF]),
        ("after_due_date", [LATER, STAFF]),
        ("after_published", [LATER, STAFF]),
        ("hidden", [STAFF]),
    ],
)
def test_a_test_is_seen_by_those_whom_its_visibility_names(visibility, readers):
    content = json.loads(written(entry(visibility=visibility)))
    assert [reader for reader in Audience if view(content, reader).entries] == readers


def test_a_test_that_says_nothing_follows_the_whole_file():
    shown = seen(NOW, entry("open", visibility="visible"), entry("other"), visibility="after_published")
    assert names(shown) == ["open"]


@pytest.mark.parametrize(
    ("visibility", "totals"),
    [
        ("visible", ["3 / 5", "3 / 5", "3 / 5"]),
        ("after_published", ["– / 5", "3 / 5", "3 / 5"]),
        ("hidden", ["– / 5", "– / 5", "3 / 5"]),
    ],
)
def test_one_test_that_a_student_does_not_see_withholds_the_total(visibility, totals):
    content = json.loads(written(entry(), entry("b", status="failed", score=1, max_score=3, visibility=visibility)))
    assert [view(content, reader).total for reader in Audience] == totals


def test_a_hidden_test_without_points_withholds_the_total_too():
    shown = seen(NOW, entry(), {"name": "note", "status": "passed", "visibility": "hidden"})
    assert shown.total == "– / 2"


def test_a_total_without_tests_is_shown_as_it_is():
    assert view({"score": 3.5}, NOW).total == "3.5"


def test_a_total_of_a_hidden_file_is_withheld():
    assert view({"score": 3.5, "visibility": "after_published"}, NOW).total == "–"


def test_a_test_without_points_shows_none():
    shown = seen(NOW, entry(), {"name": "note", "status": "failed"})
    assert [(entry.points, entry.passed) for entry in shown.entries] == [("", False), ("2 / 2", True)]


def test_the_status_wins_over_the_points():
    shown = seen(NOW, entry(status="failed"))
    assert [entry.passed for entry in shown.entries] == [False]


def test_those_that_failed_stand_first_and_are_counted():
    shown = seen(NOW, entry("a"), entry("b", status="failed", score=0), entry("c"), entry("d", status="failed"))
    assert (names(shown), shown.failed) == (["b", "d", "a", "c"], 2)


def test_what_is_indented_stays_on_its_lines_and_prose_may_wrap():
    shown = seen(NOW, entry(output="See above.\n  v1  3\n  v2  4\nAdd them."))
    assert shown.entries[0].output.blocks == [(False, "See above."), (True, "  v1  3\n  v2  4"), (False, "Add them.")]


@pytest.mark.parametrize(
    ("extra", "words"),
    [
        ({"python": "3.11.7", "isolation": {"level": "strong"}}, "Graded with Python 3.11.7, isolation strong."),
        ({"python": "3.11.7", "isolation": 4}, "Graded with Python 3.11.7."),
        ({"python": 3}, ""),
    ],
)
def test_the_page_says_which_python_graded(extra, words):
    page = preview(written(extra_data=extra), [STAFF])
    assert ("Graded with" in page) is bool(words)
    assert words in page


def test_a_test_without_a_number_has_that_of_its_place():
    shown = seen(NOW, entry("a", visibility="hidden"), entry("b"), entry("c", number="7.1"))
    assert [entry.number for entry in shown.entries] == ["2", "7.1"]


def test_staff_read_when_a_test_is_shown_to_students():
    page = preview(written(entry(visibility="after_published")), [STAFF])
    assert "Shown to students once grades are published." in page


@pytest.mark.parametrize(("reader", "warned"), [(NOW, True), (LATER, True), (STAFF, False)])
def test_a_standard_output_that_students_would_see_is_pointed_out(reader, warned):
    assert ("as well!" in seen(reader, stdout_visibility="visible").stdout) is warned


def test_students_see_no_standard_output_unless_the_file_says_so():
    assert seen(NOW).stdout == ""


def test_plain_text_is_shown_as_it_is():
    shown = seen(NOW, entry(output="a\n  b"), output="above", output_format="text")
    assert (shown.output.rendered, shown.entries[0].output.text, shown.entries[0].output.rendered) == (
        *("", "a\n  b", ""),
    )


@pytest.mark.parametrize("place", ["output_format", "test_output_format"])
def test_text_that_gradescope_would_render_is_shown_as_source_and_said_to_be(place):
    content = {"test_output_format": "text", "output": "**top**", "output_format": "text", place: "md"}
    page = preview(written(entry(output="**it**"), **content), [NOW])
    assert page.count("Markdown, which Gradescope renders") == 1
    assert "**it**" in page


def test_the_output_above_is_in_gradescopes_simple_format_unless_the_file_says_otherwise():
    assert seen(NOW, output="above").output.rendered.startswith("simple format")


def test_the_leaderboard_is_listed():
    page = preview(written(leaderboard=[{"name": "steps", "value": 12, "order": "asc"}]), [NOW])
    assert "<li>steps: 12</li>" in page


@pytest.mark.parametrize("reader", Audience)
def test_extra_data_is_shown_to_nobody(reader):
    page = preview(written(entry(extra_data={"key": "buried"}), extra_data={"key": "buried"}), [reader])
    assert "buried" not in page


@pytest.mark.parametrize(("readers", "times"), [([NOW], 0), ([LATER], 1), ([STAFF], 1), (list(Audience), 2)])
def test_the_page_of_a_reader_does_not_hold_what_that_reader_may_not_see(readers, times):
    page = preview(written(entry(), entry("b", output="secret words", visibility="after_published")), readers)
    assert page.count("secret words") == times


HOSTILE = written(
    entry(EVIL, number=EVIL, output=EVIL, tags=[EVIL], visibility="after_published"),
    output=EVIL,
    output_format="html",
    leaderboard=[{"name": EVIL, "value": EVIL}],
)


def test_nothing_in_the_file_becomes_an_element_of_the_page():
    tags = {tag for tag, _ in Elements(preview(HOSTILE, name=EVIL)).found}
    assert tags.isdisjoint({"script", "img", "link", "iframe", "object", "a", "form"})


def test_no_element_carries_a_handler_a_style_or_an_address():
    attributes = {name for _, attributes in Elements(preview(HOSTILE)).found for name in attributes}
    assert [name for name in attributes if name.startswith("on") or name in ("style", "src", "href")] == []


def test_what_the_file_says_can_still_be_read():
    assert html.unescape(preview(HOSTILE, [STAFF])).count(EVIL) == 6  # name, number, two outputs, a leaderboard's row


def test_a_control_character_is_visible():
    page = preview(written(entry(output="a\x1b[31mb\x00c\u202ed")), [NOW])
    assert "ab\\x00c\\u202ed" in page


def test_the_policy_allows_the_pages_own_style_sheet_alone():
    page = preview(written())
    style, _, _ = page.partition("<style>")[2].partition("</style>")
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policies = [a["content"] for tag, a in Elements(page).found if a.get("http-equiv") == "Content-Security-Policy"]
    assert policies == [f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"]


def test_passed_and_failed_are_words_and_not_colours_alone():
    page = preview(written(entry(), entry("b", status="failed", score=0)), [NOW])
    assert re.findall(r'aside-only">(passed|failed)<', page) == ["failed", "passed"]


def test_what_our_own_grader_writes_is_shown_with_its_hidden_tests_withheld():
    failure = Failure(kind=FailureKind.ASSERTION, statement="assert x.grad == approx(7.0)", expected="7.0", got="3.0")
    graded = report(
        outcome(),
        outcome(Status.FAILED, declared("b", hint="Add them."), failure=failure),
        outcome(Status.FAILED, declared("c", SECRET), failure=failure),
        notes=(Note(title="a folder was ignored", text="It was empty."),),
    )
    shown = view(json.loads(results_bytes(graded, assignment())), NOW)
    assert names(shown) == ["a title of b", "Note: a folder was ignored", "a title of reuse"]
    assert (shown.total, shown.withheld) == ("– / 6", 1)


def test_a_file_that_breaks_the_contract_is_refused():
    with pytest.raises(AssignmentError, match=r'^old.json breaks .* "status" is null'):
        preview(written(entry(status=None)), name="old.json")


@pytest.fixture
def file(tmp_path):
    file = tmp_path / "results.json"
    file.write_bytes(written(entry(), entry("b", visibility="hidden")))
    return file


def test_the_verb_writes_the_page_beside_the_file_and_prints_its_name(file):
    done = CliRunner().invoke(command, [str(file)])
    assert (done.exit_code, done.stdout) == (0, f"{file.with_suffix('.html')}\n")
    assert file.with_suffix(".html").read_text("utf-8").count("<section ") == 3


def test_the_verb_writes_one_readers_page_where_it_is_told(file, tmp_path):
    done = CliRunner().invoke(command, [str(file), "--as", "student", "--out", str(tmp_path / "new/page.html")])
    assert done.exit_code == 0
    assert (tmp_path / "new/page.html").read_text("utf-8").count("<section ") == 1
    assert not file.with_suffix(".html").exists()


def test_the_same_file_gives_the_same_page(file):
    assert preview(file.read_bytes()) == preview(file.read_bytes())
