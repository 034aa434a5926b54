"""What stands above the tests: what to do first, the points, and what is optional and untouched.

It is written before grades are published and read again afterwards, so each sentence must be true both times.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from ..failure import BlockedBy
from ..model import Diagnosis, GradedTest, GradeReport, Status, TestOutcome, Visibility, total
from ..text import counted, natural_key, one_line, series

UNWRITTEN = "not-attempted"  # the code of the diagnosis that a task is as it was handed out
_SHOWN = {
    Visibility.AFTER_DUE_DATE: "shown after the due date",
    Visibility.AFTER_PUBLISHED: "shown once grades are published",
    Visibility.HIDDEN: "shown to staff alone",
}


def what_to_do(diagnoses: tuple[Diagnosis, ...], outcomes: Iterable[TestOutcome]) -> str:
    """Return what to do first, in a sentence or a short numbered list: the first lines of every report.

    `diagnoses` are those of `outcomes`, the most fundamental first.
    """
    if len(diagnoses) == 1:
        return f"Start here: {_in_words(diagnoses[0])}"
    if diagnoses:
        lines = [f"{number}. {_in_words(each)}" for number, each in enumerate(diagnoses, 1)]
        return "\n".join(["Start with the first of these:", *lines])
    wrong = [o for o in outcomes if o.test.scored and o.status not in (Status.PASSED, Status.BLOCKED)]
    return f"Start here: {named(wrong[0].test)} is the first test that does not pass." if wrong else ""


def named(test: GradedTest) -> str:
    """Return a test's title in quotation marks, with its task."""
    return f'"{one_line(test.title)}"' + (f" (task {test.task})" if test.task else "")


def place_above(diagnosis: Diagnosis, above: tuple[Diagnosis, ...]) -> str:
    """Return "See above." or "See above, 2." if `above` says the sentence of `diagnosis`; "" if it does not."""
    for number, each in enumerate(above, 1):
        if each.code == diagnosis.code and set(_subjects(diagnosis)) <= set(_subjects(each)):
            return f"See above, {number}." if len(above) > 1 else "See above."
    return ""


def section_of(diagnosis: Diagnosis) -> str:
    """Return which section of the handout to read; "" if none is known."""
    kind, _, words = diagnosis.section.partition("-")  # the anchor of a heading: "chapter-how-to-start"
    return f'See "{kind.capitalize()}: {words.replace("-", " ")}" in the handout.' if words else ""


def line_in_words(diagnosis: Diagnosis) -> str:
    """Return which line makes the mistake, and what it does; "" if none is known."""
    line = diagnosis.line
    if line is None:
        return ""
    text = f" `{one_line(line.text, 120)}`" if line.text else ""
    return f"{one_line(line.file, 80)} line {line.line}:{text} {line.said}."


def points_in_words(outcomes: Iterable[TestOutcome]) -> Iterator[str]:
    """Yield a sentence for each suite: how the tests that are open went; of others, how many there are.

    What the others earned stays out: a student may read this before they are shown.
    """
    scored = [outcome for outcome in outcomes if outcome.test.scored]
    for suite in dict.fromkeys(outcome.test.suite for outcome in scored):
        members = [outcome for outcome in scored if outcome.test.suite == suite]
        for visibility in dict.fromkeys(outcome.test.visibility for outcome in members):
            group = [outcome for outcome in members if outcome.test.visibility is visibility]
            tests = counted(len(group), f"{suite} test")
            if visibility is Visibility.VISIBLE:
                passed = sum(outcome.status is Status.PASSED for outcome in group)
                yield f"{passed} of {tests} passed: {total(group)} points."
            else:
                yield f"{tests}, {total(group).possible:g} points: {_SHOWN[visibility]}."


def optional_parts(outcomes: Iterable[TestOutcome]) -> Iterator[tuple[str, str]]:
    """Yield each part of which tests were not attempted, and how many: ("part 3", "34 tests, not attempted")."""
    free = sorted((o for o in outcomes if not o.test.scored), key=lambda outcome: natural_key(part_of(outcome.test)))
    for part, group in groupby(free, lambda outcome: part_of(outcome.test)):
        members = list(group)
        idle = sum(map(untouched, members))
        title = f"part {part}" if part else "other tests"
        if idle == len(members):
            yield title, f"{counted(idle, 'test')}, not attempted"
        elif idle:
            yield title, f"{idle} of {counted(len(members), 'test')} not attempted"


def untouched(outcome: TestOutcome) -> bool:
    """Return True for a test without points that could not begin: its task is not written, or one before it fails."""
    idle = outcome.status is Status.NOT_ATTEMPTED or outcome.blocked_by is BlockedBy.TEST
    return idle and not outcome.test.scored


def part_of(test: GradedTest) -> str:
    """Return the part that a test's task belongs to: "3" for task 3.1; "" without a task."""
    return test.task.partition(".")[0]


def unwritten_task(outcome: TestOutcome) -> str:
    """Return the task without which this test could not go on, as the code itself says; "" if there is none."""
    diagnosis = outcome.diagnosis
    return diagnosis.subject if diagnosis is not None and diagnosis.code == UNWRITTEN else ""


def visible(report: GradeReport) -> list[TestOutcome]:
    """Return the outcomes that a student may see at once."""
    return [outcome for outcome in report.outcomes if outcome.test.visibility is Visibility.VISIBLE]


def _in_words(diagnosis: Diagnosis) -> str:
    if diagnosis.code == UNWRITTEN and diagnosis.subject:
        return _writing(sorted(_subjects(diagnosis), key=natural_key))
    return "\n".join(filter(None, [f"{diagnosis.sentence} {section_of(diagnosis)}".rstrip(), line_in_words(diagnosis)]))


def _writing(tasks: list[str]) -> str:
    first, *others = tasks
    if not others:
        return f"write task {first}."
    said = "Task {} is" if len(others) == 1 else "Tasks {} are"
    return f"write task {first}. {said.format(series(others))} not written yet either."


def _subjects(diagnosis: Diagnosis) -> list[str]:
    return [part.strip() for part in diagnosis.subject.split(",") if part.strip()]
