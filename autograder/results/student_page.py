"""What one student reads of their results: a page, and the same as Markdown for an issue or a commit.

Both show what Gradescope would show that student, and nothing else: `preview.view` decides.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..film.drawing import SHAPES
from ..film.frames import Film
from ..film.page import stage_of
from ..text import capped, counted, one_line
from .html import PAGES, page
from .preview import Audience, ShownTest, View

_FILM_BYTES = 400_000
_ISSUE_BYTES = 60_000  # GitHub takes 65,536 characters
_BUDGETS = (8 << 10, 1 << 10, 200, 0)  # bytes of text for each test: the first with which the whole fits
_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>#|~&])")


def student_page(view: View, *, assignment: str, who: str, film: Film | None = None) -> str:
    """Return the results in `view` as a page for the student `who`, in one file that opens without a network.

    A `film` of one of the tests in it is shown above them, unless it would make a large page.
    """
    stage = stage_of(film, PAGES, within=True) if film else ""
    is_shown = 0 < len(stage.encode("utf-8", "replace")) <= _FILM_BYTES
    values = {
        "view": view,
        "assignment": one_line(assignment),
        "who": one_line(who),
        "withheld": withheld_in_words(view),
        "filmed": one_line(film.title) if film and is_shown else "",
        "stage": "",
    }
    if not is_shown:
        return page("student", values, styles=["preview"])
    from markupsafe import Markup

    values["stage"] = Markup(stage)  # noqa: S704 - its own templates escape what a submission wrote
    return page("student", values, styles=["preview", "film"], further_style=SHAPES, script="film")


def student_markdown(view: View, *, assignment: str) -> str:
    """Return the results in `view` as Markdown. Text that a submission may have written stands in fenced blocks.

    So it mentions nobody, links to nothing, and keeps its lines.
    """
    text = ""
    for budget in _BUDGETS:
        text = "\n".join(_parts(view, assignment, budget))
        if len(text.encode("utf-8")) <= _ISSUE_BYTES:
            return text
    return capped(text, _ISSUE_BYTES)


def withheld_in_words(view: View) -> str:
    """Return how many tests the student does not see, and what follows from it; "" if there are none."""
    if not view.withheld:
        return ""
    later = "" if view.reader is Audience.STUDENT_PUBLISHED else " now"
    return f"{counted(view.withheld, 'further test')} cannot be seen{later}, so the total is left open."


def _parts(view: View, assignment: str, budget: int) -> Iterator[str]:
    yield f"# {_plain(assignment)}: feedback\n\nPoints: {view.total}\n"
    yield from _fenced(view.output.text, _BUDGETS[0])
    failed = [entry for entry in view.entries if not entry.passed]
    passed = [entry for entry in view.entries if entry.passed]
    for entry in failed:
        yield f"## ✗ {_title(entry)}\n"
        yield from _fenced(entry.output.text, budget)
    if passed:
        yield f"## Passed: {counted(len(passed), 'test')}\n"
        yield from (f"- {_title(entry)}" for entry in passed)
        yield ""
    if withheld := withheld_in_words(view):
        yield f"{withheld}\n"


def _title(entry: ShownTest) -> str:
    points = f" — {entry.points}" if entry.points else ""
    return f"{_plain(entry.number)}: {_plain(entry.name.text)}{points}"


def _fenced(text: str, budget: int) -> Iterator[str]:
    """Yield `text` as a block that it cannot leave: its fence is longer than any run of backticks in it."""
    text = capped(text, budget).strip("\n")
    if text:
        fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
        yield f"{fence}text\n{text}\n{fence}\n"


def _plain(text: str) -> str:
    return _MARKDOWN.sub(r"\\\1", one_line(text))
