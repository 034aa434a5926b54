"""The self-test's findings become a verdict of each layer, and a level."""

import pytest

from autograder.model import Level
from autograder.sandbox.commands import Findings, Tried
from autograder.sandbox.isolation import LAYERS, judged

from ..support.levels import verdict


def findings(worker, control=None, more=()):
    """Return findings with one attack for each layer, stopped unless `worker` says otherwise, and `more` attacks."""

    def tried(results, extra):
        return (*(Tried(layer, f"attack_{layer}", result) for layer, result in results.items()), *extra)

    return Findings(
        mechanisms=("limits", "user", "chroot", "seccomp"),
        control=tried({**dict.fromkeys(LAYERS, 0), **(control or {})}, more),
        worker=tried({**dict.fromkeys(LAYERS, 1), **worker}, more),
    )


def test_a_worker_that_was_stopped_everywhere_is_strong():
    assert judged(findings({})).level is Level.STRONG


@pytest.mark.parametrize("layer", ["user", "syscalls"])
def test_without_a_user_of_its_own_or_a_list_of_calls_it_is_standard(layer):
    assert judged(findings({layer: 0})).level is Level.STANDARD


@pytest.mark.parametrize("layer", ["files", "report", "grader", "processes", "network", "traces", "limits"])
def test_without_any_other_layer_it_is_a_process_and_no_more(layer):
    assert judged(findings({layer: 0})).level is Level.PROCESS


def test_an_attack_that_fails_in_the_control_proves_nothing():
    assert verdict(judged(findings({}, control={"network": 101})), "network").verdict == "broken"


def test_a_layer_that_could_not_be_tried_does_not_count():
    assert judged(findings({}, control={"network": 101})).level is Level.PROCESS


def test_an_attack_without_a_clear_outcome_breaks_its_layer():
    assert verdict(judged(findings({"files": -1})), "files").verdict == "broken"


def test_a_self_test_that_did_not_answer_leaves_nothing_verified():
    assert judged(Findings()).level is Level.PROCESS


def test_a_layer_that_stops_some_attacks_is_partial():
    found = judged(findings({}, more=[Tried("network", "send_a_datagram", 0)]))
    assert verdict(found, "network").verdict == "partial"


def test_what_got_through_is_said():
    assert "attack network" in verdict(judged(findings({"network": 0})), "network").mechanism


def test_later_workers_must_have_what_the_self_test_had():
    assert judged(findings({})).mechanisms == ("limits", "user", "chroot", "seccomp")


def test_a_layer_that_no_level_needs_is_said_to_be_unprotected():
    found = verdict(judged(findings({"neighbours": 0})), "neighbours")
    assert found.mechanism == "not protected; a worker could attack neighbours"
