# Copied by `autograder starter` from autograder/handout/score.py: edit that file.
"""Given: the marks of the public tests, hints, what is skipped, and the score line at the end of a run.

Each course's handout has a copy of this file, whose hooks its conftest.py offers to pytest.
"""

from __future__ import annotations

import traceback
from collections import Counter
from collections.abc import Generator
from pathlib import Path

import pytest

MARKS = (
    "points(n): what the test is worth, in quarters of a point",
    "hint(text): one sentence for whoever fails the test",
    "task(id): the task of the handout that the test belongs to",
    "after(name): wait for that test of the same file: while it fails, this one is skipped",
    "visibility(name): when the result may be seen; it matters on Gradescope only",
    "unscored: for information, worth no points",
)


def pytest_configure(config: pytest.Config) -> None:
    """Register the marks, and start to keep the score."""
    for mark in MARKS:
        config.addinivalue_line("markers", mark)
    config.pluginmanager.register(Score(config), "score")


class Score:
    """The points of a run, suite by suite: the folder `tests_public` holds the public suite."""

    def __init__(self, config: pytest.Config) -> None:
        """Start with no test."""
        self.config = config
        self.items: dict[str, pytest.Item] = {}
        self.files: set[Path] = set()
        self.passed: set[str] = set()
        self.failed: set[tuple[Path, str]] = set()
        self.finished = False
        self.left_out = any("::" in argument for argument in config.args)  # only some tests of a file

    def pytest_deselected(self) -> None:
        """Note that `-k` or `-m` left some tests out."""
        self.left_out = True

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Take the scored tests from what was collected."""
        self.items = {item.nodeid: item for item in session.items if points(item)}
        self.files = {item.path for item in session.items}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtestloop(self, session: pytest.Session) -> Generator[None, object, object]:
        """Note whether the run came to its end: `-x` and Ctrl-C stop it before."""
        result = yield
        self.finished = not session.shouldfail and not session.shouldstop
        return result

    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Skip a test whose `after` names one that did not pass: one mistake is one red line."""
        mark = closest(item, "after")
        if mark and (item.path, mark.args[0]) in self.failed:
            pytest.skip(f"waits for {mark.args[0]}")

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Keep the outcome, and print the hint below a failure."""
        report = yield
        if not report.passed:
            self.passed.discard(item.nodeid)
            self.failed.add((item.path, getattr(item, "originalname", item.name)))
            hint = closest(item, "hint")
            if report.failed and hint:
                report.sections.append(("Hint", hint.args[0]))
        elif report.when == "call":
            self.passed.add(item.nodeid)
        return report

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_sessionfinish(self) -> Generator[None, None, None]:
        """Print the score of each suite, such as `public score: 37.5 / 40`, below all that pytest prints."""
        yield
        if self.config.option.collectonly:
            return
        terminal = self.config.pluginmanager.get_plugin("terminalreporter")
        for suite in sorted({item.path.parent for item in self.items.values()}):
            tests = [item for item in self.items.values() if item.path.parent == suite]
            won = sum(points(item) for item in tests if item.nodeid in self.passed)
            whole = sum(points(item) for item in tests)
            part = self.left_out or not self.finished or not scored_files(suite) <= self.files
            note = " (not every test of the suite was run)" if part else ""
            if terminal:
                terminal.write_line(f"{suite.name.removeprefix('tests_')} score: {won:g} / {whole:g}{note}", bold=True)


def scored_files(suite: Path) -> set[Path]:
    """Return the files of a suite that hold tests with points."""
    return {file for file in suite.glob("test_*.py") if "mark.points" in file.read_text("utf-8")}


def closest(item: pytest.Item, name: str) -> pytest.Mark | None:
    """Return the mark called `name` that stands closest: a case's own comes before that of its test."""
    callspec = getattr(item, "callspec", None)
    of_case = [mark for mark in callspec.marks if mark.name == name] if callspec else []
    return of_case[0] if of_case else item.get_closest_marker(name)


def points(item: pytest.Item) -> float:
    """Return what the test is worth, 0 when it has no `points` mark."""
    mark = closest(item, "points")
    return float(mark.args[0]) if mark else 0.0


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, object, object]:
    """Skip a test without points if its task is not begun: that is not a failure."""
    try:
        return (yield)
    except (NotImplementedError, AttributeError, TypeError) as problem:
        if pyfuncitem.get_closest_marker("unscored") and not_begun(problem, pyfuncitem.path):
            pytest.skip(f"not begun: {problem}")
        raise


def not_begun(problem: Exception, test: Path) -> bool:
    """Return True if a task is as it was handed out, or what it would define is missing: none of your code ran."""
    if isinstance(problem, NotImplementedError):
        return str(problem).startswith("task ")
    innermost = list(traceback.walk_tb(problem.__traceback__))[-1][0]
    absent = isinstance(problem, AttributeError) or "bad operand type" in str(problem)
    return absent and Path(innermost.f_code.co_filename) == test


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print how the tests without points ended, and why some of them were skipped."""
    found = {
        outcome: [
            report
            for report in terminalreporter.stats.get(outcome, [])
            if isinstance(report, pytest.TestReport) and "unscored" in report.keywords
        ]
        for outcome in ("passed", "failed", "skipped")
    }
    if any(found.values()):
        counts = ", ".join(f"{len(reports)} {outcome}" for outcome, reports in found.items() if reports)
        terminalreporter.write_line(f"going further, worth no points: {counts}")
    if terminalreporter.config.option.tbstyle == "no":  # the short form
        return
    reasons = [report.longrepr[2] for report in found["skipped"] if isinstance(report.longrepr, tuple)]
    for reason, many in Counter(reason.removeprefix("Skipped: ") for reason in reasons).items():
        terminalreporter.write_line(f"  {many} skipped: {reason}")
