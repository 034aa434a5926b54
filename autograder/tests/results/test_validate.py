"""What Gradescope would not take, or would show wrongly, is found and named with its place."""

import json

import pytest
from click.testing import CliRunner

from autograder.commands.validate import command
from autograder.results.contract import MAX_BYTES, inspect, problems

TEST = {"name": "reuse", "status": "passed", "score": 2, "max_score": 2}
VALID = {"tests": [TEST]}


def changed(**changes) -> bytes:
    return json.dumps({"tests": [{**TEST, **changes}]}).encode()


def top(**changes) -> bytes:
    return json.dumps({**VALID, **changes}).encode()


def test_what_keeps_the_contract_has_no_problem():
    assert problems(json.dumps(VALID).encode()) == []


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b'{"tests": []\n"output": ""}', "not JSON: Expecting ',' delimiter: line 2 column 1"),
        (b"{", "line 1 column 2"),
        (b"", "not JSON"),
        (b'{"tests": [{"name": "\xe9"}]}', "not UTF-8: byte 21"),
        (b"[]", "must be an object, not a list"),
        (b"[" * 100_000, "nested too deeply"),
        (b" " * (MAX_BYTES + 1), "too large"),
        (b"{}", "there is no test"),
        (b'{"tests": []}', "there is no test"),
        (b'{"tests": [{"score": NaN}]}', "NaN is not JSON"),
        (b'{"tests": [{"score": -Infinity}]}', "-Infinity is not JSON"),
        (
            b'{"tests": [{"name": "a", "status": "passed", "score": 1e999, "max_score": 1}]}',
            '"score" must be a finite number',
        ),
        (b'{"tests": [], "tests": []}', 'the key "tests" stands twice'),
        (top(score=3), "a score as well as tests"),
        (top(tests={}), 'the top level: "tests" must be a list, not an object'),
        (top(tests=[3]), "test 1 must be an object, not a number"),
        (top(output=None), 'the top level: "output" is null'),
        (top(output="a\r\nb"), 'the top level: "output" has \\r line endings'),
        (top(execution_time=-1), '"execution_time" must not be below zero'),
        (top(execution_time="1"), '"execution_time" must be a number, not a string'),
        (top(stdout_visibility="staff"), '"stdout_visibility" must be visible, hidden'),
        (top(output_format="markdown"), '"output_format" must be text'),
        (top(leaderboard=[{"name": "time"}]), 'the top level: "leaderboard", item 1 has no value: add it'),
        (top(leaderboard=[{"name": "time", "value": []}]), 'item 1, "value" must be a number or a string, not a list'),
        (top(leaderboard=[{"name": "time", "value": 1, "order": "up"}]), '"order" must be asc or desc, not "up"'),
        (top(extra_data={"deep": [1, None]}), '"extra_data", "deep", item 2 is null'),
        (changed(output="\ud800"), '"output" holds half a surrogate pair'),
        (changed(status=None), 'test 1 ("reuse"): "status" is null'),
        (changed(status="ok"), '"status" must be passed or failed, not "ok"'),
        (changed(visibility="published"), '"visibility" must be visible, hidden, after_due_date or after_published'),
        (changed(number=1.1), '"number" must be a string, not a number'),
        (changed(score="2"), '"score" must be a number, not a string'),
        (changed(score=True), '"score" must be a number, not true or false'),
        (changed(score=10**400), '"score" must be a finite number'),
        (changed(score=3), "the score 3 is above the max_score 2"),
        (changed(max_score=-2, score=-2), '"max_score" must not be below zero'),
        (changed(tags=["a", 1]), '"tags", item 2 must be a string, not a number'),
        (changed(tags="a"), '"tags" must be a list, not a string'),
        (changed(output="a\rb"), 'test 1 ("reuse"): "output" has \\r line endings'),
        (b'{"tests": [{"name": "a", "score": 1, "max_score": 1}]}', 'test 1 ("a") has no status'),
        (b'{"tests": [{"name": "a", "status": "passed", "score": 1}]}', "has a score but no max_score"),
        (b'{"tests": [{"name": "a", "status": "passed", "max_score": 1}]}', "has a max_score but no score"),
    ],
)
def test_a_broken_rule_is_named_with_its_place(data, problem):
    assert problem in "\n".join(problems(data))


@pytest.mark.parametrize(
    ("data", "warning"),
    [
        (top(scores=1), 'the top level: "scores" is not a key that Gradescope knows'),
        (changed(max=1), 'test 1 ("reuse"): "max" is not a key'),
        (json.dumps({"tests": [TEST, TEST]}).encode(), '2 tests have the name "reuse"'),
        (b'{"tests": [{"status": "passed"}]}', "test 1 has no name"),
    ],
)
def test_what_merely_looks_wrong_is_a_warning(data, warning):
    findings = inspect(data)
    assert findings.problems == ()
    assert warning in "\n".join(findings.warnings)


def test_a_total_without_tests_keeps_the_contract():
    assert problems(b'{"score": 3}') == []


@pytest.fixture
def validate(tmp_path):
    def run(data: bytes):
        (tmp_path / "results.json").write_bytes(data)
        return CliRunner().invoke(command, [str(tmp_path / "results.json")])

    return run


def test_the_verb_prints_the_totals_of_a_valid_file(validate):
    done = validate(json.dumps({"tests": [TEST, {"name": "note", "status": "passed"}]}).encode())
    assert done.exit_code == 0
    assert done.stdout.endswith("results.json: valid, 2 / 2 points, 2 tests, 1 of them without points\n")


def test_the_verb_prints_a_problem_of_each_test_and_exits_with_2(validate):
    wrong = {**TEST, "number": 1}
    done = validate(json.dumps({"tests": [wrong, TEST, wrong]}).encode())
    assert done.exit_code == 2
    assert [line.split()[1:3] for line in done.stdout.splitlines()] == [["test", "1"], ["test", "3"]]


def test_a_warning_goes_to_stderr_and_fails_nothing(validate):
    done = validate(top(scores=1))
    assert done.exit_code == 0
    assert "warning: " in done.stderr
    assert "warning: " not in done.stdout


@pytest.mark.parametrize(("complete", "warned"), [(False, True), (True, False)])
def test_a_provisional_file_is_never_valid_without_a_warning(complete, warned):
    found = inspect(top(extra_data={"complete": complete}))
    assert found.problems == ()
    assert any("grading had not finished" in warning for warning in found.warnings) is warned
