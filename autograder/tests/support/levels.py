"""What a machine lets a test do, and the verdicts that are expected then."""

import os
import sys
from pathlib import Path

import pytest

from autograder.sandbox.isolation import LAYERS

REPOSITORY = Path(__file__).parents[3]
needs_linux = pytest.mark.skipif(sys.platform != "linux", reason="the self-test runs on Linux only")
needs_root = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can become another user"
)


def verdict(verified, layer):
    return next(each for each in verified.layers if each.layer == layer)


def expected(*absent, neighbours="partial"):
    """Return the verdict of each layer: where no namespace may be made, process numbers are the machine's."""
    return dict.fromkeys(LAYERS, "verified") | dict.fromkeys(absent, "absent") | {"neighbours": neighbours}
