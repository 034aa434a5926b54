"""The pages in a real browser: nothing of others runs, nothing loads, nothing is too wide or too pale to read."""

import json

import pytest

from autograder.regrade.report.page import class_page
from autograder.results.html import PAGES as PAGE_FILES
from autograder.results.preview import preview

from .regrade.test_report_text import HOSTILE as HOSTILE_CLASS
from .results.test_preview import HOSTILE
from .support.browser import CHROMIUM, MISSING, PALE_TEXTS, SIDEWAYS, Browser
from .support.classes import large_class

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not CHROMIUM, reason=MISSING)]

SEEN = "[...document.querySelectorAll('.view')].filter(v => v.getClientRects().length).map(v => v.classList[1])"
LEFT_EDGES = "[...document.querySelectorAll('.view')].map(v => v.getBoundingClientRect().left)"


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    browser = Browser(tmp_path_factory.mktemp("profile"))
    yield browser
    browser.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    (folder / "preview.html").write_text(preview(HOSTILE), "utf-8")
    (folder / "report.html").write_text(class_page(large_class()), "utf-8")
    (folder / "anonymous.html").write_text(class_page(large_class(), anonymous=True), "utf-8")
    (folder / "hostile.html").write_text(class_page(HOSTILE_CLASS), "utf-8")
    return folder


PAGES = ["preview.html", "report.html", "anonymous.html", "hostile.html"]


@pytest.mark.parametrize("page", PAGES)
def test_nothing_in_a_page_loads_and_nothing_but_our_own_script_runs(browser, folder, page):
    browser.complaints.clear()
    browser.open(folder / page)
    own = [] if page == "preview.html" else [(PAGE_FILES / "report.js").read_text("utf-8")]
    assert browser.value("performance.getEntriesByType('resource').length") == 0
    assert browser.value("[...document.scripts].map(script => script.textContent)") == own
    assert browser.complaints == []


ROWS = "[...document.querySelectorAll('#rows tbody tr')].filter(row => row.getClientRects().length)"


def column(browser, place):
    return browser.value(f"{ROWS}.map(row => row.cells[{place}].textContent)")


def test_a_click_on_a_head_sorts_a_table_and_another_turns_it_round(browser, folder):
    browser.open(folder / "report.html")
    head = "document.querySelectorAll('#rows thead button')[2]"
    browser.value(f"{head}.click()")
    upwards = [float(text) for text in column(browser, 2) if text != "–"]
    browser.value(f"{head}.click()")
    downwards = [float(text) for text in column(browser, 2) if text != "–"]
    assert upwards == sorted(upwards)
    assert downwards == sorted(upwards, reverse=True)
    assert column(browser, 2)[-1] == "–"  # who has no score stands last in either order
    assert browser.value(f"{head}.parentNode.ariaSort") == "descending"


def test_typing_a_mistake_shows_who_made_it_and_no_other(browser, folder):
    browser.open(folder / "report.html")
    field = "document.querySelector('.filter input')"
    browser.value(f"{field}.value = 'm1'; {field}.dispatchEvent(new Event('input'))")
    shown = column(browser, 3)
    assert shown
    assert all("M1" in made.split() for made in shown)
    every = browser.value("[...document.querySelectorAll('#rows tbody tr')].map(row => row.cells[3].textContent)")
    assert len(shown) == sum("M1" in made.split() for made in every)
    assert browser.value("document.querySelector('.filter output').textContent") == f"{len(shown)} of {len(every)}"


@pytest.mark.parametrize("width", [390, 1400])
@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_never_wider_than_its_window(browser, folder, page, width):
    browser.open(folder / page, width=width)
    assert browser.value(SIDEWAYS) == 0


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("page", PAGES)
def test_every_text_stands_out_from_what_is_behind_it(browser, folder, page, dark):
    browser.open(folder / page, dark=dark)
    assert browser.value(PALE_TEXTS) == []


@pytest.mark.parametrize("page", PAGES)
def test_a_page_can_be_printed_and_pictured(browser, folder, page, tmp_path):
    browser.open(folder / page)
    browser.pdf(tmp_path / "page.pdf")
    browser.screenshot(tmp_path / "page.png")
    assert (tmp_path / "page.pdf").read_bytes().startswith(b"%PDF-")
    assert (tmp_path / "page.png").read_bytes().startswith(b"\x89PNG")


def test_a_wide_window_shows_the_three_views_side_by_side(browser, folder):
    browser.open(folder / "preview.html", width=1400)
    assert browser.value(SEEN) == ["student", "student-published", "staff"]
    left, middle, right = browser.value(LEFT_EDGES)
    assert left < middle < right


def test_a_narrow_window_shows_the_view_that_is_chosen(browser, folder):
    browser.open(folder / "preview.html", width=390)
    assert browser.value(SEEN) == ["student"]
    browser.value("document.getElementById('show-staff').click()")
    assert browser.value(SEEN) == ["staff"]


LISTED = (
    "[...document.querySelectorAll('.staff .test')].filter(t => t.getClientRects().length).map(t => t.classList[1])"
)
TABLE = "  v1 = Value(3)   " + "12345  " * 20


@pytest.fixture
def graded(browser, tmp_path):
    tests = [
        {"name": "a", "status": "passed", "score": 1, "max_score": 1},
        {"name": "b", "status": "failed", "score": 0, "max_score": 1, "output": f"See above.\n{TABLE}\n{TABLE}"},
    ]
    (tmp_path / "page.html").write_text(preview(json.dumps({"tests": tests}).encode()), "utf-8")
    return tmp_path / "page.html"


@pytest.mark.parametrize(
    ("chosen", "listed"), [("all", ["failed", "passed"]), ("failed", ["failed"]), ("passed", ["passed"])]
)
def test_a_reader_filters_by_status_and_failures_stand_first(browser, graded, chosen, listed):
    browser.open(graded)
    browser.value(f"document.getElementById('only-{chosen}').click()")
    assert browser.value(LISTED) == listed


@pytest.mark.parametrize("width", [390, 1400])
def test_a_table_is_scrolled_and_never_wrapped(browser, graded, width):
    browser.open(graded, width=width)
    browser.value("document.getElementById('show-staff').click()")
    rows = "document.querySelector('.staff pre.rows')"
    assert browser.value(f"{rows}.scrollWidth > {rows}.clientWidth")
    assert browser.value(f"{rows}.scrollHeight / parseFloat(getComputedStyle({rows}).lineHeight) < 3.5")  # two lines
    assert browser.value(SIDEWAYS) == 0


def test_the_columns_of_the_histogram_are_as_high_as_their_counts(browser, folder):
    browser.open(folder / "report.html")
    heights = browser.value(
        "[...document.querySelectorAll('figure rect')].map(bar => bar.getBoundingClientRect().height)"
    )
    counts = browser.value(
        "[...document.querySelectorAll('section > details td')].slice(0, 20).map(cell => +cell.textContent)"
    )
    assert len(heights) == 20
    assert [round(height * max(counts) / max(heights)) for height in heights] == counts


def test_a_folded_table_opens_without_a_script(browser, folder):
    browser.open(folder / "report.html", width=390)
    browser.value("document.querySelector('section > details > summary').click()")
    assert browser.value("document.querySelector('section > details td').getClientRects().length") == 1
    assert browser.value(SIDEWAYS) == 0
