"""Given: what `pytest` prints in the folder of the homework: one screen, with what is done and the one next thing."""

from __future__ import annotations

import importlib
from collections import defaultdict
from collections.abc import Generator
from pathlib import Path

import pytest

from .grader_imports import refused_import
from .score import HOME

# What the contract leaves open: whether inputs keep their gradient from call to call, and how deep a graph may be.
OPEN = {"test_second_backward", "test_backward_on_a_leaf", "test_two_graphs_share_a_leaf", "test_deep_graph"}
NOTHING_TO_WRITE = {"3.5", "3.6"}  # tasks that no function of their own begins
PARITY = "test_torch_parity.py"  # minutes of PyTorch's import: only if asked for
LISTED = 15  # failing tests that get a line


def task_of(item: pytest.Item) -> str:  # given
    """Return the task that a test belongs to, such as "1.2", or "" if it names none."""
    mark = item.get_closest_marker("task")
    return str(mark.kwargs["id"]) if mark else ""


def number(task: str) -> list[int]:  # given
    """Return a task as something to compare: "1.2" is [1, 2], no task comes before all."""
    return [int(part) for part in task.split(".") if part]


def in_order(items: list[pytest.Item]) -> list[pytest.Item]:  # given
    """Return the tests that earn points first, in the order of the tasks, then the rest as it was."""
    scored = [item for item in items if item.get_closest_marker("points")]
    scored.sort(key=lambda item: number(task_of(item)))
    return scored + [item for item in items if not item.get_closest_marker("points")]


def asked(item: pytest.Item, arguments: list[str]) -> bool:  # given
    """Return True unless a test worth nothing would run although nobody asked for it and nothing begins it."""
    if not item.get_closest_marker("unscored") or any(item.path.name in argument for argument in arguments):
        return True
    return task_of(item) not in NOTHING_TO_WRITE and item.path.name != PARITY


def problem_of(file: Path) -> str:  # given
    """Return in one line why the tests cannot import `file`, with the line that is to blame, or "" if they can."""
    if not file.is_file():
        return f"there is no {file.name} in {file.parent}: the tests need it beside conftest.py"
    try:
        importlib.import_module(file.stem)
    except SyntaxError as problem:
        name = Path(problem.filename or file).name
        return f"{name}, line {problem.lineno}: {type(problem).__name__}: {problem.msg}. No test can run before that."
    except (Exception, SystemExit) as problem:  # noqa: BLE001 - the student's code may raise anything
        lines, trace = [0], problem.__traceback__
        while trace:
            if Path(trace.tb_frame.f_code.co_filename).resolve() == file:
                lines.append(trace.tb_lineno)
            trace = trace.tb_next
        return f"{file.name}, line {lines[-1]}: {type(problem).__name__}: {problem}. No test can run before that."
    return refused_import(file)


class Scoreboard:
    """The plugin that keeps a run in the student's own folder short."""

    def __init__(self, config: pytest.Config) -> None:  # given
        """Start with no test; without `-v`, leave out what pytest prints on each failure."""
        self.config = config
        self.items: list[pytest.Item] = []
        self.said: dict[str, str] = {}  # by test: why it failed, in one line
        self.waits: dict[str, str] = {}  # by test: the task that it waits for
        self.passed: set[str] = set()
        self.reported: list[str] = []
        self.brief = config.option.verbose == 0 and config.option.tbstyle == "auto"
        if self.brief and not config.option.collectonly:
            config.option.verbose, config.option.tbstyle = -1, "no"

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:  # given
        """Put what counts first, leave out what nobody asked for, and stop if the engine cannot be imported."""
        chosen = [item for item in in_order(items) if self.config.option.further or asked(item, self.config.args)]
        items[:] = self.items = chosen
        if self.config.option.collectonly or not any("engine" in getattr(i, "fixturenames", ()) for i in items):
            return
        problem = problem_of(HOME / "engine.py")
        if problem:
            items.clear()
            self.items = []
            raise pytest.UsageError(problem)

    def pytest_assertrepr_compare(self, left: object, right: object) -> list[str] | None:  # given
        """Return a failed comparison of two numbers in words."""
        if type(left) not in (int, float):
            return None
        return [f"expected {str(right).partition(' ± ')[0]}, got {left!r}"]

    @pytest.hookimpl(wrapper=True)
    def pytest_pyfunc_call(self, pyfuncitem: pytest.Function) -> Generator[None, object, object]:  # given
        """Skip a scored test that met a later task first, and report what the contract leaves open."""
        try:
            return (yield)
        except NotImplementedError as problem:
            later = str(problem).removeprefix("task ")
            if not pyfuncitem.get_closest_marker("points") or later == str(problem):
                raise
            self.waits[pyfuncitem.nodeid] = later
            if number(later) > number(task_of(pyfuncitem)):  # an earlier one fails: no run is green without it
                pytest.skip(f"waits for task {later}")
            raise
        except (AssertionError, RecursionError) as problem:
            name = pyfuncitem.originalname
            if name not in OPEN:
                raise
            self.reported.append(f"{name}: {first_line(problem)}")
            pytest.skip("the contract leaves it open")

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:  # given
        """Keep why a test failed, in one line."""
        report = yield
        if report.failed and call.excinfo is not None:
            self.said[item.nodeid] = first_line(call.excinfo.value)
            for title, text in report.sections:
                if title == "Diagnosis":
                    self.said[item.nodeid] += f"\n      {text}"
        elif report.passed and report.when == "call":
            self.passed.add(item.nodeid)
        return report

    @pytest.hookimpl(tryfirst=True)
    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:  # given
        """Print the tasks, a line for each failing test, and the one next thing."""
        if self.config.option.collectonly or not self.items:
            return
        if self.brief:
            terminalreporter.reportchars = ""  # these lines take the place of pytest's own
        lines = [*self.tasks(), *self.failures(), *(f"reported, left open by the contract: {r}" for r in self.reported)]
        for line in [*lines, *self.next()]:
            terminalreporter.write_line(line)

    def tasks(self) -> list[str]:  # given
        """Return one line for each task: done, to do, or what it waits for."""
        tests: dict[str, list[pytest.Item]] = defaultdict(list)
        for item in self.items:
            if item.get_closest_marker("points"):
                tests[task_of(item)].append(item)
        lines = ["", "task"]
        for task, items in tests.items():
            won = sum(item.nodeid in self.passed for item in items)
            later = {self.waits[item.nodeid] for item in items if item.nodeid in self.waits} - {task}
            state = f"{won} of {len(items)} tests pass"
            if won == len(items):
                state = "done"
            elif any(self.waits.get(item.nodeid) == task for item in items):
                state = "not written yet"
            elif later and not any(item.nodeid in self.said for item in items):
                right = "values right; the gradients wait" if task < min(later) else "waits"
                state = f"{right} for task {min(later)}"
            lines.append(f"  {task}  {state}")
        return lines

    def failures(self) -> list[str]:  # given
        """Return one line for each test that failed, except where its task is not written yet."""
        found = [item for item in self.items if item.nodeid in self.said and item.nodeid not in self.waits]
        lines = [f"  {task_of(item)}  {item.name}: {self.said[item.nodeid]}" for item in found[:LISTED]]
        more = [f"  and {len(found) - LISTED} more"] if len(found) > LISTED else []
        return ["failed (details: pytest -v)", *lines, *more] if found else []

    def next(self) -> list[str]:  # given
        """Return the one thing to do next, with its hint."""
        item = next((item for item in self.items if item.nodeid in self.said), None)
        if item is None:
            return []
        hint = item.get_closest_marker("hint")
        return [f"next: task {task_of(item)}, {item.name}" + (f". {hint.args[0]}" if hint else "")]


def first_line(problem: BaseException) -> str:  # given
    """Return an exception in one line; a failed comparison is words already."""
    text = (str(problem) or type(problem).__name__).splitlines()[0]
    if isinstance(problem, AssertionError):
        return text.removeprefix("assert ")
    return f"{type(problem).__name__}: {text}"
