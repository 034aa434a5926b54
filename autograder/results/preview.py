"""What each reader of a results.json sees on Gradescope: a student now, the student later, and staff.

Gradescope's rules, as documented: a test's visibility wins over the file's; `after_due_date` and `after_published` hide
a test until then; a student from whom any test is hidden does not see the total; `extra_data` is never shown.
"""

from __future__ import annotations

import enum
import json
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

import msgspec

from ..errors import AssignmentError
from ..model import Visibility
from ..text import clean, counted, one_line
from .contract import inspect
from .html import page

_LATER = frozenset({Visibility.VISIBLE, Visibility.AFTER_DUE_DATE, Visibility.AFTER_PUBLISHED})
_IN_WORDS = {
    Visibility.VISIBLE: "",
    Visibility.HIDDEN: "never shown to students",
    Visibility.AFTER_DUE_DATE: "shown to students after the due date, and the late one",
    Visibility.AFTER_PUBLISHED: "shown to students once grades are published",
}
_RENDERED = {  # formats that Gradescope renders: here is the source, since it is the submission's to write
    "text": "",
    "html": "HTML, which Gradescope cleans and renders",
    "simple_format": "simple format: Gradescope keeps the line breaks and renders HTML",
    "md": "Markdown, which Gradescope renders",
    "ansi": "ANSI, whose colours Gradescope shows",
}


class Audience(str, enum.Enum):
    """Who looks at the results, and when."""

    STUDENT = "student"
    STUDENT_PUBLISHED = "student-published"
    STAFF = "staff"

    @property
    def heading(self) -> str:
        """Return the reader as a heading says it."""
        return {
            Audience.STUDENT: "Student, now",
            Audience.STUDENT_PUBLISHED: "Student, after publication",
            Audience.STAFF: "Staff",
        }[self]

    @property
    def sees(self) -> frozenset[Visibility]:
        """Return the visibilities whose tests this reader sees."""
        return {
            Audience.STUDENT: frozenset({Visibility.VISIBLE}),
            Audience.STUDENT_PUBLISHED: _LATER,
            Audience.STAFF: frozenset(Visibility),
        }[self]


class Words(msgspec.Struct, frozen=True):
    """Text of the results as plain text. `rendered` says how Gradescope would render it; "" for as it is."""

    text: str
    rendered: str = ""

    @property
    def blocks(self) -> list[tuple[bool, str]]:
        """Return the text in pieces, each with True if its lines are indented: code and tables, which must not wrap."""
        groups = groupby(self.text.split("\n"), lambda line: line.startswith(" "))
        return [(indented, "\n".join(lines)) for indented, lines in groups]


class ShownTest(msgspec.Struct, frozen=True, kw_only=True):
    """One test as a reader sees it."""

    number: str
    name: Words
    passed: bool
    points: str  # "2 / 2"; "" without a score
    output: Words
    shown: str = ""  # for staff: when students see it, where that is not at once


class View(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that one reader sees."""

    reader: Audience
    total: str  # "28 / 40", or "– / 40" where it is withheld
    output: Words
    entries: tuple[ShownTest, ...]  # those that failed first, as Gradescope's own list of names has them
    withheld: int  # tests that this reader does not see
    stdout: str  # what this reader sees of the standard output, in a sentence
    leaderboard: tuple[tuple[str, str], ...]

    @property
    def failed(self) -> int:
        """Return how many of the tests that are seen failed."""
        return sum(not entry.passed for entry in self.entries)

    @property
    def total_in_words(self) -> str:
        """Return how much of the results is here, in a sentence."""
        every = len(self.entries) + self.withheld
        if not self.withheld:
            return f"Sees all {counted(every, 'test')}, and the total."
        return f"Sees {len(self.entries)} of {counted(every, 'test')}. Because of the others, the total is withheld."


def preview(data: bytes, readers: Sequence[Audience] = tuple(Audience), *, name: str = "results.json") -> str:
    """Return a page that shows what `readers`, and they alone, see of `data`, the bytes of the results.json `name`.

    Raises AssignmentError if the file breaks Gradescope's contract.
    """
    problems = inspect(data).problems
    if problems:
        raise AssignmentError(
            f"{name} breaks Gradescope's contract, so students might see nothing of it: {problems[0]}; "
            "`autograder validate` names every problem"
        )
    content = json.loads(data)
    views = [view(content, reader) for reader in readers]
    return page("preview", {"name": one_line(name), "views": views, "graded": _graded_with(content)})


def view(content: Mapping[str, Any], reader: Audience) -> View:
    """Return what `reader` sees of `content`, which keeps Gradescope's contract."""
    tests = content.get("tests", [])
    usual = Visibility(content.get("visibility", Visibility.VISIBLE))
    shown = [Visibility(test.get("visibility", usual)) for test in tests]
    entries = tuple(
        _entry(test, place, content, visibility if reader is Audience.STAFF else Visibility.VISIBLE)
        for place, (test, visibility) in enumerate(zip(tests, shown, strict=True), 1)
        if visibility in reader.sees
    )
    withheld = len(tests) - len(entries)
    stdout = Visibility(content.get("stdout_visibility", Visibility.HIDDEN))
    return View(
        reader=reader,
        total=_total(content, withheld=bool(withheld) or (not tests and usual not in reader.sees)),
        output=_words(content.get("output", ""), content.get("output_format", "simple_format")),
        entries=tuple(sorted(entries, key=lambda entry: entry.passed)),
        withheld=withheld,
        stdout=_stdout(reader, stdout),
        leaderboard=tuple((one_line(str(row["name"])), one_line(str(row["value"]))) for row in _board(content)),
    )


def _graded_with(content: Mapping[str, Any]) -> str:
    """Return with what the results were made, for whoever runs the command; "" if the file does not say."""
    extra = content.get("extra_data", {})
    python, level = extra.get("python"), extra.get("isolation")
    parts = [f"Python {one_line(python, 40)}"] if isinstance(python, str) and python else []
    if isinstance(level, dict) and isinstance(level.get("level"), str):
        parts.append(f"isolation {one_line(level['level'], 40)}")
    return f"Graded with {', '.join(parts)}." if parts else ""


def _entry(test: Mapping[str, Any], place: int, content: Mapping[str, Any], shown: Visibility) -> ShownTest:
    score, most = test.get("score"), test.get("max_score")
    text_format = content.get("test_output_format", "text")
    return ShownTest(
        number=one_line(test.get("number", str(place))),
        name=_words(test.get("name", "unnamed"), test.get("name_format", content.get("test_name_format", "text"))),
        passed=test["status"] == "passed",
        points="" if score is None or most is None else f"{score:g} / {most:g}",
        output=_words(test.get("output", ""), test.get("output_format", text_format)),
        shown=_IN_WORDS[shown],
    )


def _total(content: Mapping[str, Any], *, withheld: bool) -> str:
    tests = content.get("tests", [])
    earned = content.get("score", sum(test.get("score", 0) for test in tests))
    possible = sum(test.get("max_score", 0) for test in tests)
    points = "–" if withheld else f"{earned:g}"
    return f"{points} / {possible:g}" if tests else points  # without tests, the file does not say out of how many


def _words(text: str, text_format: str) -> Words:
    return Words(clean(text).rstrip("\n"), _RENDERED[text_format] if text.strip() else "")


def _stdout(reader: Audience, visibility: Visibility) -> str:
    if reader is Audience.STAFF:
        return "What the grader printed, the staff's report, is shown here."
    return "What the grader printed, the staff's report, is shown here as well!" if visibility in reader.sees else ""


def _board(content: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    rows: list[Mapping[str, Any]] = content.get("leaderboard", [])
    return sorted(rows, key=lambda row: row.get("order") != "asc") if rows else rows
