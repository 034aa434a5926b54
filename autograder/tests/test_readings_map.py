"""docs/readings.md names tests that exist, and the handout has the sections that are pointed at."""

import ast
import functools
import re
from pathlib import Path

import pytest

from autograder.assignment import load_assignment

ROOT = Path(__file__).parents[2]
MAP = (ROOT / "docs/readings.md").read_text("utf-8")
HANDOUT = {page.name: page.read_text("utf-8") for page in sorted((ROOT / "solution").glob("*.md"))}
PRINTED = [ROOT / "autograder/tests" / name for name in ("test_printed_numbers.py", "test_printed_numbers_torch.py")]
NAMED = [*PRINTED, ROOT / "autograder/tests/handout/test_demo.py", *(ROOT / "tests_public").glob("test_*.py")]


@functools.cache
def promises_of(file):
    """Return the tests of a file, as `TestPrimer::test_hessian` in a class and as `test_demo.py::test_line` outside."""
    names = set()
    for node in ast.parse(file.read_text("utf-8")).body:
        if isinstance(node, ast.ClassDef):
            names |= {f"{node.name}::{part.name}" for part in node.body if isinstance(part, ast.FunctionDef)}
        elif isinstance(node, ast.FunctionDef):
            names.add(f"{file.name}::{node.name}")
    return {name for name in names if "::test_" in name}


@functools.cache
def anchors(markdown):
    """Return the anchors of the headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", re.sub(r"```.*?```", "", markdown, flags=re.DOTALL), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_the_map_names_tests_that_exist():
    named = set(re.findall(r"`([\w.]+::test_\w+)`", MAP))
    assert len(named) > 50
    assert named - set().union(*map(promises_of, NAMED)) == set()


def test_every_test_of_a_printed_number_is_on_the_map():
    assert {name for name in promises_of(PRINTED[0]) if f"`{name}`" not in MAP} == set()


def test_the_handout_has_the_sections():
    pointed_at = {*load_assignment(ROOT).sections.values(), *re.findall(r"`(pitfall-[\w-]+)`", MAP)}
    assert pointed_at - anchors(HANDOUT["PITFALLS.md"]) == set()


LINK = re.compile(r"\]\(([\w./]*)#?([\w-]*)\)")
LINKS = sorted({(page, *link) for page, text in HANDOUT.items() for link in LINK.findall(text)})


@pytest.mark.parametrize(("page", "file", "anchor"), LINKS)
def test_links_within_the_handout_lead_somewhere(page, file, anchor):
    assert (ROOT / "starter" / (file or page)).is_file()
    assert not anchor or anchor in anchors(HANDOUT[file or page])
