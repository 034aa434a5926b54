"""The pytest plugin of a course's own folder: `pytest` runs the suites in-process, against `solution/` or another.

It is the author's loop, and the control that a graded run is compared with. Every pytest in the environment loads it;
it does nothing but where the folder of the run has a configuration of ours.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from .assignment import Assignment

_NO_SCORE = "no score: run the suites without -n, since one process must count their points"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--submission`, the directory of the modules under test."""
    parser.addoption("--submission", metavar="DIR", help="the directory that the suites of a course test [solution]")


def pytest_configure(config: pytest.Config) -> None:
    """Put the submission's directory first on the path and load the handout's conftest.py."""
    assignment = _assignment_of(config)
    if assignment is None:
        return
    chosen = config.getoption("--submission")
    directory = Path(chosen).resolve() if chosen else assignment.solution_path
    if not directory.is_dir():
        raise pytest.UsageError(f"--submission {chosen}: no such directory")
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
    config.pluginmanager.register(Course(assignment), "course")


def _assignment_of(config: pytest.Config) -> Assignment | None:
    """Return the assignment whose suites are run here; None in any other folder, and in a student's."""
    file = config.rootpath / "pyproject.toml"
    if not file.is_file() or "[tool.autograder]" not in file.read_text("utf-8", "replace"):
        return None
    from .assignment import find_root, load_assignment
    from .errors import InstallationError
    from .installation import check_installation

    try:
        check_installation()
    except InstallationError as problem:
        raise pytest.UsageError(f"autograder: {problem}") from None
    assignment = load_assignment(find_root(config.rootpath))
    handout = str(assignment.solution_path / "conftest.py")
    loaded = {getattr(plugin, "__file__", None) for plugin in config.pluginmanager.get_plugins()}
    return None if handout in loaded else assignment  # run inside `solution/`: pytest has found that file itself


class Course:
    """What a run of a course's suites adds to the handout's own conftest.py."""

    def __init__(self, assignment: Assignment) -> None:
        self._assignment = assignment

    @pytest.fixture
    def seed(self) -> int:
        """Return the seed of this term, in place of the handout's."""
        return self._assignment.seed

    @pytest.fixture
    def ask(self) -> Callable[[object], object]:
        """Return what gives an object's own answer in the grader: in one process, an object answers anyway."""
        return lambda thing: thing

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print why there is no score if several processes ran the tests: each counts only the tests that it ran."""
        if not terminalreporter.config.getoption("numprocesses", None):
            return
        suites = tuple(f"{suite.path}/" for suite in self._assignment.suites)
        reports = [report for kind in ("passed", "failed") for report in terminalreporter.stats.get(kind, [])]
        if any(report.nodeid.startswith(suites) for report in reports):
            terminalreporter.write_line(_NO_SCORE)
