"""Every command that the documentation shows exists, and every link leads somewhere."""

import re
from pathlib import Path

import click
import pytest

from autograder.assignment import Assignment, Limits, Suite, load_assignment
from autograder.cli import main
from autograder.interface import RemoteInterface
from autograder.verify.bank import Mistake, load_bank

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
TARGETS = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
CONTEXT = click.Context(main)
VERBS = {name: main.get_command(CONTEXT, name) for name in main.list_commands(CONTEXT)}

each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)


def code_of(page):
    """Return what a page shows as code: its blocks, and what stands between backticks."""
    text = page.read_text("utf-8")
    blocks = re.findall(r"^ *```\w*\n(.*?)^ *```", text, re.MULTILINE | re.DOTALL)
    return [line for block in blocks for line in block.splitlines()] + re.findall(r"`([^`\n]+)`", text)


def commands_of(page):
    """Return each `autograder VERB ...` of a page as its words."""
    found = [re.search(r"(?:^|\$ |&& )autograder ([a-z].*)", line) for line in code_of(page)]
    return [match[1].partition(" #")[0].split() for match in found if match]


@each_page
def test_every_verb_and_option_that_is_shown_exists(page):
    for verb, *words in commands_of(page):
        assert verb in VERBS, f"autograder {verb}"
        known = {name for option in VERBS[verb].params for name in option.opts}
        assert {word.partition("=")[0] for word in words if word.startswith("--")} <= known | {"--help"}


@each_page
def test_every_make_target_that_is_shown_exists(page):
    shown = [match[1] for line in code_of(page) for match in re.finditer(r"(?:^|\$ )make ([a-z]+)", line)]
    assert [target for target in shown if target not in TARGETS] == []


@each_page
def test_every_link_leads_somewhere(page):
    links = re.findall(r"\]\(([^)#:]+)(?:#[\w-]+)?\)", page.read_text("utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_the_instructors_page_shows_what_an_instructor_does():
    verbs = {verb for verb, *_ in commands_of(ROOT / "docs/instructors.md")}
    assert {"grade", "isolation", "preview", "regrade", "starter", "validate"} <= verbs


@each_page
def test_every_key_of_the_configuration_that_is_shown_exists(page):
    blocks = re.findall(r"^ *```toml\n(.*?)^ *```", page.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    shown = {name for block in blocks for name in re.findall(r"^ *(\w+) = ", block, re.MULTILINE)}
    known = {
        name for struct in (Assignment, Limits, Mistake, RemoteInterface, Suite) for name in struct.__struct_fields__
    }
    assert shown <= known


def test_the_readme_lists_every_verb_with_its_promise():
    block = re.search(r"<!-- verbs -->\n(.*)<!-- /verbs -->", PAGES[0].read_text("utf-8"), re.DOTALL)
    assert block is not None
    rows = [f"| `{name}` | {(verb.help or '').partition(chr(10))[0]} |" for name, verb in VERBS.items()]
    assert block[1].splitlines()[2:] == rows


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_shows_an_example(verb):
    assert f"Example: autograder {verb}" in (VERBS[verb].help or "")


def test_the_readme_counts_the_bank_as_it_is():
    bank = load_bank(load_assignment(ROOT))
    text = PAGES[0].read_text("utf-8")
    assert f"{len(bank.mistakes)} known mistakes" in text
    assert f"{len(bank.correct)} correct engines" in text
