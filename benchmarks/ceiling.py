"""A pytest plugin for whole_class.py: forks the collected session for each student, the engine in the same process.

It isolates nothing and reports nothing: what is left is what any class grader that runs these suites with pytest pays.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the class and how many to run at a time."""
    parser.addoption("--students", type=Path)
    parser.addoption("--jobs", type=int, default=1)


def pytest_runtestloop(session: pytest.Session) -> bool:
    """Run all items once for each student, each time in a fork."""
    running = 0
    for student in sorted(session.config.getoption("--students").iterdir()):
        if running == session.config.getoption("--jobs"):
            os.wait()
            running -= 1
        if os.fork() == 0:
            sys.path.insert(0, str(student))
            for item, following in zip(session.items, [*session.items[1:], None], strict=True):
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            os._exit(session.testsfailed > 0)
        running += 1
    while running:
        os.wait()
        running -= 1
    return True
