"""Given: pytest looks for this file. What it needs lies in `given/`."""

import importlib
import sys
from pathlib import Path

import pytest

HOME = str(Path(__file__).resolve().parent)
if HOME not in sys.path:  # a folder above may have a pytest configuration that does not add it
    sys.path.insert(0, HOME)

from given.score import pytest_configure, pytest_pyfunc_call, pytest_terminal_summary  # noqa: E402 - by the line above

__all__ = ["pytest_configure", "pytest_pyfunc_call", "pytest_terminal_summary"]


@pytest.fixture
def rational():  # given
    """Return the module under test, a plain import."""
    return importlib.import_module("rational")


@pytest.fixture
def ask():  # given
    """Return what lets an object answer for itself: here it does so anyway."""
    return lambda thing: thing


@pytest.fixture
def seed():  # given
    """Return the number from which tests draw their inputs; the grader has one of its own."""
    return 2211
