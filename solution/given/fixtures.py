"""Given: what a test asks for by name: `engine` is a plain import of engine.py."""

from __future__ import annotations

import importlib
from types import ModuleType

import pytest

SEED = 2211  # any number: the seeds that the grader uses are its own


@pytest.fixture
def engine() -> ModuleType:  # given
    """Return the engine under test, a plain import of `engine.py`."""
    return importlib.import_module("engine")


@pytest.fixture
def nn() -> ModuleType:  # given
    """Return `nn.py`, going further."""
    return further("nn")


@pytest.fixture
def layers() -> ModuleType:  # given
    """Return `layers.py`, going further, which needs NumPy."""
    return further("layers")


@pytest.fixture
def gradcheck() -> ModuleType:  # given
    """Return `gradcheck.py`, going further, which needs NumPy."""
    return further("gradcheck")


@pytest.fixture
def higher_order() -> ModuleType:  # given
    """Return `higher_order.py`, going further."""
    return further("higher_order")


def further(name: str) -> ModuleType:  # given
    """Return a module that is worth no points; skip the test where it, or NumPy, is not there."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as missing:
        if missing.name == name:
            pytest.skip(f"there is no {name}.py")
        if missing.name == "numpy":
            pytest.skip(f"{name}.py needs NumPy: pip install numpy")
        raise


@pytest.fixture
def seed() -> int:  # given
    """Return the number from which tests draw their random inputs."""
    return SEED
