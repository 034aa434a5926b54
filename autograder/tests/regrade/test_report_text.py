"""What came from a submission is text on the page, and names and points read well."""

import pytest

from autograder.model import Flag, Status
from autograder.regrade.records.class_report import OldResult, Record, Submitter
from autograder.regrade.report.page import class_page, name_of, points

from ..results.test_preview import EVIL, Elements
from ..support.class_records import A, B
from ..support.classes import KEY, class_of, member, record, result
from ..support.reports import declared

HOSTILE = class_of(
    (
        member("evil", EVIL, old=OldResult(score=1.0, tests={EVIL: 1.0})),
        record(
            *("evil", result(A, Status.FAILED, diagnosis=EVIL, subject=EVIL)),
            *(result(B, Status.FAILED, diagnosis="overwrites-gradient", subject=EVIL),),
            *(result(B, Status.FAILED, diagnosis="overwrites-gradient", subject="`"),),
            limits=(EVIL,),
            flags=(Flag(title=EVIL, text=EVIL),),
            source="same",
        ),
    ),
    (member("twin"), record("twin", result(A), source="same")),
    (member("lost", EVIL), Record(id="lost", key=KEY, problem=EVIL)),
    of=(declared("a", title=EVIL, points=4.0), B),
    assignment=EVIL,
    packages={EVIL: EVIL},
)


def test_nothing_that_came_from_a_submission_becomes_an_element():
    tags = [tag for tag, _ in Elements(class_page(HOSTILE)).found]
    assert set(tags).isdisjoint({"img", "link", "iframe", "object", "a", "form", "pre"})
    assert tags.count("script") == 1  # our own, which sorts the tables


def test_no_element_of_a_report_carries_a_handler_a_style_or_an_address():
    attributes = {name for _, attributes in Elements(class_page(HOSTILE)).found for name in attributes}
    assert [name for name in attributes if name.startswith("on") or name in ("style", "src", "href")] == []


@pytest.mark.parametrize(
    ("people", "name"),
    [
        ((Submitter(name="Ada"), Submitter(name="Bo")), "Ada, Bo"),
        ((Submitter(email="ada@example.edu"),), "ada@example.edu"),
        ((Submitter(sid="30412345"),), "30412345"),
        ((Submitter(),), "submission_1"),
        ((), "submission_1"),
    ],
)
def test_people_are_called_by_what_is_known_of_them(people, name):
    assert name_of(type(member("x"))(id="submission_1", submitters=people)) == name


@pytest.mark.parametrize(
    ("number", "text"), [(78.0, "78"), (62.25, "62.25"), (7.5, "7.5"), (0.0, "0"), (100 / 3, "33.33"), (None, "–")]
)
def test_points_have_two_digits_at_most(number, text):
    assert points(number) == text


@pytest.mark.parametrize(("number", "text"), [(6.0, "+6"), (-0.25, "-0.25"), (0.0, "+0")])
def test_a_change_of_points_has_a_sign(number, text):
    assert points(number, signed=True) == text
