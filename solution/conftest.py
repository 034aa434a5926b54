"""Given: pytest looks for this file. What it needs lies in `given/`."""

import sys
from pathlib import Path

HOME = str(Path(__file__).resolve().parent)
if HOME not in sys.path:  # a folder above may have a pytest configuration that does not add it
    sys.path.insert(0, HOME)

from given.fixtures import engine, gradcheck, higher_order, layers, nn, seed  # noqa: E402 - found by the line above
from given.options import pytest_addoption, pytest_configure  # noqa: E402 - so is this
from given.score import pytest_pyfunc_call, pytest_terminal_summary  # noqa: E402

__all__ = ["engine", "gradcheck", "higher_order", "layers", "nn", "seed"]
__all__ += ["pytest_addoption", "pytest_configure", "pytest_pyfunc_call", "pytest_terminal_summary"]
