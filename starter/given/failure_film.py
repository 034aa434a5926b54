"""Given: `pytest --diagnose` writes diagnosis.html, the backward pass of the first failing test that has one."""

from __future__ import annotations

import contextlib
from collections.abc import Generator, Sequence
from pathlib import Path
from types import ModuleType

import pytest

from .film.frames import film_of
from .film.page import page_of
from .filming import ASSETS, Run, boxes_of, raised, with_source
from .reasoning.program import UNKNOWN, Node, Place
from .recorder import Recorder
from .steps import Step

MOST_STEPS = 60  # of a test whose graph can be drawn
SIGNS = {"leaf": "", "add": "+", "sub": "-", "mul": "·", "truediv": "/", "pow": "**"}


def steps_of(nodes: Sequence[Node], output: int) -> list[Step]:  # given
    """Return what `output` is computed from as steps, named as a diagnosis names them."""
    needed = {output}
    for place in range(output, -1, -1):
        if place in needed:
            needed |= set(nodes[place].parents)
    at = {place: position for position, place in enumerate(sorted(needed))}
    return [
        Step(
            f"v{place + 1}",
            SIGNS.get(nodes[place].operation, nodes[place].operation),
            tuple((at[each],) if type(each) is Place else float(each) for each in nodes[place].operands),
        )
        for place in sorted(needed)
    ]


def page_of_failure(record: Recorder, engine: ModuleType, title: str, note: str) -> str:  # given
    """Return the page of the last backward pass that a test made; "" if it made none, or one that is too large."""
    broke_off = record.halted is not None and record.halted.subject == "backward"
    if not record.outputs and not (broke_off and record.nodes):
        return ""
    steps = steps_of(record.nodes, len(record.nodes) - 1 if broke_off else record.outputs[-1])
    if len(steps) > MOST_STEPS or any(step.sign == UNKNOWN for step in steps):
        return ""
    done = Run(engine, steps)
    why = f"The pass broke off: {raised(done.problem)}." if done.problem is not None else ""
    film = film_of(title, boxes_of(steps), done.data, done.changes, why)
    return page_of(with_source(film, engine, note), ASSETS)


class FailureFilm:
    """Beside the plugin that names mistakes: keeps the page of the first test that failed, and names its file."""

    def __init__(self, config: pytest.Config, folder: Path) -> None:  # given
        """Write into `folder`; a page of an earlier run there is out of date."""
        self.config, self.file = config, folder / "diagnosis.html"
        self.test = ""
        self.problem = ""
        with contextlib.suppress(OSError):
            self.file.unlink(missing_ok=True)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:  # given
        """Film the test that failed, with what the diagnosis says above."""
        record = getattr(self.config.pluginmanager.get_plugin("diagnosis"), "record", None)
        report = yield
        engine = getattr(item, "funcargs", {}).get("engine")
        wanted = report.failed and call.when == "call" and not self.test
        if wanted and isinstance(record, Recorder) and isinstance(engine, ModuleType):
            note = " ".join(text for title, text in report.sections if title == "Diagnosis")
            with contextlib.suppress(Exception):  # an engine that cannot be tried is one of which nothing is shown
                self.keep(page_of_failure(record, engine, item.name, note), item.name)
        return report

    def keep(self, page: str, test: str) -> None:  # given
        """Write the page of a test, if it has one."""
        if page:
            self.test = test
            try:
                self.file.write_text(page, encoding="utf-8", newline="\n")
            except OSError as problem:
                self.problem = f"{self.file.name} cannot be written: {problem.strerror}"

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:  # given
        """Name the file."""
        if self.test:
            shows = f"{self.file} shows the backward pass of {self.test}, line by line: open it in a browser"
            terminalreporter.write_line(self.problem or shows)
