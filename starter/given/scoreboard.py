"""Given: what `pytest` prints in the folder of the homework: one screen, with what is done and the one next thing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest

from .engine_file import problem_of, unread_files
from .score import closest, points

HOME = Path(__file__).resolve().parent.parent  # the folder of the homework

# What the contract leaves open: whether inputs keep their gradient from call to call, and how deep a graph may be.
OPEN = {"test_second_backward", "test_backward_on_a_leaf", "test_two_graphs_share_a_leaf", "test_deep_graph"}
NOTHING_TO_WRITE = {"3.5", "3.6"}  # tasks that no function of their own begins
PARITY = "test_torch_parity.py"  # minutes of PyTorch's import: only if asked for
LISTED = 15  # failing tests that get a line
NO_BACKWARD = "has no attribute 'backward'"  # an engine that was written anew, and has no second part yet


def task_of(item: pytest.Item) -> str:  # given
    """Return the task that a test belongs to, such as "1.2", or "" if it names none."""
    mark = closest(item, "task")
    return str(mark.kwargs["id"]) if mark else ""


def number(task: str) -> list[int]:  # given
    """Return a task as something to compare: "1.2" is [1, 2], no task comes before all."""
    return [int(part) for part in task.split(".") if part]


def in_order(items: list[pytest.Item]) -> list[pytest.Item]:  # given
    """Return the tests that earn points first, task by task and values before gradients, then the rest as it was."""
    scored = [item for item in items if points(item)]
    scored.sort(key=lambda item: (number(task_of(item)), item.path.name != "test_values.py"))
    return scored + [item for item in items if not points(item)]


def asked(item: pytest.Item, arguments: list[str]) -> bool:  # given
    """Return True unless a test worth nothing would run although nobody asked for it and nothing begins it."""
    if not item.get_closest_marker("unscored") or any(item.path.name in argument for argument in arguments):
        return True
    return task_of(item) not in NOTHING_TO_WRITE and item.path.name != PARITY


def task_missing(problem: BaseException) -> str:  # given
    """Return the task that is not written yet, as an exception says, or ""."""
    if isinstance(problem, NotImplementedError) and str(problem).startswith("task "):
        return str(problem).removeprefix("task ")
    return "2.2" if isinstance(problem, AttributeError) and str(problem).endswith(NO_BACKWARD) else ""


def first_line(problem: BaseException) -> str:  # given
    """Return an exception in one line; a failed comparison is words already."""
    text = (str(problem) or type(problem).__name__).splitlines()[0]
    if isinstance(problem, AssertionError):
        return text.removeprefix("assert ")
    return f"{type(problem).__name__}: {text}"


class Scoreboard:
    """The plugin that keeps a run of the homework's own tests short."""

    def __init__(self, config: pytest.Config) -> None:  # given
        """Start with no test; without `-v`, leave out what pytest prints on each failure."""
        self.config = config
        self.items: list[pytest.Item] = []
        self.said: dict[str, str] = {}  # by test: why it failed, in one line
        self.waits: dict[str, str] = {}  # by test: the task that it waits for
        self.passed: set[str] = set()
        self.reported: list[str] = []
        self.brief = config.option.verbose == 0 and config.option.tbstyle == "auto"
        if self.brief and config.rootpath == HOME and not config.option.collectonly:
            config.option.verbose = -1

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:  # given
        """Put what counts first, leave out what nobody asked for, and stop if the engine cannot be imported."""
        if not all(item.path.is_relative_to(HOME) for item in items):  # a run of other tests as well: leave it as it is
            return
        further = self.config.getoption("--further", False)
        items[:] = self.items = [item for item in in_order(items) if further or asked(item, self.config.args)]
        if self.config.option.collectonly or not any("engine" in getattr(i, "fixturenames", ()) for i in items):
            return
        problem = problem_of(HOME / "engine.py")
        if problem:
            items.clear()
            self.items = []
            raise pytest.UsageError(problem)

    def pytest_assertrepr_compare(self, left: object, right: object) -> list[str] | None:  # given
        """Return a failed comparison of two numbers in words."""
        if not self.items or type(left) not in (int, float):
            return None
        return [f"expected {str(right).partition(' ± ')[0]}, got {left!r}"]

    @pytest.hookimpl(wrapper=True)
    def pytest_pyfunc_call(self, pyfuncitem: pytest.Function) -> Generator[None, object, object]:  # given
        """Skip a scored test that met a later task first, and report what the contract leaves open."""
        try:
            return (yield)
        except (AssertionError, RecursionError) as problem:
            name = pyfuncitem.originalname
            if name not in OPEN:
                raise
            self.reported.append(f"{name}: {first_line(problem)}")
            pytest.skip("the contract leaves it open")
        except (NotImplementedError, AttributeError) as problem:
            later = task_missing(problem)
            if not points(pyfuncitem) or not later:
                raise
            self.waits[pyfuncitem.nodeid] = later
            if number(later) > number(task_of(pyfuncitem)):  # an earlier one fails: no run is green without it
                pytest.skip(f"waits for task {later}")
            raise

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

    def pytest_sessionfinish(self) -> None:  # given
        """Leave out pytest's own account of each failure; what an editor shows of it is made before."""
        if self.brief and self.items:
            self.config.option.tbstyle = "no"

    @pytest.hookimpl(tryfirst=True)
    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:  # given
        """Print the tasks, a line for each failing test, and the one next thing."""
        if self.config.option.collectonly or not self.items:
            return
        if self.brief:
            terminalreporter.reportchars = ""  # these lines take the place of pytest's own
        if any(map(points, self.items)):
            terminalreporter.write_line("\ntask  points")
        for line, right in self.tasks():
            terminalreporter.write_line(line, green=right)
        lines = [*self.failures(), *(f"reported, left open by the contract: {each}" for each in self.reported)]
        for line in [*lines, *self.next()]:
            terminalreporter.write_line(line)

    def tasks(self) -> Iterator[tuple[str, bool]]:  # given
        """Yield a line for each task: its points, and whether it is done, to do or waits; and whether all is right."""
        tests: dict[str, list[pytest.Item]] = defaultdict(list)
        for item in self.items:
            if points(item):
                tests[task_of(item)].append(item)
        for task, items in tests.items():
            won = [item for item in items if item.nodeid in self.passed]
            score = f"{sum(map(points, won)):g} / {sum(map(points, items)):g}"
            state, right = self.state(task, items, len(won))
            yield f" {task}  {score:12}{state}", right

    def state(self, task: str, items: list[pytest.Item], won: int) -> tuple[str, bool]:  # given
        """Return how far a task is, and whether all that could be tested is right."""
        if won == len(items):
            return "done", True
        waits = {self.waits[item.nodeid] for item in items if item.nodeid in self.waits}
        if task in waits and not won:
            return "not written yet", False
        wrong = any(item.nodeid in self.said and item.nodeid not in self.waits for item in items)
        if waits - {task} and task not in waits and not wrong:
            said = "values right; the gradients wait" if won else "waits"
            return f"{said} for task {min(waits, key=number)}", won > 0
        return f"{won} of {len(items)} tests pass", False

    def failures(self) -> list[str]:  # given
        """Return one line for each test that failed, except where its task is not written yet."""
        found = [item for item in self.items if item.nodeid in self.said and item.nodeid not in self.waits]
        lines = [f"  {task_of(item)}  {item.name}: {self.said[item.nodeid]}" for item in found[:LISTED]]
        more = [f"  and {len(found) - LISTED} more"] if len(found) > LISTED else []
        return ["failed (details: pytest -v)", *lines, *more] if found else []

    def next(self) -> list[str]:  # given
        """Return the one thing to do next, with its hint, and what might be the file that was meant."""
        item = next((item for item in self.items if item.nodeid in self.said), None)
        if item is None:
            return []
        hint = closest(item, "hint")
        line = f"next: task {task_of(item)}, {item.name}" + (f". {hint.args[0]}" if hint else "")
        return [line, *unread_files(HOME / "engine.py")]
