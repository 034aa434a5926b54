"""`autograder verify --handout`: where the student's own diagnosis says something else, the bank has a gap."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from autograder.cli import main
from autograder.commands import verify
from autograder.verify.agreement import Answer

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
VERIFY = ["verify", "--root", str(ROOT), "--only", "relu-leaks", "--handout"]


@pytest.mark.parametrize(("handout", "status"), [("The sign is wrong.", 2), ("It leaks.", 0)])
def test_another_first_sentence_at_home_is_a_gap(monkeypatch, handout, status):
    monkeypatch.setattr(verify, "agreement", lambda *_: [Answer("relu-leaks", "It leaks.", handout)])
    answer = CliRunner().invoke(main, VERIFY)
    assert answer.exit_code == status
    assert ("relu-leaks: the grader says 'It leaks.', the handout 'The sign is wrong.'" in answer.output) == bool(
        status
    )
