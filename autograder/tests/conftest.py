"""What several test files share: a lane of the six tests that keeps running."""

import pytest

from .support.attacks import ASSIGNMENT
from .support.lane import Lane


@pytest.fixture(scope="session")
def lane():
    """A lane of the six tests, with a secret in its environment."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CANARY", "canary-5d1f0b")
        lane = Lane(ASSIGNMENT)
        yield lane
        lane.close()
