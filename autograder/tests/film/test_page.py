"""Whatever stands in the texts of a film, its page has the elements of a harmless one and no other."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from autograder.film.frames import Film, Frame
from autograder.film.graph import Box
from autograder.film.page import page_of, stage_of
from autograder.results.html import PAGES

from ..results.test_preview import Elements

EVIL = (
    "</script></style></title></svg><script>alert(1)</script>",
    "<meta http-equiv=refresh content=0;url=https:example.edu>",
    "<!-- --!> ]]> \"'&amp;<svg/onload=alert(1)>",
    "{{ stage }}{{ script }}",
)


def film(text: str) -> Film:
    """Return a film of which every text is `text`: the lines of its frames are in that file, and in another."""
    boxes = (Box(text, text, value=3.0, gradient=6.0), Box(text, text, (0, 0), (3.0, float("nan")), 9.0, float("inf")))
    frames = (
        Frame(text, line=1, place=1, after=1.0, file=text),
        Frame(text, line=2, place=0, after=None, arrows=(0, 1), expected=6.0, is_wrong=True, file=f"other {text}"),
    )
    return Film(text, boxes, (3.0, None), (0.0, 0.0), frames, note=text, file=text, lines=((1, text), (7, text)))


def elements(page: str) -> list[tuple[str, list[str]]]:
    return [(tag, sorted(attributes)) for tag, attributes in Elements(page).found]


@pytest.mark.parametrize("text", EVIL)
def test_a_text_of_a_film_adds_no_element_and_no_attribute_to_its_page(text):  # threat 77
    assert elements(page_of(film(text), PAGES)) == elements(page_of(film("harmless"), PAGES))


@pytest.mark.parametrize("text", EVIL)
def test_a_text_of_a_film_adds_no_element_to_a_page_of_feedback(text):
    assert elements(stage_of(film(text), PAGES, within=True)) == elements(
        stage_of(film("harmless"), PAGES, within=True)
    )


@pytest.mark.parametrize("text", EVIL[:3])
def test_a_text_that_is_not_escaped_would_add_one(text):  # the control
    page = page_of(film("harmless"), PAGES).replace("harmless", text, 3)
    assert elements(page) != elements(page_of(film("harmless"), PAGES))


def test_the_script_reads_back_the_words_as_they_are():
    data = re.search(r'<script type="application/json" id="film">(.*?)</script>', page_of(film(EVIL[0]), PAGES))
    assert data is not None
    assert json.loads(data[1])["frames"][1]["says"] == EVIL[0]


def test_the_script_of_the_page_writes_text_and_never_markup():
    script = Path(PAGES, "film.js").read_text("utf-8")
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval|Function\(|javascript:", script)


def test_numbers_that_are_none_are_words_in_the_drawing():
    page = page_of(replace(film("x"), data=(float("nan"), float("-inf"))), PAGES)  # the gradient becomes None
    assert all(f">{word}<" in page for word in ("nan", "-inf", "?"))
