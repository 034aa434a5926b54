"""What isolation this machine gives, to root and to less, and how the command says it."""

import subprocess
import tempfile

import pytest

from autograder.assignment import Limits
from autograder.errors import IsolationError
from autograder.model import Level
from autograder.sandbox import isolation
from autograder.sandbox.sandbox import Sandbox

from ..support.levels import expected, needs_linux, needs_root, verdict


def may_make_a_process_namespace():
    tried = subprocess.run(["unshare", "--pid", "--fork", "true"], capture_output=True, check=False)
    return tried.returncode == 0


@needs_linux
@needs_root
def test_root_reaches_strong():
    neighbours = "verified" if may_make_a_process_namespace() else "partial"
    with Sandbox(isolation.strongest(), Limits()) as sandbox:
        found = {each.layer: each.verdict for each in sandbox.verified.layers}
    assert found == expected(neighbours=neighbours)


@needs_linux
def test_the_mechanisms_of_a_user_reach_standard_and_say_what_is_absent():
    with Sandbox(Level.STANDARD, Limits()) as sandbox:
        assert (sandbox.verified.level, verdict(sandbox.verified, "user").verdict) == (Level.STANDARD, "absent")


@needs_linux
def test_a_mere_process_is_seen_to_be_one():
    with Sandbox(Level.PROCESS, Limits()) as sandbox:
        found = sandbox.verified
    assert {each.verdict for each in found.layers if each.layer != "limits"} == {"absent"}


@needs_linux
def test_less_than_was_insisted_on_is_refused_with_the_table():
    with Sandbox(Level.PROCESS, Limits(), at_least=Level.STANDARD) as sandbox, pytest.raises(IsolationError) as refusal:
        sandbox.preload(["math"])
    assert "STANDARD is required" in str(refusal.value)
    assert "a worker could" in str(refusal.value)


@needs_linux
def test_the_self_test_leaves_nothing_behind(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with Sandbox(Level.PROCESS, Limits()) as sandbox:
        assert sandbox.verified.layers
        assert list(tmp_path.iterdir()) != []
    assert list(tmp_path.iterdir()) == []
