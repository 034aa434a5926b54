"""The same report in the words of other graders: PrairieLearn, Autolab, and JUnit's XML.

None of them can hold a test back until scores are published. So a test that a student may see now is
an entry of its own, and the others of a suite are one entry: their points, and not a word on which.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from ..assignment import Assignment
from ..model import GradeReport, Score, Status, TestOutcome, Visibility, total
from ..text import clean, one_line
from .feedback import import_text, student_text, summary_text
from .gradescope import results_bytes
from .overview import untouched

if TYPE_CHECKING:
    from xml.etree import ElementTree

_FAILURES = {Status.FAILED}
_ERRORS = {Status.ERRORED, Status.TIMED_OUT, Status.CRASHED}


def gradescope(report: GradeReport, assignment: Assignment) -> str:
    """Return Gradescope's results.json."""
    return results_bytes(report, assignment).decode("utf-8")


def prairielearn(report: GradeReport, assignment: Assignment) -> str:
    """Return the results.json of PrairieLearn's external graders: `score` from 0 to 1, points in each test.

    A submission that is not valid Python is not gradable: PrairieLearn then takes no attempt away.
    """
    score = report.score
    content: dict[str, Any] = {
        "gradable": True,
        "score": score.earned / score.possible if score.possible else 0.0,
        "output": summary_text(report),
        "tests": [
            {"name": one_line(title), "points": points.earned, "max_points": points.possible, "output": text}
            for title, points, text in _entries(report, assignment)
        ],
    }
    failure = report.import_failure
    if failure is not None and failure.exception in ("SyntaxError", "IndentationError", "TabError"):
        content |= {"gradable": False, "format_errors": [import_text(failure, report.import_diagnosis)]}
    return json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def autolab(report: GradeReport, assignment: Assignment) -> str:
    """Return what an Autolab autograder prints: feedback, and as the last line the score of each suite.

    The lab must have a problem for each suite, called by its name.
    """
    lines = [summary_text(report), ""]
    for title, points, text in _entries(report, assignment):
        lines += [f"{points.earned:g} / {points.possible:g}  {one_line(title)}", *_indented(text)]
    scores = {
        suite.name: total(o for o in report.outcomes if o.test.suite == suite.name).earned
        for suite in assignment.suites
        if any(outcome.test.suite == suite.name for outcome in report.outcomes)
    }
    return "\n".join(lines) + "\n" + json.dumps({"scores": scores}, allow_nan=False) + "\n"


def junit(report: GradeReport, assignment: Assignment) -> str:
    """Return JUnit's XML, as GitHub Classroom and most CI read it: a testsuite for each suite.

    It names only tests that a student may see now, and no times: a hidden test's time could give its input away.
    """
    from xml.etree import ElementTree  # only where XML is asked for

    root = ElementTree.Element("testsuites", name=report.assignment)
    for suite in assignment.suites:
        shown = [o for o in _visible(report.outcomes) if o.test.suite == suite.name]
        if shown:
            root.append(_junit_suite(suite.name, shown, report, assignment))
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _junit_suite(
    name: str, outcomes: list[TestOutcome], report: GradeReport, assignment: Assignment
) -> ElementTree.Element:
    from xml.etree import ElementTree

    failed, errors = (sum(o.status in group for o in outcomes) for group in (_FAILURES, _ERRORS))
    element = ElementTree.Element(
        "testsuite",
        name=name,
        tests=str(len(outcomes)),
        failures=str(failed),
        errors=str(errors),
        skipped=str(sum(o.status not in _FAILURES | _ERRORS | {Status.PASSED} for o in outcomes)),
    )
    for outcome in outcomes:
        file, _, test = outcome.test.id.partition("::")
        case = ElementTree.SubElement(element, "testcase", classname=file.removesuffix(".py"), name=_xml(test))
        if outcome.status is Status.PASSED:
            continue
        tag = "failure" if outcome.status in _FAILURES else "error" if outcome.status in _ERRORS else "skipped"
        text = _text(outcome, report, assignment)
        ElementTree.SubElement(case, tag, message=_xml(one_line(outcome.test.title))).text = _xml(text)
    return element


def _entries(report: GradeReport, assignment: Assignment) -> Iterable[tuple[str, Score, str]]:
    """Yield title, points and text of each visible test, then of each suite's others together."""
    for outcome in _visible(report.outcomes):
        if untouched(outcome):  # the summary counts them
            continue
        yield outcome.test.title, total([outcome]), _text(outcome, report, assignment)
    for suite in assignment.suites:
        held = [o for o in report.outcomes if o.test.suite == suite.name and not _is_visible(o)]
        if held:
            yield f"{len(held)} {suite.name} tests, not shown one by one", total(held), ""


def _visible(outcomes: Iterable[TestOutcome]) -> list[TestOutcome]:
    return [outcome for outcome in outcomes if _is_visible(outcome)]


def _is_visible(outcome: TestOutcome) -> bool:
    return outcome.test.visibility is Visibility.VISIBLE


def _text(outcome: TestOutcome, report: GradeReport, assignment: Assignment) -> str:
    suite = next(suite for suite in assignment.suites if suite.name == outcome.test.suite)
    return student_text(outcome, suite, assignment, import_failure=report.import_failure, above=report.diagnoses)


def _indented(text: str) -> list[str]:
    """Indent, so that no line of a test can pass for Autolab's last line."""
    return [f"    {line}" for line in text.splitlines()]


def _xml(text: str) -> str:
    """Return text without the characters that XML 1.0 cannot hold; `clean` has escaped control characters."""
    return "".join(
        c for c in clean(text) if c in "\t\n" or " " <= c <= "\ud7ff" or "\ue000" <= c <= "\ufffd" or c > "\uffff"
    )


FORMATS: dict[str, Callable[[GradeReport, Assignment], str]] = {
    "gradescope": gradescope,
    "prairielearn": prairielearn,
    "autolab": autolab,
    "junit": junit,
}
