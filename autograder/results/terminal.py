"""The staff's report on a terminal: what to do first, then one line a test, by suite and task, points on the right."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from itertools import groupby

import click
import msgspec

from ..findings.summary import summary
from ..model import Diagnosis, GradeReport, Level, Status, TestOutcome, Verdict, total
from ..text import clean, counted, natural_key, one_line
from .feedback import import_text, staff_text
from .overview import optional_parts, untouched, unwritten_task, what_to_do

WIDTH = 100  # if standard output is not a terminal
NARROWEST, WIDEST = 60, 120
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
    width: int

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
        room = self.width - len(click.unstyle(left)) - len(click.unstyle(right))
        return f"{left}{' ' * max(2, room)}{right}"

    def indented(self, text: str, columns: int) -> Iterator[str]:
        """Yield the lines of `text`, safe to print, indented, long ones broken at the right edge."""
        for line in self.words(clean(text)).expandtabs(4).split("\n") if text else []:
            own = line[: len(line) - len(line.lstrip())][:40]
            broken = textwrap.wrap(line, self.width - columns, subsequent_indent=own, replace_whitespace=False)
            yield from (" " * columns + part for part in broken or [""])


def staff_report(report: GradeReport, *, colour: bool, unicode: bool = True, width: int = WIDTH) -> str:
    """Return the report of one submission, everything in it: for staff alone.

    It is `width` columns wide, but at least NARROWEST and at most WIDEST. Without `unicode`, ASCII says the same.
    """
    page = Page(colour, unicode, min(max(width, NARROWEST), WIDEST))
    above = summary(report.outcomes)
    lines = [*_head(report, page), *_import(report, page), *_first(report, above, page)]
    hints: set[str] = set()
    for suite in dict.fromkeys(outcome.test.suite for outcome in report.outcomes):
        lines += _suite([o for o in report.outcomes if o.test.suite == suite], report, page, above, hints)
    lines += [*_optional(report, page), *_remarks(report, page), *_foot(report, page)]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _first(report: GradeReport, above: tuple[Diagnosis, ...], page: Page) -> Iterator[str]:
    """Yield what to do first, of all tests."""
    text = "" if report.import_failure else what_to_do(above, report.outcomes)
    if text:
        yield ""
        yield from (page.paint(line, bold=True) for line in page.indented(text, 0))


def _head(report: GradeReport, page: Page) -> Iterator[str]:
    yield page.row(page.paint(report.assignment, bold=True), str(report.score))
    if not report.complete:
        yield page.paint("Grading had not finished: the points are not a judgement.", "yellow")


def _import(report: GradeReport, page: Page) -> Iterator[str]:
    if report.import_failure:
        text = import_text(report.import_failure, report.import_diagnosis, report.import_output)
        first, _, others = text.partition("\n")
        yield from ("", page.paint(first, "red"), *page.indented(others, 2))


def _suite(
    outcomes: list[TestOutcome], report: GradeReport, page: Page, above: tuple[Diagnosis, ...], hints: set[str]
) -> Iterator[str]:
    """Yield one suite: its total, then each task with its own, then the tests."""
    name = outcomes[0].test.suite
    yield from ("", page.row(page.paint(f"{name} tests", bold=True), str(total(outcomes))))
    shown = [outcome for outcome in outcomes if not untouched(outcome)]
    has_tasks = any(outcome.test.task for outcome in shown)
    shown.sort(key=lambda outcome: (not outcome.test.task, natural_key(outcome.test.task)))
    for task, group in groupby(shown, lambda outcome: outcome.test.task):
        members = list(group)
        if has_tasks:
            points = str(total(members)) if any(outcome.test.scored for outcome in members) else ""
            unwritten = any(unwritten_task(outcome) == task for outcome in members) if task else False
            said = f"task {task}, not written yet" if unwritten else f"task {task}" if task else "further"
            yield page.row(f"  {said}", page.paint(points, dim=True))
        for outcome in members:
            yield from _test(outcome, page, above, explained=report.import_failure is None, hints=hints)


def _test(
    outcome: TestOutcome, page: Page, above: tuple[Diagnosis, ...], *, explained: bool, hints: set[str]
) -> Iterator[str]:
    """Yield a test's line, and below it what is known, but for a hint that another test has given already."""
    mark, hue = _MARKS[outcome.status]
    said = _beside(outcome) if explained else ""
    points = f"{outcome.score:g} / {outcome.test.points:g}" if outcome.test.scored else "no points"
    room = page.width - len("    x   ") - len(said) - len(points) - (0 if page.unicode else len(".."))  # "…" grows
    title = _fitting(page.words(outcome.test.title), room)
    yield page.row(f"    {page.paint(mark, hue)} {title}{said}", points)
    if explained and not unwritten_task(outcome):
        yield from page.indented(staff_text(outcome, above, hint=outcome.test.hint not in hints), 8)
        hints |= {outcome.test.hint} if outcome.status is not Status.PASSED else set()


def _beside(outcome: TestOutcome) -> str:
    """Return what stands beside a test's title where its mark alone does not say it."""
    if task := unwritten_task(outcome):
        return "" if task == outcome.test.task else f" (needs task {task})"
    return f" ({_SAID[outcome.status]})" if outcome.status in _SAID else ""


def _optional(report: GradeReport, page: Page) -> Iterator[str]:
    """Yield a line for each optional part that is untouched."""
    mark, hue = _MARKS[Status.NOT_ATTEMPTED]
    for place, (part, said) in enumerate(optional_parts(report.outcomes)):
        yield from ("", page.paint("optional, worth no points", bold=True)) if place == 0 else ()
        yield f"    {page.paint(mark, hue)} {part}: {said}"


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
    yield from ("", page.words("─" * page.width))
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
    yield from (page.paint(line, hue) for line in textwrap.wrap(text, page.width, subsequent_indent="  "))
