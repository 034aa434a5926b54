"""How a diagnosis is told: the sentence, the little graph, the summary of a whole submission."""

import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from autograder.assignment import load_assignment
from autograder.diagnosis.codes import MISTAKES, RANK, diagnosed, sentence, wording_of
from autograder.diagnosis.reasoning.drawing import apart
from autograder.diagnosis.reasoning.reference import gradients_of, reference_of
from autograder.diagnosis.recorded import program_of
from autograder.diagnosis.stopped import why_stopped
from autograder.errors import WorkerCrash, WorkerTimeout
from autograder.findings.summary import reconciled, secret_summary, shown_summary, summary
from autograder.model import Status, TestOutcome, Visibility
from autograder.results.overview import what_to_do

from ..support.near import Near
from ..support.reports import declared
from ..support.small import ENGINE, after, assigning, recorded
from .test_diagnosis_operators import computing

ROOT = Path(__file__).parents[3]
ASSIGNMENT = load_assignment(ROOT)
HIDDEN = ASSIGNMENT.suites[1]


def failed(code, subject="", **test):
    found = diagnosed(code, subject)
    placed = replace(found, section=ASSIGNMENT.sections[found.section])  # as the grader does
    return TestOutcome(test=declared(**test), status=Status.FAILED, diagnosis=placed)


# --- the sentence


@pytest.mark.parametrize("code", MISTAKES)
def test_a_sentence_is_whole_for_one_operator_for_several_and_for_none(code):
    for subjects in (["*"], ["*", "tanh"], []):
        text = sentence(code, subjects)
        assert "{" not in text
        assert text.endswith(".")


@pytest.mark.parametrize("code", MISTAKES)
def test_a_report_says_a_mistake_in_the_same_words_without_this_package(code):
    for subjects in (["*"], ["*", "tanh", "exp"], ["1.2"], []):
        assert wording_of(code).of(subjects) == sentence(code, subjects)


def test_several_operators_share_one_sentence():
    assert sentence("overwrites-gradient", ["*", "tanh", "exp"]) == (
        "`*`, `tanh` and `exp` overwrite the gradient with `=`; a value used twice needs `+=`."
    )


@pytest.mark.parametrize("section", ASSIGNMENT.sections.values())
def test_a_pointer_leads_to_a_heading_of_the_handout(section):
    headings = re.findall(r"^#+ (.+)$", (ROOT / "solution/PITFALLS.md").read_text("utf-8"), re.MULTILINE)
    anchors = {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
    assert section in anchors


def test_every_mistake_has_a_section_of_the_handout():
    assert {mistake.section for mistake in MISTAKES.values()} == ASSIGNMENT.sections.keys()


# --- the numbers it rests on


def test_the_reference_knows_the_gradients_of_the_readings_reuse_graph():
    program = program_of(recorded(Near(ENGINE), computing("a * a + a | 3")))
    places = program.before(program.outputs[-1])
    reference = reference_of(program, places)
    assert [reference.values[place] for place in places] == [3.0, 9.0, 12.0]
    assert list(gradients_of(program, places, reference).values()) == [7.0, 1.0, 1.0]  # 2a + 1 at 3


def test_the_evidence_is_the_wrong_gradient_with_what_it_should_be():
    evidence = after(assigning("*"), computing("a * a + a | 3")).evidence
    assert [(row.node, row.expected, row.got) for row in evidence] == [("gradient of v1 = Value(3)", "7", "3")]


def test_a_small_graph_is_drawn_with_the_wrong_gradient_marked():
    assert after(assigning("+"), computing("a + a | 3")).drawing.splitlines() == [
        "                 value  gradient",
        "  v1 = Value(3)  3      1 (!) expected 2",
        "  v2 = v1 + v1   6      1",
    ]


def test_a_graph_of_more_than_twelve_nodes_is_not_drawn():
    assert after(assigning("+"), computing("a" + " + a" * 12 + " | 3")).drawing == ""


# --- the summary


def test_the_summary_tells_each_mistake_once_the_most_fundamental_first():
    found = summary([failed("backward-order"), failed("missing-return", "exp"), failed("backward-order")])
    assert [each.code for each in found] == ["missing-return", "backward-order"]
    assert what_to_do(found, []).splitlines() == [
        "Start with the first of these:",
        '1. `exp` returns nothing: `return` the new value. See "Pitfall: return the result" in the handout.',
        "2. A value passes its gradient on before all its consumers have added their shares: mind the order. "
        'See "Pitfall: the order of the backward pass" in the handout.',
    ]


def test_the_summary_tells_three_things_at_most():
    assert len(summary(failed(code) for code in list(RANK)[:8])) == 3


def test_operators_with_one_mistake_are_one_thing():
    (found,) = summary([failed("overwrites-gradient", "*"), failed("overwrites-gradient", "tanh")])
    assert found.sentence == "`*` and `tanh` overwrite the gradient with `=`; a value used twice needs `+=`."


def test_nothing_to_look_at_is_not_mentioned():
    assert what_to_do(summary([]), []) == ""


def test_the_students_summary_leaves_out_what_is_shown_later():
    later = failed("backward-order", suite=HIDDEN, visibility=Visibility.AFTER_PUBLISHED)
    assert shown_summary([later], ASSIGNMENT) == ()


def test_the_students_summary_leaves_out_secret_tests_that_are_shown():
    hidden = failed("backward-order", "*", suite=HIDDEN, visibility=Visibility.VISIBLE)
    assert shown_summary([hidden], ASSIGNMENT) == ()


def test_secret_tests_are_summed_up_without_the_operator():
    (found,) = secret_summary([failed("overwrites-gradient", "*", suite=HIDDEN)])
    assert (found.subject, found.sentence[:26]) == ("", "A gradient is overwritten ")


def test_an_effect_is_told_by_its_cause():
    both = reconciled((failed("visited-again"), failed("exponential-backward"), failed("backward-order")))
    assert [each.diagnosis and each.diagnosis.code for each in both] == [
        "visited-again",
        "visited-again",
        "backward-order",
    ]


def test_without_the_cause_the_effect_is_told():
    (only,) = reconciled((failed("exponential-backward"),))
    assert only == failed("exponential-backward")


# --- a stop


def stopped(near, problem, build):
    """Return the diagnosis after `problem` came at the backward pass of what `build` makes."""

    def test(engine):
        output = build(engine)
        assert output.data is not None  # what was queued is performed
        near.crash = problem
        output.backward()

    tape = recorded(near, test)
    return why_stopped(problem, tape, program_of(tape))


def doublings(engine):
    x = engine.Value(1.0)
    for _ in range(25):
        x = x + x
    return x


def long_sum(engine):
    a = engine.Value(1.0)
    for _ in range(600):
        a = a + 1
    return a


@pytest.mark.parametrize(
    ("problem", "build", "code"),
    [
        (WorkerTimeout(""), doublings, "exponential-backward"),
        (WorkerTimeout(""), long_sum, "slow-backward"),
        (WorkerTimeout(""), lambda engine: engine.Value(1.0) + 1, "timed-out"),
        (WorkerCrash(""), lambda engine: engine.Value(1.0) + 1, "crashed"),
    ],
    ids=["doublings", "a long sum", "a small graph", "the end of the process"],
)
def test_a_pass_that_did_not_answer_is_explained_by_the_graph(problem, build, code):
    assert stopped(Near(ENGINE), problem, build).code == code


@pytest.mark.parametrize(
    ("got", "right", "shown"),
    [
        (0.1 + 0.2, 0.4, ("0.3", "0.4")),
        (2.0000013, 2.0, ("2.0000013", "2")),
        (1.00000000001, 1.0, ("1.00000000001", "1")),
        (1.0 + 2**-52, 1.0, ("1.0000000000000002", "1.0")),
    ],
)
def test_two_numbers_have_six_digits_or_as_many_as_show_that_they_differ(got, right, shown):
    assert apart(got, right) == shown
