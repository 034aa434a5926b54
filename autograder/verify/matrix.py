"""The matrix of `autograder verify`: a line for each engine, a column for each test, and what the columns are."""

from __future__ import annotations

from itertools import groupby

import click
import msgspec

from ..assignment import Assignment
from ..model import GradedTest
from ..text import counted
from .gaps import detected_by, gaps, problems, unlisted
from .trials import Kind, Trial

_NONE, _SOME, _ALL = "·", "○", "●"
_NAME = 36  # characters of an engine's name


class Column(msgspec.Struct, frozen=True):
    """One test with all its cases."""

    name: str  # "public/test_reuse.py::test_x"
    cases: tuple[str, ...]  # ids


class Matrix(msgspec.Struct, frozen=True):
    """All trials, and how they are shown."""

    assignment: Assignment
    trials: tuple[Trial, ...]
    whole: bool  # the whole bank was tried, so that a test that nothing failed is a gap
    colour: bool

    def __str__(self) -> str:
        return "\n".join(
            [
                *self._head(),
                *map(self._line, self.trials),
                "",
                *self._legend(),
                *self._unlisted(),
                *self._gaps(),
                "",
                self._end(),
            ]
        )

    @property
    def columns(self) -> tuple[Column, ...]:
        """Return the scored tests in order, the cases of each together."""
        tests = [outcome.test for outcome in self.trials[0].report.outcomes if outcome.test.scored]
        groups = groupby(tests, key=_function)
        return tuple(Column(name, tuple(test.id for test in group)) for name, group in groups)

    def _head(self) -> list[str]:
        numbers = range(1, len(self.columns) + 1)
        tens = "".join(str(number // 10) if number % 10 == 0 else " " for number in numbers)
        ones = "".join(str(number % 10) for number in numbers)
        explained = f"{_NONE} earned   {_SOME} some cases lost   {_ALL} lost"
        return [explained, "", f"{'':{_NAME + 7}}{tens}".rstrip(), f"{'':{_NAME}}points {ones}"]

    def _line(self, trial: Trial) -> str:
        wrong = bool(gaps(trial))
        cells = "".join(self._cell(trial, column) for column in self.columns)
        name = trial.case.name if len(trial.case.name) <= _NAME else trial.case.name[: _NAME - 1] + "…"
        points = f"{trial.report.score.earned:6g}"
        return f"{self._paint(f'{name:{_NAME}}', wrong)}{points} {cells}{'  ←' if wrong else ''}"

    def _cell(self, trial: Trial, column: Column) -> str:
        lost = sum(case in trial.lost for case in column.cases)
        if lost == 0:
            return _NONE
        return self._paint(_ALL if lost == len(column.cases) else _SOME, trial.case.kind is Kind.CORRECT)

    def _paint(self, text: str, wrong: bool) -> str:
        return click.style(text, fg="red") if wrong and self.colour else text

    def _legend(self) -> list[str]:
        lines = []
        for number, column in enumerate(self.columns, start=1):
            failed = sum(any(case in detected_by(trial) for case in column.cases) for trial in self._mistakes())
            cases = f", {len(column.cases)} cases" if len(column.cases) > 1 else ""
            by = f": failed by {counted(failed, 'mistake')}" if self._mistakes() else ""
            lines.append(f"{number:3}  {column.name}{cases}{by}")
        return lines

    def _unlisted(self) -> list[str]:
        """Return the tests that mistakes fail without saying so; that is a remark, and not a gap."""
        by_test: dict[str, list[str]] = {}
        for trial in self.trials:
            for test in sorted(unlisted(trial)):
                by_test.setdefault(test, []).append(trial.case.name)
        lines = [f"{test} is failed by {', '.join(names)}" for test, names in by_test.items()]
        return ["", "Not in the rows of the bank (`autograder verify --accept` adds it):", *lines] if lines else []

    def _gaps(self) -> list[str]:
        found = problems(self.assignment, self.trials, whole=self.whole)
        return ["", self._paint(f"{counted(len(found), 'gap')}:", True), *found] if found else []

    def _mistakes(self) -> list[Trial]:
        return [trial for trial in self.trials if trial.case.kind is Kind.MISTAKE]

    def _end(self) -> str:
        correct = sum(trial.case.kind is Kind.CORRECT for trial in self.trials)
        scored = sum(len(column.cases) for column in self.columns)
        counts = (correct, "correct engine"), (len(self._mistakes()), "mistake"), (scored, "scored test")
        verdict = "something is not as it must be" if self._gaps() else "all is as it must be"
        return f"{', '.join(counted(*count) for count in counts)}: {verdict}"


def _function(test: GradedTest) -> str:
    return test.id.partition("[")[0]
