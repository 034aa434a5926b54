"""A pytest plugin for this repository: the suites run in-process, against `solution/` or `--engine DIR`.

It is the developer's loop, and the control that a graded run is compared with. It loads the same
conftest.py that students get, so both show the same.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

from .assignment import Assignment, find_root, load_assignment


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--engine`, the directory of the modules under test."""
    parser.addoption("--engine", metavar="DIR", help="the directory that holds the engine under test [solution]")


def pytest_configure(config: pytest.Config) -> None:
    """Put the engine's directory first on the path and load the handout's conftest.py."""
    assignment = load_assignment(find_root(config.rootpath))
    chosen = config.getoption("--engine")
    directory = Path(chosen).resolve() if chosen else assignment.solution_path
    if not directory.is_dir():
        raise pytest.UsageError(f"--engine {chosen}: no such directory")
    sys.path.insert(0, str(assignment.solution_path))  # the conftest of the handout may have modules of its own
    file = assignment.solution_path / "conftest.py"
    specification = importlib.util.spec_from_file_location("handout_conftest", file)
    assert specification is not None, f"{file} cannot be imported"
    assert specification.loader is not None, "a .py file always has a loader"
    module = importlib.util.module_from_spec(specification)
    sys.modules["handout_conftest"] = module
    specification.loader.exec_module(module)
    sys.path[0] = str(directory)
    config.pluginmanager.register(module, "handout")
    config.pluginmanager.register(_Seed(assignment), "seed")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say why there is no score if several processes ran the tests: each process counts only the tests that it ran."""
    config = terminalreporter.config
    if not config.getoption("numprocesses", None):
        return
    suites = tuple(f"{suite.path}/" for suite in load_assignment(find_root(config.rootpath)).suites)
    reports = [report for kind in ("passed", "failed") for report in terminalreporter.stats.get(kind, [])]
    if any(report.nodeid.startswith(suites) for report in reports):
        terminalreporter.write_line("no score: run the suites without -n, since one process must count their points")


class _Seed:
    """The configuration's seed in place of the handout's."""

    def __init__(self, assignment: Assignment) -> None:
        self._assignment = assignment

    @pytest.fixture
    def seed(self) -> int:
        """Return the seed of this term."""
        return self._assignment.seed
