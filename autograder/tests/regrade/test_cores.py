"""Workers of one machine spread over its cores: a core is claimed by one lane, and free when that has ended."""

import subprocess
import sys

import pytest

from autograder.regrade.lanes import cores

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has abstract sockets")

HOLD = """
import sys
from autograder.regrade.lanes import cores
cores.usable_cores = lambda: [70001, 70002]
claim = cores.claimed(7)
print(claim.position, flush=True)
sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def two_cores(monkeypatch):
    monkeypatch.setattr(cores, "usable_cores", lambda: [70001, 70002])  # no core of this machine


def test_each_lane_has_a_core_of_its_own_and_one_too_many_shares():
    claims = [cores.claimed(7) for _ in range(3)]
    assert [claim.position for claim in claims] == [0, 1, 7]
    for claim in claims:
        claim.release()


def test_a_core_that_is_released_is_free():
    cores.claimed(7).release()
    claim = cores.claimed(7)
    assert claim.position == 0
    claim.release()


def test_another_process_takes_the_next_core_and_gives_it_back_when_it_is_killed():
    own = cores.claimed(7)
    other = subprocess.Popen([sys.executable, "-c", HOLD], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert other.stdout is not None
    assert (own.position, other.stdout.readline()) == (0, "1\n")
    other.kill()
    other.communicate()
    again = cores.claimed(7)
    assert again.position == 1
    for claim in (own, again):
        claim.release()
