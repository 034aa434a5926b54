"""The staff's report on a terminal: one line a test, grouped by suite and task, points on the right."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from itertools import groupby

import click
import msgspec

from ..diagnosis.summary import summary, summary_in_words
from ..model import GradeReport, Level, Status, TestOutcome, Verdict, total
from ..text import clean, counted, one_line
from .feedback import import_text, staff_text

WIDTH = 100
_MARKS = {
    Status.PASSED: ("✓", "green"),
    Status.FAILED: ("✗", "red"),
    Status.ERRORED: ("✗", "red"),
    Status.TIMED_OUT: ("✗", "red"),
    Status.CRASHED: ("✗", "red"),
    Status.BLOCKED: ("·", "yellow"),
    Status.NOT_ATTEMPTED: ("·", "cyan"),
}
_SAID = {  # beside the title, where the mark alone does not say it
    Status.ERRORED: "raised",
    Status.TIMED_OUT: "timed out",
    Status.CRASHED: "crashed",
    Status.BLOCKED: "not run",
}
_ASCII = str.maketrans({"✓": "+", "✗": "x", "·": ".", "…": "...", "—": "-", "–": "-", "×": "x", "−": "-", "─": "-"})


class Page(msgspec.Struct, frozen=True):
    """What the terminal can show, and how lines are laid out on it."""

    colour: bool
    unicode: bool

    def words(self, text: str) -> str:
        """Return `text` in the characters that the terminal can show."""
        return text if self.unicode else text.translate(_ASCII).encode("ascii", "backslashreplace").decode("ascii")

    def paint(self, text: str, hue: str = "", *, bold: bool = False, dim: bool = False) -> str:
        """Return `text` in colour, where there are colours."""
        text = self.words(text)
        return click.style(text, fg=hue or None, bold=bold or None, dim=dim or None) if self.colour else text

    def row(self, left: str, right: str) -> str:
        """Return one line with `right` at the right edge, whatever colours are in it."""
        left, right = self.words(left), self.words(right)
        room = WIDTH - len(click.unstyle(left)) - len(click.unstyle(right))
        return f"{left}{' ' * max(2, room)}{right}"

    def indented(self, text: str, columns: int) -> Iterator[str]:
        """Yield the lines of `text`, safe to print, indented, long ones broken at the right edge."""
        for line in self.words(clean(text)).expandtabs(4).split("\n") if text else []:
            own = line[: len(line) - len(line.lstrip())][:40]
            broken = textwrap.wrap(line, WIDTH - columns, subsequent_indent=own, replace_whitespace=False)
            yield from (" " * columns + part for part in broken or [""])


def staff_report(report: GradeReport, *, colour: bool, unicode: bool = True) -> str:
    """Return the report of one submission, WIDTH columns wide, everything in it: for staff alone.

    Without `unicode`, ASCII says the same.
    """
    page = Page(colour, unicode)
    lines = [*_head(report, page), *_import(report, page)]
    for suite in dict.fromkeys(outcome.test.suite for outcome in report.outcomes):
        lines += _suite(report, suite, page)
    lines += [*_causes(report, page), *_remarks(report, page), *_foot(report, page)]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _causes(report: GradeReport, page: Page) -> Iterator[str]:
    """Yield what is wrong in a few sentences, of all tests."""
    if text := summary_in_words(summary(report.outcomes)):
        yield ""
        yield from page.indented(text, 0)


def _head(report: GradeReport, page: Page) -> Iterator[str]:
    yield page.row(page.paint(report.assignment, bold=True), str(report.score))
    if not report.complete:
        yield page.paint("Grading had not finished: the points are not a judgement.", "yellow")


def _import(report: GradeReport, page: Page) -> Iterator[str]:
    if report.import_failure:
        text = import_text(report.import_failure, report.import_diagnosis, report.import_output)
        first, _, others = text.partition("\n")
        yield from ("", page.paint(first, "red"), *page.indented(others, 2))


def _suite(report: GradeReport, suite: str, page: Page) -> Iterator[str]:
    """Yield one suite: its total, then each task with its own, then the tests."""
    outcomes = [outcome for outcome in report.outcomes if outcome.test.suite == suite]
    yield from ("", page.row(page.paint(f"{suite} tests", bold=True), str(total(outcomes))))
    by_task = groupby(sorted(outcomes, key=lambda outcome: _in_order(outcome.test.task)), lambda o: o.test.task)
    has_tasks = any(outcome.test.task for outcome in outcomes)
    for task, group in by_task:
        members = list(group)
        if has_tasks:
            points = str(total(members)) if any(outcome.test.scored for outcome in members) else ""
            yield page.row(f"  {'task ' + task if task else 'further'}", page.paint(points, dim=True))
        untouched = [outcome for outcome in members if outcome.status is Status.NOT_ATTEMPTED]
        for outcome in members:
            if outcome.status is not Status.NOT_ATTEMPTED:
                yield from _test(outcome, page, explained=report.import_failure is None)
        if untouched:
            mark, hue = _MARKS[Status.NOT_ATTEMPTED]
            said = f"{counted(len(untouched), 'test')} not attempted: optional, and worth no points"
            yield f"    {page.paint(mark, hue)} {said}"


def _test(outcome: TestOutcome, page: Page, *, explained: bool) -> Iterator[str]:
    mark, hue = _MARKS[outcome.status]
    said = f" ({_SAID[outcome.status]})" if explained and outcome.status in _SAID else ""
    points = f"{outcome.score:g} / {outcome.test.points:g}" if outcome.test.scored else "no points"
    room = WIDTH - len("    x   ") - len(said) - len(points) - (0 if page.unicode else len(".."))  # "…" grows
    title = _fitting(page.words(outcome.test.title), room)
    yield page.row(f"    {page.paint(mark, hue)} {title}{said}", points)
    if explained:
        yield from page.indented(staff_text(outcome), 8)


def _fitting(title: str, width: int) -> str:
    """Return `title` in `width` characters; what tells the cases of a test apart, at its end, is kept."""
    _, bracket, case = title.rpartition("[")
    ending = bracket + case if case.endswith("]") and len(case) < width // 2 else ""
    if len(title) <= width or not ending:
        return one_line(title, width)
    return one_line(title.removesuffix(ending), width - len(ending)) + one_line(ending)


def _remarks(report: GradeReport, page: Page) -> Iterator[str]:
    """Yield the notes, which the student reads too, and the flags, which only staff read."""
    notes = [("note", "cyan", note.title, note.text) for note in report.notes]
    flags = [("flag", "yellow", flag.title, flag.text) for flag in report.flags]
    for place, (kind, hue, title, text) in enumerate(notes + flags):
        if place == 0:
            yield ""
        first, *others = page.indented(f"{one_line(title)}\n{text}".rstrip("\n") or "-", 6)
        yield from (f"{page.paint(kind, hue)}{first[4:]}", *others)


def _foot(report: GradeReport, page: Page) -> Iterator[str]:
    passed = sum(outcome.status is Status.PASSED for outcome in report.outcomes)
    summary = f"{passed} of {counted(len(report.outcomes), 'test')} passed in {report.seconds:.1f} s"
    yield from ("", page.words("─" * WIDTH))
    yield page.row(summary, page.paint(f"total  {report.score}", bold=True))
    isolation = report.isolation
    weak = [
        f"{layer.layer} {layer.verdict.value}" for layer in isolation.layers if layer.verdict is not Verdict.VERIFIED
    ]
    verified = len(isolation.layers) - len(weak)
    parts = [f"Python {report.python}"] if report.python else []
    parts += [f"isolation {isolation.level.name.lower()}"]
    parts += [f"{counted(verified, 'layer')} verified"] if verified else []
    text = ", ".join(parts + weak)
    hue = "yellow" if isolation.level < Level.STANDARD else ""
    yield from (page.paint(line, hue) for line in textwrap.wrap(text, WIDTH, subsequent_indent="  "))


def _in_order(task: str) -> tuple[bool, list[tuple[int, str]]]:
    """Return a key that sorts task 2.10 after 2.9, and tests without a task last."""
    return not task, [(int(part), "") if part.isdecimal() else (0, part) for part in task.split(".")]
