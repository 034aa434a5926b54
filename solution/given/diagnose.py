"""Given: `pytest --diagnose` names the mistake behind a failing test, as far as the evidence goes, and its line.

While a test runs, every operation on a `Value` is written down. After a failure the same operations are done with plain
numbers: that gives the right values, and by central differences the right derivatives. Then each operator is tried by
itself. What is said rests on what your engine did; when that does not decide, nothing is said. The grader says the same
in the same words: `reasoning/` is a copy of its own.
"""

from __future__ import annotations

import contextlib
from collections.abc import Generator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from .reasoning.found import Found
from .reasoning.reason import ranked, reason_of
from .reasoning.sentences import MISTAKES, sentence
from .recorder import MOST, Recorder
from .sections import SECTIONS
from .witness import OwnWitness, fresh

FIRST = 3  # mistakes that are named at the end
MOST_LINES = 8  # tests that are run once more, line by line


class Diagnosis:
    """The plugin behind `--diagnose`."""

    def __init__(self) -> None:  # given
        """Start with nothing recorded."""
        self.record: Recorder | None = None
        self.found: list[Found] = []
        self.lines = 0

    @pytest.hookimpl(wrapper=True)
    def pytest_pyfunc_call(self, pyfuncitem: pytest.Function) -> Generator[None, Any, Any]:  # given
        """Watch the engine while a test runs."""
        module = pyfuncitem.funcargs.get("engine")
        self.record = None
        further = pyfuncitem.get_closest_marker("unscored")  # it knows the operators of parts 1 and 2 alone
        if further or not isinstance(module, ModuleType) or not isinstance(getattr(module, "Value", None), type):
            return (yield)
        with Recorder(module) as self.record:
            pyfuncitem.funcargs["engine"] = self.record
            try:
                return (yield)
            finally:
                pyfuncitem.funcargs["engine"] = module

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:  # given
        """Say below a failure what is wrong."""
        report = yield
        if report.failed and call.excinfo is not None and self.record is not None:
            found = None
            with contextlib.suppress(Exception):  # an engine that cannot be tried is one of which nothing is said
                found = self.diagnosed(self.record, call.excinfo.value)
            if found is not None:
                self.found.append(found)
                report.sections.append(("Diagnosis", in_words(found, self.record.module)))
        if report.when == "call":
            self.record = None
        return report

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:  # given
        """Say what to look at first."""
        first = ranked((each.code, each.subject) for each in self.found)[:FIRST]
        if first:
            terminalreporter.section("Diagnosis: start with the first", bold=True)
        for number, (code, subjects) in enumerate(first, 1):
            exception = next(each.exception for each in self.found if each.code == code)
            terminalreporter.write_line(f"{number}. {sentence(code, subjects, exception)} {section_of(code)}")

    def diagnosed(self, record: Recorder, problem: BaseException) -> Found | None:  # given
        """Return what is wrong, with the line that makes the mistake the first time that it shows."""
        if len(record.nodes) > MOST:
            return None

        def anew(found: Found) -> OwnWitness | None:  # given
            known = any(each.line for each in self.found if (each.code, each.subject) == (found.code, found.subject))
            if known or self.lines >= MOST_LINES:
                return None
            self.lines += 1
            return OwnWitness(fresh(record.module), ())

        return reason_of(record.program, OwnWitness(record.module, record.objects), record.halt(problem), anew)


def in_words(found: Found, module: ModuleType) -> str:  # given
    """Return the sentence, the line, the numbers and what to read."""
    parts = [sentence(found.code, [found.subject] if found.subject else [], found.exception)]
    if found.line is not None:
        text = Path(str(module.__file__)).read_text("utf-8").split("\n")[found.line.line - 1].strip()
        parts.append(f"{found.line.file} line {found.line.line}: `{text}` {found.line.said}.")
    rows = [f"  {row.node}: expected {row.expected}, got {row.got}" for row in found.evidence]
    return "\n".join([*parts, *([found.drawing] if found.drawing else rows), section_of(found.code)])


def section_of(code: str) -> str:  # given
    """Return which pitfall to read about."""
    kind, _, words = SECTIONS[MISTAKES[code].section].partition("-")
    return f'See "{kind.capitalize()}: {words.replace("-", " ")}" in PITFALLS.md.'
