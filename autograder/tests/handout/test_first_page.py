"""The handout's first page is short, and its links lead somewhere."""

import re
import textwrap
from pathlib import Path

import pytest

SOLUTION = Path(__file__).parents[3] / "solution"
PAGES = ("README.md", "FURTHER.md", "PITFALLS.md")
SCREENS, LINES, COLUMNS = 3, 50, 120  # of a usual window


def paragraphs(text):
    """Return the text's blocks as a reader's window breaks them: prose flows, tables and code keep their lines."""
    for block in text.split("\n\n"):
        keeps_lines = block.startswith(("|", "```", "    ", "#")) or "\n```" in block or "\n- " in block
        yield block.split("\n") if keeps_lines else [" ".join(block.split("\n"))]


def test_the_first_page_fits_three_screens():
    shown = [
        row
        for lines in paragraphs((SOLUTION / "README.md").read_text("utf-8"))
        for line in (*lines, "")
        for row in (textwrap.wrap(line, COLUMNS) or [""])
    ]
    assert len(shown) <= SCREENS * LINES


def anchors(page):
    headings = re.findall(r"^#+ (.+)$", (SOLUTION / page).read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES)
def test_a_link_of_the_handout_leads_to_a_heading(page):
    links = re.findall(r"\]\(([\w.]*)(?:#([\w-]+))?\)", (SOLUTION / page).read_text("utf-8"))
    assert [name for name, _ in links if name and not (SOLUTION / name).is_file()] == []
    assert [anchor for name, anchor in links if anchor and anchor not in anchors(name or page)] == []
