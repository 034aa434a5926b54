"""What several test files share: a lane of the six tests that keeps running; and which files run first."""

from pathlib import Path

import pytest

from autograder import quiet_collector

from .support.attacks import ASSIGNMENT
from .support.lane import Lane

HERE = Path(__file__).parent
LONGEST = (  # they run first: one that began last would keep one processor busy alone
    *("verify/test_mistakes.py", "bundle/test_bundle_image.py", "regrade/test_regrade.py", "test_installed.py"),
    *("test_hostile.py", "test_control.py", "bundle/test_classroom.py", "regrade/test_interrupted.py"),
    *("test_walkthroughs.py", "regrade/test_regrade_cluster.py", "test_pages.py"),
)
RANKS = {HERE / name: rank for rank, name in enumerate(LONGEST)}


def pytest_collection_modifyitems(items):
    """Put the longest files first; within a file, and among the others, the order stays."""
    assert [file for file in RANKS if not file.is_file()] == []
    items.sort(key=lambda item: RANKS.get(item.path, len(RANKS)))


def pytest_collection_finish():
    """Leave what was collected out of later collections of garbage: a fork would copy its pages."""
    quiet_collector()


@pytest.fixture(scope="session")
def lane():
    """A lane of the six tests, with a secret in its environment."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CANARY", "canary-5d1f0b")
        lane = Lane(ASSIGNMENT)
        yield lane
        lane.close()
