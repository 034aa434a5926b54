"""results.json keeps Gradescope's contract whatever happened, and never calls a failure of ours a zero."""

import json
import math
import os
import re
import stat

import pytest
from msgspec.structs import replace

from autograder.diagnosis.codes import diagnosed
from autograder.errors import AutograderError
from autograder.failure import BlockedBy, Failure, FailureKind
from autograder.model import Diagnosis, Flag, Note, Status, Visibility
from autograder.results.contract import MAX_BYTES, problems
from autograder.results.gradescope import results, results_bytes, withdraw_results, write_results

from ..support.reports import OPEN, SECRET, assignment, declared, outcome, report

SECRETS = "4711"


def entries(*outcomes, **changes) -> list[dict]:
    return results(report(*outcomes, **changes), assignment())["tests"]


def written(path, *outcomes, **changes) -> bytes:
    write_results(path, report(*outcomes, **changes), assignment())
    return path.read_bytes()


@pytest.mark.parametrize("status", list(Status))
def test_every_status_is_one_that_gradescope_takes(status, tmp_path):
    data = written(tmp_path / "results.json", outcome(status), outcome(status, declared(suite=SECRET)))
    assert problems(data) == []


def test_every_declared_test_appears_with_its_points_whatever_came_of_it():
    outcomes = [outcome(status, declared(status.value, points=2.5)) for status in Status]
    shown = entries(*outcomes)
    assert [entry["max_score"] for entry in shown] == [2.5] * len(Status)
    assert [entry["score"] for entry in shown] == [2.5] + [0.0] * (len(Status) - 1)


def test_a_test_has_the_number_of_its_task_and_stands_in_the_order_of_the_tasks():
    tasks = [("2.10", OPEN), ("2.9", OPEN), ("1.3", SECRET), ("1.3", OPEN)]
    outcomes = [outcome(test=declared(f"{task} {suite.name}", suite, task=task)) for task, suite in tasks]
    shown = entries(*outcomes)
    assert [entry["number"] for entry in shown] == ["1.3", "1.3", "2.9", "2.10"]
    assert [entry["extra_data"]["suite"] for entry in shown] == ["public", "hidden", "public", "public"]


def test_without_tasks_tests_are_numbered_within_their_suites():
    shown = entries(outcome(), outcome(test=declared("b")), outcome(test=declared("c", SECRET)))
    assert [entry["number"] for entry in shown] == ["1.1", "1.2", "2.1"]


@pytest.mark.parametrize("visibility", list(Visibility))
def test_each_test_says_who_may_see_it(visibility):  # threat 48: a bit for each attempt, until grades are published
    assert entries(outcome(test=declared(visibility=visibility)))[0]["visibility"] == visibility.value


def test_an_unscored_test_has_a_status_and_no_score():
    shown = entries(outcome(Status.FAILED, declared(points=0, scored=False)))[0]
    assert shown["status"] == "failed"
    assert not {"score", "max_score"} & set(shown)


def test_tests_without_points_come_after_those_with_points():
    further = outcome(Status.PASSED, declared("further", scored=False, points=0.0))

    entries = results(report(further, outcome()), assignment())["tests"]

    assert [entry["number"] for entry in entries] == ["1.1", "1.2"]
    assert "score" in entries[0]
    assert "score" not in entries[1]


def optional(name, task, status=Status.NOT_ATTEMPTED, **changes):
    return outcome(status, declared(name, points=0.0, scored=False, task=task), **changes)


def test_what_is_optional_and_untouched_is_no_entry_but_a_line_for_its_part():
    waits = optional("c", "3.2", Status.BLOCKED, blocked_by=BlockedBy.TEST)
    content = results(
        report(outcome(), optional("a", "3.1"), optional("b", "3.1", Status.PASSED), waits, optional("d", "4.1")),
        assignment(),
    )
    assert [entry["name"] for entry in content["tests"]] == ["a title of b", "a title of reuse"][::-1]
    lines = content["output"].splitlines()
    assert lines[1:] == [
        "Part 3 (optional, no points): 2 of 3 tests not attempted.",
        "Part 4 (optional, no points): 1 test, not attempted.",
    ]


def test_tools_still_learn_which_tests_were_not_attempted():
    content = results(report(outcome(), optional("a", "3.1")), assignment())
    assert content["extra_data"]["not_attempted"] == ["public/test_it.py::test_a"]


def test_an_optional_test_that_the_time_did_not_suffice_for_is_an_entry():
    late = optional("c", "3.2", Status.BLOCKED, blocked_by=BlockedBy.SUBMISSION_TIME)
    assert [entry["status"] for entry in entries(late)] == ["failed"]


def found_by_hidden_tests(*diagnoses, policy="sentence", visibilities=(Visibility.AFTER_PUBLISHED,)):
    """Return the entries that tell what hidden tests found, one test for each diagnosis and visibility."""
    hidden = [
        outcome(Status.FAILED, declared(f"{visibility.value} {n}", SECRET, visibility=visibility), diagnosis=found)
        for visibility in visibilities
        for n, found in enumerate(diagnoses)
    ]
    shown = results(report(outcome(), *hidden), assignment(hidden_diagnosis=policy))["tests"]
    return [entry for entry in shown if entry["name"] == "What the hidden tests found"]


@pytest.mark.parametrize(("policy", "told"), [("sentence", True), ("none", False)])
def test_what_hidden_tests_found_is_one_entry_that_is_shown_when_they_are(policy, told):
    found = replace(diagnosed("overwrites-gradient"), drawing=SECRETS)
    says = found_by_hidden_tests(found, found, found, policy=policy)
    assert [(entry["visibility"], "score" in entry) for entry in says] == ([("after_published", False)] if told else [])


def test_what_hidden_tests_found_is_told_by_its_code_alone():
    found = [replace(diagnosed("overwrites-gradient", it), drawing=SECRETS) for it in ("", "*", "tanh")]
    told = [found_by_hidden_tests(each) for each in found]
    assert told[0] == told[1] == told[2]
    assert "A gradient is overwritten with `=`" in told[0][0]["output"]


def test_hidden_tests_tell_three_mistakes_in_all():
    codes = ("overwrites-gradient", "graph-cut", "wrong-sign", "seed-wrong", "forward-value")
    says = found_by_hidden_tests(*map(diagnosed, codes), visibilities=(Visibility.AFTER_PUBLISHED, Visibility.HIDDEN))
    assert len(re.findall(r"^ *\d\. ", "\n".join(entry["output"] for entry in says), re.MULTILINE)) == 3


def test_a_note_is_a_visible_entry_without_points():
    shown = entries(notes=(Note(title="Engine.py was taken as engine.py", text="This costs nothing."),))[0]
    assert shown == {
        "name": "Note: Engine.py was taken as engine.py",
        "status": "passed",
        "visibility": "visible",
        "name_format": "text",
        "output_format": "text",
        "output": "This costs nothing.",
    }


def test_all_text_is_declared_as_text_and_stdout_stays_with_staff():
    content = results(report(), assignment())
    assert {content[key] for key in content if key.endswith("_format")} == {"text"}
    assert {entry["output_format"] for entry in content["tests"]} == {"text"}
    assert content["stdout_visibility"] == "hidden"
    assert "score" not in content


def test_a_failed_import_is_explained_above_and_referred_to_below():
    failure = Failure(exception="NameError", message="NameError: name 'math' is not defined")
    content = results(report(outcome(Status.BLOCKED), import_failure=failure), assignment())
    assert "name 'math' is not defined" in content["output"]
    assert content["tests"][0]["output"] == "Not run: engine.py could not be imported (see above)."


def test_nothing_of_a_hidden_test_is_in_the_file_but_title_and_hint():
    failure = Failure(exception="TypeError", message=SECRETS, statement=SECRETS, expected=SECRETS, got=SECRETS)
    diagnosis = Diagnosis(code="overwrites", sentence="Add them.", drawing=SECRETS)
    hidden = outcome(Status.ERRORED, declared(suite=SECRET), failure=failure, diagnosis=diagnosis, output=SECRETS)
    content = results(report(hidden, flags=(Flag(title="odd reply", text=SECRETS),)), assignment())
    assert SECRETS not in json.dumps(content)


def test_extra_data_says_with_what_the_grade_was_made():
    failed = outcome(Status.FAILED, diagnosis=Diagnosis(code="overwrites", sentence="Add them."))
    extra = results(report(failed, flags=(Flag(title="file left out", text="x.so"),)), assignment())["extra_data"]
    assert extra["grader"] == "1.2.3"
    assert extra["suites"] == "d1935"
    assert extra["isolation"]["level"] == "strong"
    assert extra["isolation"]["layers"] == [{"layer": "files", "verdict": "verified", "mechanism": "chroot"}]
    assert extra["diagnoses"] == {"overwrites": 1}
    assert extra["flags"] == ["file left out"]


def test_two_runs_that_took_different_times_give_the_same_bytes():
    first = results_bytes(report(outcome(seconds=0.1), seconds=1.5), assignment())
    assert first == results_bytes(report(outcome(seconds=0.2), seconds=200.5), assignment())


# Hostile text.


def test_text_that_would_break_a_reader_arrives_as_escapes(tmp_path):
    failure = Failure(exception="ValueError", message="ValueError: \x1b[2J\x00\ud800\r\n<b>", explanation="It raised.")
    content = json.loads(written(tmp_path / "results.json", outcome(Status.ERRORED, failure=failure)))
    assert "\\x00\\ud800\\n<b>" in content["tests"][0]["output"]


def test_a_flood_of_text_is_cut_until_the_whole_fits(tmp_path):
    failure = Failure(kind=FailureKind.ASSERTION, statement="é" * 100_000)
    outcomes = [outcome(Status.FAILED, declared(str(n)), failure=failure) for n in range(300)]
    data = written(tmp_path / "results.json", *outcomes)
    assert len(data) <= MAX_BYTES
    assert len(json.loads(data)["tests"]) == 300
    assert all(len(entry["output"].encode()) <= 2048 for entry in json.loads(data)["tests"])


# How it is written.


def test_a_result_that_would_break_the_contract_leaves_the_old_one(tmp_path):
    path = tmp_path / "results.json"
    before = written(path, outcome())
    with pytest.raises(AutograderError, match="would break Gradescope's contract"):
        written(path, outcome(test=declared(points=math.nan)))
    assert path.read_bytes() == before


def test_a_write_that_dies_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    path = tmp_path / "results.json"
    before = written(path, outcome())

    def full(descriptor):
        raise OSError("disk full")

    monkeypatch.setattr("autograder.files.os.fsync", full)
    with pytest.raises(OSError, match="disk full"):
        written(path, outcome(Status.FAILED))
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["results.json"]


def test_the_directory_is_made_and_the_file_can_be_read_by_all(tmp_path):
    path = tmp_path / "results" / "results.json"
    old = os.umask(0o077)
    try:
        written(path, outcome())
    finally:
        os.umask(old)
    assert stat.S_IMODE(path.stat().st_mode) == 0o644


@pytest.mark.parametrize("exists", [True, False])
def test_results_are_withdrawn_when_the_grader_failed(tmp_path, exists):
    path = tmp_path / "results.json"
    if exists:
        written(path, outcome(Status.BLOCKED), complete=False)
    withdraw_results(path)
    assert not path.exists()
