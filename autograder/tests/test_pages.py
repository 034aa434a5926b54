"""The pages in a real browser: nothing runs, nothing loads, nothing is too wide or too pale to read."""

import pytest

from autograder.preview import preview

from .browser import CHROMIUM, MISSING, PALE_TEXTS, SIDEWAYS, Browser
from .test_preview import HOSTILE

pytestmark = pytest.mark.skipif(not CHROMIUM, reason=MISSING)

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
    return folder


PAGES = ["preview.html"]


@pytest.mark.parametrize("page", PAGES)
def test_nothing_in_a_page_runs_or_loads(browser, folder, page):
    browser.complaints.clear()
    browser.open(folder / page)
    assert browser.value("performance.getEntriesByType('resource').length + document.scripts.length") == 0
    assert browser.complaints == []


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
