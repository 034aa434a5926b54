"""Given: the options of a run of this homework's tests, and what they switch on."""

from __future__ import annotations

import importlib

import pytest

from . import score
from .scoreboard import HOME, Scoreboard


def pytest_addoption(parser: pytest.Parser) -> None:  # given
    """Add `--diagnose` and `--further`."""
    parser.addoption("--further", action="store_true", help="run all tests of what goes further, worth no points")
    parser.addoption("--diagnose", action="store_true", help="name the mistake behind a failing test, where it shows")


def pytest_configure(config: pytest.Config) -> None:  # given
    """Register what names mistakes, keeps the score and prints the tasks."""
    if config.getoption("--diagnose", False):
        config.pluginmanager.register(importlib.import_module("given.diagnose").Diagnosis(), "diagnosis")
        film = importlib.import_module("given.failure_film").FailureFilm(config, HOME)
        config.pluginmanager.register(film, "failure_film")
    score.pytest_configure(config)
    if (HOME / "tests_public").is_dir():  # in the student's own folder, not in a grader's
        config.pluginmanager.register(Scoreboard(config), "scoreboard")
