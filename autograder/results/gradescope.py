"""From a GradeReport to results.json, as Gradescope reads it.

What a student can see comes from feedback.py alone. `extra_data` is not shown, but later runs are handed it: it holds
codes and digests, never an input, an expected value or a submission's words.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from ..assignment import Assignment
from ..errors import AutograderError
from ..files import sync_directory, write_whole
from ..findings.summary import MOST, secret_summary
from ..model import GradedTest, GradeReport, Note, Status, TestOutcome, Visibility
from ..text import capped, clean, listed, natural_key, one_line
from .contract import MAX_BYTES, problems
from .feedback import TEXT_BYTES, hidden_summary, student_text, summary_text
from .overview import untouched, unwritten_task

_BUDGETS = (TEXT_BYTES, 2048, 512, 0)  # bytes of text for each test: the first with which the whole fits
_NAME_CHARACTERS = 200


def results(report: GradeReport, assignment: Assignment) -> dict[str, Any]:
    """Return the content of results.json, at most MAX_BYTES long: every test with points, whatever happened.

    Two runs on the same files give the same: it holds no time, by which a submission could spell an input.
    """
    for budget in _BUDGETS[:-1]:
        content = _content(report, assignment, budget)
        if len(_written(content)) <= MAX_BYTES:
            return content
    return _content(report, assignment, _BUDGETS[-1])


def write_results(path: Path, report: GradeReport, assignment: Assignment) -> None:
    """Write results.json: validated first, then in one step, so that a reader finds the old file or the new one whole.

    Raises AutograderError if the result would break Gradescope's contract; the old file stays.
    """
    write_whole(path, results_bytes(report, assignment))


def results_bytes(report: GradeReport, assignment: Assignment) -> bytes:
    """Return results.json as it is written, or raise AutograderError if it would break Gradescope's contract."""
    try:
        data = _written(results(report, assignment))
        wrong = problems(data)
    except ValueError as problem:  # a NaN among the points, or half a surrogate pair in an identifier
        wrong = [str(problem)]
    if wrong:
        raise AutograderError(f"no results.json was written: it would break Gradescope's contract: {wrong[0]}")
    return data


def withdraw_results(path: Path) -> None:
    """Remove a results.json that was written before grading failed on our side.

    A zero would be a judgement, and there was none. Without the file, Gradescope marks the run as failed through no
    fault of the student's (`autograder_error`), the attempt does not count, and staff can run it again. The caller
    says on standard output, which staff read, what went wrong, and exits with 3.
    """
    path.unlink(missing_ok=True)
    if path.parent.is_dir():
        sync_directory(path.parent)


def _content(report: GradeReport, assignment: Assignment, budget: int) -> dict[str, Any]:
    tests = [
        *_note_entries(report.notes, budget),
        *_hidden_entries(report, assignment, budget),
        *_test_entries(report, assignment, budget),
    ]
    return {
        "output": summary_text(report),
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "visibility": Visibility.VISIBLE.value,
        "stdout_visibility": Visibility.HIDDEN.value,  # the staff report is printed there
        "tests": tests,
        "extra_data": _extra_data(report),
    }


def _note_entries(notes: tuple[Note, ...], budget: int) -> Iterator[dict[str, Any]]:
    """Yield each note as an entry without points: it is read where the tests are, and costs nothing."""
    for note in notes:
        entry = {"name": f"Note: {one_line(note.title, _NAME_CHARACTERS)}", "status": "passed"}
        yield entry | _shown_as(Visibility.VISIBLE) | _output(note.text, budget)


def _hidden_entries(report: GradeReport, assignment: Assignment, budget: int) -> Iterator[dict[str, Any]]:
    """Yield what tests of secret suites found, in one entry for each time at which they are shown.

    In all they tell MOST mistakes: each is a choice that the submission could make by an input of a hidden test.
    """
    secret = {suite.name for suite in assignment.suites if suite.secret}
    outcomes = [o for o in report.outcomes if o.test.suite in secret and not unwritten_task(o)]
    said = 0
    for visibility in dict.fromkeys(outcome.test.visibility for outcome in outcomes):
        shown = [outcome for outcome in outcomes if outcome.test.visibility is visibility]
        found = secret_summary(shown)[: MOST - said]
        said += len(found)
        if found and assignment.hidden_diagnosis == "sentence":
            suites = listed(list(dict.fromkeys(outcome.test.suite for outcome in shown)))
            yield (
                {"name": f"What the {suites} tests found", "status": "failed"}
                | _shown_as(visibility)
                | _output(hidden_summary(found), budget)
            )


def _test_entries(report: GradeReport, assignment: Assignment, budget: int) -> Iterator[dict[str, Any]]:
    """Yield the tests that ran or carry points, those with points first, in the order of the tasks.

    Each has the number of its task. Without tasks, suites and places number the tests: 1.1, 1.2, … 2.1. What is
    optional and untouched has no entry, since every entry looks passed or failed: the text above counts it.
    """
    suites = {suite.name: (place, suite) for place, suite in enumerate(assignment.suites, 1)}
    entries = [outcome for outcome in report.outcomes if not untouched(outcome)]
    entries.sort(key=lambda outcome: _in_order(outcome.test, suites[outcome.test.suite][0]))
    numbered_by_task = any(outcome.test.task for outcome in report.outcomes)
    places: Counter[str] = Counter()
    for outcome in entries:
        name = outcome.test.suite
        place, suite = suites[name]
        places[name] += 1
        text = student_text(outcome, suite, assignment, import_failure=report.import_failure, above=report.diagnoses)
        yield {
            "number": (outcome.test.task or name) if numbered_by_task else f"{place}.{places[name]}",
            **_test_entry(outcome),
            **_shown_as(outcome.test.visibility),
            **_output(text, budget),
            "extra_data": _test_data(outcome),
        }


def _in_order(test: GradedTest, suite: int) -> tuple[Any, ...]:
    """Return a key that sorts by points or none, task (tests without one last), and suite."""
    return (not test.scored, not test.task, natural_key(test.task), suite)


def _test_entry(outcome: TestOutcome) -> dict[str, Any]:
    test = outcome.test
    entry: dict[str, Any] = {
        "name": one_line(test.title, _NAME_CHARACTERS),
        "status": "passed" if outcome.status is Status.PASSED else "failed",
    }
    if test.scored:
        entry |= {"score": outcome.score, "max_score": test.points}
    if test.task:
        entry["tags"] = [f"task {test.task}"]
    return entry


def _test_data(outcome: TestOutcome) -> dict[str, str]:
    data = {"id": outcome.test.id, "suite": outcome.test.suite, "status": outcome.status.value}
    if outcome.blocked_by:
        data["blocked_by"] = outcome.blocked_by.value
    return data | {"diagnosis": outcome.diagnosis.code} if outcome.diagnosis else data


def _shown_as(visibility: Visibility) -> dict[str, str]:
    return {"visibility": visibility.value, "name_format": "text", "output_format": "text"}


def _output(text: str, budget: int) -> dict[str, str]:
    """Return `text` in at most `budget` bytes as an entry's output; without text there is none."""
    text = capped(clean(text), budget)
    return {"output": text} if text else {}


def _extra_data(report: GradeReport) -> dict[str, Any]:
    """Return what later runs and staff's tools may want to know of this one."""
    isolation = report.isolation
    return {
        **report.extra,
        "assignment": report.assignment,
        "grader": report.version,
        "python": report.python,
        "suites": report.suites_digest,
        "complete": report.complete,
        "imported": report.import_failure is None,
        "isolation": {
            "level": isolation.level.name.lower(),
            "required": isolation.required.name.lower(),
            "layers": [
                {"layer": layer.layer, "verdict": layer.verdict.value, "mechanism": layer.mechanism}
                for layer in isolation.layers
            ],
        },
        "diagnoses": _counts(report),
        "not_attempted": [outcome.test.id for outcome in report.outcomes if untouched(outcome)],
        "flags": sorted({one_line(flag.title) for flag in report.flags}),  # their texts are for the staff report
    }


def _counts(report: GradeReport) -> dict[str, int]:
    """Return how many tests each diagnosis explains, so that a class report can count them."""
    codes = [outcome.diagnosis.code for outcome in report.outcomes if outcome.diagnosis]
    codes += [report.import_diagnosis.code] if report.import_diagnosis else []
    return {code: codes.count(code) for code in sorted(set(codes))}


def _written(content: dict[str, Any]) -> bytes:
    # json refuses a NaN, which msgspec would write as null; but its own indentation takes 10 ms.
    text = json.dumps(content, allow_nan=False, ensure_ascii=False)
    return msgspec.json.format(text.encode("utf-8"), indent=1) + b"\n"
