"""A template repository: the handout, a workflow that runs its tests task by task, and a container for Codespaces.

The workflow keeps what GitHub Classroom's autograding reporter asks for: it is called `Autograding Tests`, it has the
one job `run-autograding-tests`, each step leaves `result` in its output, and the reporter finds it in a variable named
after the step. The names of the steps are letters and digits, for the variables' sake.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from ..assignment import Assignment
from ..errors import AssignmentError
from ..model import GradedTest
from ..text import natural_key
from .contents import handout_members
from .zip_file import ZipMember

_TEMPLATE = Path(__file__).with_name("template")
_PYTHON = "3.12"  # unless the configuration names the one that grades
_PYTEST = "pytest>=8.3,<10"
_MINUTES = 10  # for one task
_CHECKOUT, _SETUP = "actions/checkout@v4", "actions/setup-python@v5"
_REPORTER = "classroom-resources/autograding-grading-reporter@v1"


def classroom_members(assignment: Assignment, tests: Iterable[GradedTest]) -> list[ZipMember]:
    """Return the files of the template repository, at its root.

    Raises AssignmentError if no test that students have carries points.
    """
    open_suites = {suite.name for suite in assignment.suites if not suite.secret}
    scored = [test for test in tests if test.suite in open_suites and test.scored]
    if not scored:
        raise AssignmentError("no public test carries points: a template repository would have nothing to run")
    folder = f"{assignment.name}/"
    members = [ZipMember(m.name.removeprefix(folder), m.content, m.executable) for m in handout_members(assignment)]
    return [
        *members,
        ZipMember(".github/workflows/classroom.yml", workflow(assignment, scored).encode()),
        ZipMember(".github/classroom/points.py", (_TEMPLATE / "points.py").read_bytes()),
        ZipMember(".devcontainer/devcontainer.json", _container(assignment).encode()),
        ZipMember(".gitattributes", b"* text=auto eol=lf\n"),
        ZipMember(".gitignore", b"__pycache__/\n.pytest_cache/\ndiagnosis.html\nfilm.html\n"),
    ]


def tasks_of(tests: Iterable[GradedTest]) -> list[str]:
    """Return the tasks that tests belong to, in the order of their numbers; "" last, for tests without one."""
    return sorted({test.task for test in tests}, key=lambda task: (not task, natural_key(task)))


def workflow(assignment: Assignment, tests: Iterable[GradedTest]) -> str:
    """Return the workflow: one step for each task, then the reporter."""
    tests = list(tests)
    tasks = {f"step{n}": task for n, task in enumerate(tasks_of(tests), start=1)}
    steps = "".join(_step(step, task, sum(t.points for t in tests if t.task == task)) for step, task in tasks.items())
    results = "".join(f"          {step.upper()}_RESULTS: ${{{{ steps.{step}.outputs.result }}}}\n" for step in tasks)
    return f"""\
# The names of the workflow and of the job are those that GitHub Classroom looks for.
name: Autograding Tests
on: [push, workflow_dispatch, repository_dispatch]
permissions:
  actions: read
  checks: write
  contents: read
jobs:
  run-autograding-tests:
    runs-on: ubuntu-latest
    if: github.actor != 'github-classroom[bot]'
    steps:
      - uses: {_CHECKOUT}
      - uses: {_SETUP}
        with:
          python-version: {_quoted(assignment.python or _PYTHON)}
      - name: Install pytest
        run: python -m pip install --disable-pip-version-check {_quoted(_PYTEST)}
{steps}      - name: Points
        if: always()
        uses: {_REPORTER}
        env:
{results}        with:
          runners: {",".join(tasks)}
"""


def _step(step: str, task: str, points: float) -> str:
    name = f"Task {task}" if task else "Tests of no task"
    return f"""\
      - name: {_quoted(f"{name}, {points:g} points")}
        id: {step}
        timeout-minutes: {_MINUTES}
        continue-on-error: true
        env:
          TASK: {_quoted(task)}
          POINTS: {_quoted(f"{points:g}")}
        run: python .github/classroom/points.py "$TASK" "$POINTS"
"""


def _quoted(text: str) -> str:
    """Return text as YAML reads it back, whatever it holds: YAML takes JSON's strings."""
    return json.dumps(text)


def _container(assignment: Assignment) -> str:
    """Return the container of Codespaces and VS Code: the Python that grades, with pytest, and the tests discovered."""
    version = assignment.python or _PYTHON
    settings = {"python.testing.pytestEnabled": True, "python.testing.unittestEnabled": False}
    container = {
        "name": assignment.name,
        "image": f"mcr.microsoft.com/devcontainers/python:{version}",
        "postCreateCommand": f"python -m pip install --disable-pip-version-check '{_PYTEST}'",
        "customizations": {"vscode": {"extensions": ["ms-python.python"], "settings": settings}},
    }
    return json.dumps(container, indent=2) + "\n"
