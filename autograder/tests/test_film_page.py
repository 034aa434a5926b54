"""The page of a backward pass in a real browser: it steps, marks the first wrong step, and asks for nothing."""

import pytest

from autograder.film.excerpt import excerpt_of
from autograder.film.frames import film_of
from autograder.film.graph import Box, Change
from autograder.film.page import page_of
from autograder.results.html import PAGES

from .support.browser import CHROMIUM, MISSING, PALE_TEXTS, SIDEWAYS, Browser

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not CHROMIUM, reason=MISSING)]

ATTACK = "</script><script>document.title = 'attacked'</script><img src=https://example.edu/x.png onerror=alert(1)>"
SOURCE = f"""class Value:
    def backward(self):
        self.grad = 1.0
        b.grad = 1.0
        a.grad += 1.0  # {ATTACK}
        a.grad = 3.0
"""
# p = a · a and y = p + a at a = 3: the gradients are 1, 1 and 3 + 3 + 1 = 7.
BOXES = (
    Box("a", "3", value=3.0, gradient=7.0),
    Box("p", "a · a", (0, 0), (3.0, 3.0), 9.0, 1.0),
    Box("y", f"p + a {ATTACK}", (1, 0), (1.0, 1.0), 12.0, 1.0),
)
RIGHT = [(3, 2, 0.0, 1.0), (4, 1, 0.0, 1.0), (5, 0, 0.0, 1.0), (5, 0, 1.0, 7.0)]
WRONG = [*RIGHT[:3], (6, 0, 1.0, 3.0), (5, 0, 3.0, 6.0)]


def page(steps, note=""):
    changes = [Change(line, place, "grad", before, after) for line, place, before, after in steps]
    film = film_of(f"y = a*a + a {ATTACK}", BOXES, [3.0, 9.0, 12.0], changes)
    lines = excerpt_of(SOURCE, {change.line for change in changes})
    return page_of(film.with_lines("engine.py", lines), PAGES)


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    browser = Browser(tmp_path_factory.mktemp("profile"))
    yield browser
    browser.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("films")
    (folder / "right.html").write_text(page(RIGHT), "utf-8")
    (folder / "wrong.html").write_text(page(WRONG), "utf-8")
    return folder


def press(browser, key):
    browser.value(f"document.dispatchEvent(new KeyboardEvent('keydown', {{key: '{key}', bubbles: true}}))")


def shown(browser, place, kind="grad"):
    """Return what a box shows, which is the same in the wide and in the narrow drawing."""
    texts = browser.value(f"[...document.querySelectorAll('[data-place=\"{place}\"] .{kind}')].map(n => n.textContent)")
    assert len(set(texts)) == 1
    return texts[0]


def gradients(browser):
    return [shown(browser, place) for place in range(3)]


NOW = "[...document.querySelectorAll('.line.now')].map(n => n.dataset.line)"


def test_arrow_keys_step_through_the_gradients_and_their_lines(browser, folder):
    browser.open(folder / "right.html")
    seen = [(gradients(browser), browser.value(NOW))]
    for _ in range(4):
        press(browser, "ArrowRight")
        seen.append((gradients(browser), browser.value(NOW)))
    assert seen == [
        (["0", "0", "0"], []),
        (["0", "0", "1"], ["3"]),
        (["0", "1", "1"], ["4"]),
        (["1", "1", "1"], ["5"]),
        (["7", "1", "1"], ["5"]),
    ]
    press(browser, "ArrowLeft")
    assert gradients(browser) == ["1", "1", "1"]


def test_the_slider_goes_to_a_step(browser, folder):
    browser.open(folder / "right.html")
    browser.value("slider.value = 3, slider.dispatchEvent(new Event('input'))")
    assert gradients(browser) == ["1", "1", "1"]
    assert "y passes its gradient on to a" in browser.value("says.textContent")


def test_home_and_end_go_to_the_first_and_the_last_step(browser, folder):
    browser.open(folder / "right.html")
    press(browser, "End")
    assert gradients(browser) == ["7", "1", "1"]
    press(browser, "Home")
    assert gradients(browser) == ["0", "0", "0"]


def test_the_arrows_along_which_shares_came_are_marked(browser, folder):
    browser.open(folder / "right.html")
    browser.value("slider.value = 4, slider.dispatchEvent(new Event('input'))")
    assert browser.value("[...document.querySelectorAll('.wide .flow')].map(n => n.dataset.arrow)") == ["0", "1"]


def test_the_page_opens_at_the_first_wrong_step_with_what_was_expected(browser, folder):
    browser.open(folder / "wrong.html")
    assert browser.value("[...document.querySelectorAll('.wide .box.wrong')].map(n => n.dataset.place)") == ["0"]
    assert (shown(browser, 0), shown(browser, 0, "expected")) == ("3", "expected 4")
    assert browser.value("document.querySelector('.line.now.wrong').dataset.line") == "6"
    assert browser.value("says.textContent") == "Line 6. This put 3 where 1 was. Add: 1 + 3 = 4 was expected."


def test_one_comes_back_to_the_wrong_step_by_its_button_and_by_its_key(browser, folder):
    browser.open(folder / "wrong.html")
    for act in ("document.getElementById('wrong').click()", None):
        press(browser, "Home")
        assert shown(browser, 0, "expected") == ""
        browser.value(act) if act else press(browser, "w")
        assert shown(browser, 0, "expected") == "expected 4"


def test_a_right_pass_has_no_mark_and_no_button_for_one(browser, folder):
    browser.open(folder / "right.html")
    for _ in range(6):
        assert browser.value("document.querySelectorAll('.wrong').length") == 0
        press(browser, "ArrowRight")
    assert browser.value("getComputedStyle(document.getElementById('wrong')).display") == "none"


@pytest.mark.parametrize("name", ["right.html", "wrong.html"])
def test_no_request_leaves_the_page_and_no_script_of_a_submission_runs(browser, folder, name):
    browser.complaints.clear()
    browser.open(folder / name)
    assert browser.value("performance.getEntriesByType('resource').length") == 0
    assert browser.value("document.querySelectorAll('img').length") == 0
    assert "attacked" not in browser.value("document.title").split("document.title")[0]
    assert browser.complaints == []


def test_the_policy_of_the_page_stops_a_script_and_a_request_that_got_into_it(browser, folder, tmp_path):
    text = (folder / "right.html").read_text("utf-8")
    intruder = "<script>window.intruded = 1</script><img src='https://example.edu/x.png'>"
    (tmp_path / "intruded.html").write_text(text.replace("<main", f"{intruder}<main"), "utf-8")
    browser.complaints.clear()
    browser.open(tmp_path / "intruded.html")
    assert browser.value("window.intruded === undefined")
    assert len([each for each in browser.complaints if "Content Security Policy" in each]) == 2


def test_without_the_policy_the_same_script_runs(browser, folder, tmp_path):
    text = (folder / "right.html").read_text("utf-8").replace("Content-Security-Policy", "X-No-Policy")
    (tmp_path / "open.html").write_text(text.replace("<main", "<script>window.intruded = 1</script><main"), "utf-8")
    browser.open(tmp_path / "open.html")
    assert browser.value("window.intruded === 1")


@pytest.mark.parametrize("width", [360, 700, 1400])
@pytest.mark.parametrize("name", ["right.html", "wrong.html"])
def test_a_film_is_never_wider_than_its_window(browser, folder, name, width):
    browser.open(folder / name, width=width)
    assert browser.value(SIDEWAYS) == 0


def test_a_narrow_window_has_the_graph_from_top_to_bottom_in_letters_that_can_be_read(browser, folder):
    browser.open(folder / "wrong.html", width=360)
    drawn = "[...document.querySelectorAll('.graph')].filter(n => n.getClientRects().length).map(n => n.classList[1])"
    assert browser.value(drawn) == ["narrow"]
    assert browser.value("document.querySelector('.narrow .formula').getBoundingClientRect().height") > 10


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("name", ["right.html", "wrong.html"])
def test_every_text_of_a_film_stands_out(browser, folder, name, dark):
    browser.open(folder / name, dark=dark)
    assert browser.value(PALE_TEXTS) == []


def test_dark_and_light_are_different_papers(browser, folder):
    papers = []
    for dark in (False, True):
        browser.open(folder / "right.html", dark=dark)
        papers.append(browser.value("getComputedStyle(document.body).backgroundColor"))
    assert papers == ["rgb(255, 255, 255)", "rgb(21, 24, 28)"]
