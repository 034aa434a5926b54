"""What several test files share: a lane of the six tests that keeps running; and which files run first."""

import sys
from pathlib import Path

import pytest

from autograder import quiet_collector

from .support.attacks import ASSIGNMENT
from .support.lane import Lane
from .support.temporary_folder import TemporaryFolder

HERE = Path(__file__).parent
LONGEST = (  # they run first: one that began last would keep one processor busy alone
    *("bundle/test_bundle_image.py", "verify/test_mistakes.py", "regrade/test_regrade.py", "test_installed.py"),
    *("test_hostile.py", "commands/test_exits.py", "test_walkthroughs.py", "handout/test_students_screen.py"),
    *("verify/test_proof.py", "bundle/test_classroom.py", "test_control.py", "regrade/test_regrade_cluster.py"),
    *("regrade/test_interrupted.py", "regrade/test_large_class.py", "verify/test_verify.py", "test_pages.py"),
)
TEMPORARY = pytest.StashKey[TemporaryFolder]()
RANKS = {HERE / name: rank for rank, name in enumerate(LONGEST)}


def pytest_configure(config):
    """Give the run a temporary folder of its own; the processes that share the tests inherit it."""
    if not hasattr(config, "workerinput"):
        config.stash[TEMPORARY] = TemporaryFolder()


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session):
    """Fail a run that left something behind, and name it."""
    folder = session.config.stash.get(TEMPORARY, None)
    if folder and (left := folder.close()):
        session.exitstatus = session.exitstatus or pytest.ExitCode.TESTS_FAILED
        sys.stderr.write(f"\nThe tests left these in the temporary folder: {', '.join(left)}\n")


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
