"""Every test and path that docs/security.md names exists, and every layer has its proof."""

import re
from pathlib import Path

import pytest

from autograder.sandbox.isolation import LAYERS

REPOSITORY = Path(__file__).parents[2]
PAGE = (REPOSITORY / "docs/security.md").read_text("utf-8")
TESTS = "".join(file.read_text("utf-8") for file in Path(__file__).parent.rglob("test_*.py"))


def test_every_test_that_is_named_exists():
    assert {name for name in re.findall(r"`(test_\w+)`", PAGE) if f"def {name}(" not in TESTS} == set()


@pytest.mark.parametrize("layer", LAYERS)
def test_every_layer_has_its_row_and_its_proof(layer):
    row = next(line for line in PAGE.splitlines() if line.startswith(f"| {layer} |"))
    assert row.rsplit("|", 2)[1].strip()


@pytest.mark.parametrize("path", sorted(set(re.findall(r"(?:autograder|solution)/[\w/.]*", PAGE))))
def test_every_path_that_is_named_exists(path):
    assert (REPOSITORY / path).exists()


def test_every_listed_threat_is_tried():
    texts = [file.read_text("utf-8") for file in Path(__file__).parent.rglob("*.py")]
    numbers = [found for text in texts for found in re.findall(r"# threats? (\d+(?:, \d+)*)", text)]
    tried = {int(number) for found in numbers for number in found.split(", ")}
    assert set(range(1, 91)) - tried == set()
