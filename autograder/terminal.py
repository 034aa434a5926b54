"""The staff's report on a terminal: one line a test, grouped by suite and task, points on the right."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from itertools import groupby

import click

from .feedback import import_text, staff_text
from .model import GradeReport, Level, Status, TestOutcome, total
from .text import clean, counted, one_line

WIDTH = 100
_MARKS = {  # in Unicode, in ASCII, and in which colour
    Status.PASSED: ("✓", "+", "green"),
    Status.FAILED: ("✗", "x", "red"),
    Status.ERRORED: ("✗", "x", "red"),
    Status.TIMED_OUT: ("✗", "x", "red"),
    Status.CRASHED: ("✗", "x", "red"),
    Status.BLOCKED: ("·", ".", "yellow"),
    Status.NOT_ATTEMPTED: ("·", ".", "cyan"),
}
_SAID = {  # beside the title, where the mark alone does not say it
    Status.ERRORED: "raised",
    Status.TIMED_OUT: "timed out",
    Status.CRASHED: "crashed",
    Status.BLOCKED: "not run",
    Status.NOT_ATTEMPTED: "not attempted",
}
_ASCII = str.maketrans({"✓": "+", "✗": "x", "·": ".", "…": "...", "—": "-", "–": "-", "×": "x", "−": "-", "─": "-"})


def staff_report(report: GradeReport, *, colour: bool, unicode: bool = True) -> str:
    """Return the report of one submission, WIDTH columns wide, everything in it: for staff alone.

    Without `unicode`, ASCII says the same.
    """
    lines = [*_head(report, colour), *_import(report, colour)]
    for suite in dict.fromkeys(outcome.test.suite for outcome in report.outcomes):
        lines += _suite(report, suite, colour)
    lines += [*_remarks(report, colour), *_foot(report, colour)]
    text = "\n".join(line.rstrip() for line in lines) + "\n"
    return text if unicode else text.translate(_ASCII).encode("ascii", "backslashreplace").decode("ascii")


def _head(report: GradeReport, colour: bool) -> Iterator[str]:
    yield _row(click.style(report.assignment, bold=True) if colour else report.assignment, str(report.score))
    if not report.complete:
        yield _paint("Grading had not finished: the points are not a judgement.", "yellow", colour)


def _import(report: GradeReport, colour: bool) -> Iterator[str]:
    if report.import_failure:
        yield ""
        text = import_text(report.import_failure, report.import_diagnosis, report.import_output)
        first, *others = text.split("\n")
        yield _paint(first, "red", colour)
        yield from _indented("\n".join(others), 2)


def _suite(report: GradeReport, suite: str, colour: bool) -> Iterator[str]:
    """Yield one suite: its total, then each task with its own, then the tests."""
    outcomes = [outcome for outcome in report.outcomes if outcome.test.suite == suite]
    yield ""
    yield _row(_bold(f"{suite} tests", colour), str(total(outcomes)))
    tasks = sorted({outcome.test.task for outcome in outcomes}, key=_in_order)
    for task, group in groupby(sorted(outcomes, key=lambda o: _in_order(o.test.task)), lambda o: o.test.task):
        members = list(group)
        if len(tasks) > 1 or task:
            points = str(total(members)) if any(outcome.test.scored for outcome in members) else ""
            yield _row(f"  {'task ' + task if task else 'further'}", _dim(points, colour))
        for outcome in members:
            yield from _test(outcome, colour, explained=report.import_failure is None)


def _test(outcome: TestOutcome, colour: bool, *, explained: bool) -> Iterator[str]:
    mark, _, hue = _MARKS[outcome.status]
    said = f" ({_SAID[outcome.status]})" if outcome.status in _SAID else ""
    points = f"{outcome.score:g} / {outcome.test.points:g}" if outcome.test.scored else "no points"
    title = one_line(outcome.test.title + said, WIDTH - 20)
    yield _row(f"    {_paint(mark, hue, colour)} {title}", points)
    if explained:
        yield from _indented(staff_text(outcome), 8)


def _remarks(report: GradeReport, colour: bool) -> Iterator[str]:
    """Yield the notes, which the student reads too, and the flags, which only staff read."""
    remarks = [("note", remark, "cyan") for remark in report.notes] + [
        ("flag", remark, "yellow") for remark in report.flags
    ]
    if remarks:
        yield ""
    for kind, remark, hue in remarks:
        yield f"{_paint(kind, hue, colour)}  {one_line(remark.title)}"
        yield from _indented(remark.text, 6)


def _foot(report: GradeReport, colour: bool) -> Iterator[str]:
    yield ""
    yield "─" * WIDTH
    passed = sum(outcome.status is Status.PASSED for outcome in report.outcomes)
    yield _row(
        f"{passed} of {counted(len(report.outcomes), 'test')} passed in {report.seconds:.1f} s",
        _bold(f"total  {report.score}", colour),
    )
    isolation = report.isolation
    weak = isolation.level < Level.STANDARD
    layers = ", ".join(f"{layer.layer} {layer.verdict}" for layer in isolation.layers)
    text = f"isolation {isolation.level.name.lower()}" + (f": {layers}" if layers else "")
    yield from (_paint(line, "yellow", colour and weak) for line in textwrap.wrap(text, WIDTH, subsequent_indent="  "))


def _row(left: str, right: str) -> str:
    """Return one line with `right` at the right edge, whatever colours are in it."""
    room = WIDTH - len(click.unstyle(left)) - len(click.unstyle(right))
    return f"{left}{' ' * max(2, room)}{right}"


def _indented(text: str, columns: int) -> Iterable[str]:
    """Return the lines of `text`, safe to print, indented, long ones broken at the right edge."""
    room = WIDTH - columns
    lines = clean(text).expandtabs(4).split("\n") if text else []
    for line in lines:
        own = line[: len(line) - len(line.lstrip())][:40]
        broken = textwrap.wrap(line, room, subsequent_indent=own, replace_whitespace=False) or [""]
        yield from (" " * columns + part for part in broken)


def _in_order(task: str) -> tuple[bool, list[tuple[int, str]]]:
    """Return a key that sorts task 2.10 after 2.9, and tests without a task last."""
    return not task, [(int(part), "") if part.isdecimal() else (0, part) for part in task.split(".")]


def _paint(text: str, hue: str, colour: bool) -> str:
    return click.style(text, fg=hue) if colour else text


def _bold(text: str, colour: bool) -> str:
    return click.style(text, bold=True) if colour else text


def _dim(text: str, colour: bool) -> str:
    return click.style(text, dim=True) if colour else text
