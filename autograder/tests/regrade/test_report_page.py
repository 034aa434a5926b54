"""The page of a class: every section, every table, and nobody named where nobody shall be known."""

import re

import pytest

from autograder.regrade.report.causes import causes_of
from autograder.regrade.report.page import class_page, name_of

from ..support.class_records import TESTS, failing, numbered, unimported, words
from ..support.classes import class_of, large_class, member


@pytest.fixture(scope="module")
def anonymous(large):
    return class_page(large, anonymous=True)


@pytest.mark.parametrize(
    "heading",
    [
        *("Scores", "What goes wrong", "Tests", "What changed against the old grades", "The same program"),
        *("Times and limits", "Not graded"),
    ],
)
def test_a_full_page_has_every_section(page, heading):
    assert re.search(f'<h2 id="[a-z]+">{heading}</h2>', page)


def test_the_page_counts_the_class(page, large):
    graded, failed = len(list(large.graded())), len(list(large.failed()))
    assert f"{graded} of 212 submissions graded; {failed} could not be" in words(page)


def test_the_page_says_how_many_make_a_mistake_and_where(page, large):
    cause = next(cause for cause in causes_of(large) if cause.code == "overwrites-gradient")
    said = words(page)
    assert f"{cause.submissions} of {len(list(large.graded()))}" in said
    assert "a value used twice needs +=." in said
    assert cause.where.replace("`", "") in said
    assert cause.where.startswith("mostly in `**`")


def test_the_page_names_what_nobody_and_what_everybody_passes(page):
    said = words(page)
    assert "Nobody passes 2 tests" in said
    assert "Everybody passes 6 tests: The gradient of a sum;" in said


def test_the_histogram_and_its_table_hold_every_score(page, large):
    table = page.partition("Submissions by points")[2].partition("</table>")[0]
    assert sum(map(int, re.findall(r'"number">(\d+)<', table))) == len(list(large.graded()))


def test_the_table_of_submissions_says_who_made_which_mistake(page, large):
    causes = causes_of(large)
    table = page.partition('id="rows"')[2].partition("</table>")[0]
    rows = re.findall(
        r'<tr><th scope="row">(.*?)</th> <td>(.*?)</td> <td class="number">(.*?)</td> <td>(.*?)</td>', table
    )
    assert [identity for _, identity, _, _ in rows] == [one.id for one in large.members]
    listed = {identity: made.split() for _, identity, _, made in rows}
    for number, cause in enumerate(causes, 1):
        assert {name for name, made in listed.items() if f"M{number}" in made} == {one.id for one in cause.members}


def test_equal_programs_are_called_a_reason_to_look_and_no_verdict(page):
    assert "This is a reason to look, and no verdict" in words(page)


def test_a_submission_that_could_not_be_graded_is_named_with_the_reason_and_no_zero(page, large):
    name = name_of(next(one for one in large.members if one.id == next(large.failed()).id))
    assert f"{name} ({next(large.failed()).id}): the zip is damaged" in words(page)
    assert "A blank is not a zero" in words(page)


def test_every_table_has_a_caption_and_every_column_a_head(page):
    assert page.count("<table") == page.count("<caption>") == page.count("<thead>")


def test_an_anonymous_page_names_nobody(anonymous, large):
    assert "This page names nobody." in words(anonymous)
    assert "Student" not in anonymous
    assert [one.id for one in large.members if re.search(rf"\b{one.id}\b", anonymous)] == []


@pytest.mark.parametrize("anonymous", [False, True])
def test_an_anonymous_page_keeps_back_the_words_of_single_submissions(anonymous):
    report = numbered(
        *(failing(subject, code="import-not-allowed") for subject in ("torch", "torch", "ada_code")),
        unimported("hand in engine.py, not ada.py"),
    )
    assert ("ada" not in class_page(report, anonymous=anonymous)) is anonymous


def test_an_anonymous_page_still_counts(anonymous):
    assert "groups of submissions hold the same program" in words(anonymous)
    assert "submissions compared" in words(anonymous)
    assert "Limits that were met" in words(anonymous)


def test_a_class_of_which_nothing_is_graded_yet_has_a_page():
    report = class_of((member("0", "Ada"), None), of=TESTS)
    assert "0 of 1 submission graded; 1 not graded yet." in words(class_page(report))


def test_the_same_class_gives_the_same_bytes():
    assert class_page(large_class()) == class_page(large_class())
