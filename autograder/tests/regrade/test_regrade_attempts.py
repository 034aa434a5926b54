"""The best of several attempts: each is graded, the best counts, and the same command goes on from there."""

import pytest

from ..support.course import make_course
from ..support.exports import RIGHT, WRONG, write_folder
from ..support.regrade_command import RegradeCommand

pytestmark = pytest.mark.slow

ATTEMPTS = {
    "11-1 - Ada - Oct 3, 2026 1102 AM/doubling.py": RIGHT,
    "11-1 - Ada - Oct 10, 2026 902 AM/doubling.py": WRONG,
    "12-1 - Bo - Oct 3, 2026 1102 AM/doubling.py": WRONG,
}


@pytest.fixture(scope="module")
def best(tmp_path_factory):
    root = tmp_path_factory.mktemp("best")
    graded = RegradeCommand(root, make_course(root / "course"))
    write_folder(graded.source, ATTEMPTS)
    graded.answer = graded.run("--attempt", "best")
    return graded


def test_the_best_attempt_counts_and_says_which_it_is(best):
    assert best.answer.returncode == 0, best.answer.stderr
    assert best.scores() == {"11": "4", "12": "0"}
    assert "attempt 1 of 2: Oct 3, 2026 1102 AM; the best of them" in best.rows()[0]["notes"]
    assert (best.out / "results/11.json").read_bytes() == (best.out / "results/11~1.json").read_bytes()


def test_the_same_command_keeps_every_attempt_and_the_same_table(best):
    before = (best.out / "grades.csv").read_bytes()
    assert "3 kept from before" in best.run("--attempt", "best").stderr
    assert (best.out / "grades.csv").read_bytes() == before


def test_one_that_is_named_has_all_attempts_graded_again(best):
    assert "2 submissions graded, 1 kept from before" in best.run("--attempt", "best", "--only", "11").stderr


def test_without_the_choice_the_newest_counts(best):
    out = best.root / "latest"
    best.run(out=out)
    assert [row["score"] for row in best.rows(out=out)] == ["0", "0"]
