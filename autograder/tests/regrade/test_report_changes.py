"""What else the report says of a class: equal programs, times and limits, and what changed since."""

from autograder.model import Flag, Status
from autograder.regrade.records.class_report import OldResult, Submitter
from autograder.regrade.report.copies import copies_in
from autograder.regrade.report.moves import moves_of
from autograder.regrade.report.spent import spent_on

from ..support.class_records import TESTS, A, B, known, made, numbered
from ..support.classes import class_of, member, record, result


def test_submissions_with_the_same_program_are_a_group():  # threat 82: work that is not the student's own
    report = numbered(*(made(result(A), source=source) for source in ("p", "q", "p", "", "")))
    (copies,) = copies_in(report)
    assert ([one.id for one in copies.members], copies.points) == (["0", "2"], 4.0)


def test_the_largest_group_comes_first():
    report = numbered(*(made(source=source) for source in "pqpqq"))
    assert [len(copies.members) for copies in copies_in(report)] == [3, 2]


def test_times_limits_and_flags_are_summed_up():
    report = numbered(
        made(seconds=2.0),
        made(seconds=9.0, limits=("memory", "time for one test"), flags=(Flag(title="odd", text="…"),) * 2),
        made(seconds=4.0, limits=("memory",)),
    )
    spent = known(spent_on(report))
    assert (spent.total, spent.median) == (15.0, 4.0)
    assert [(one.id, seconds) for one, seconds in spent.slowest] == [("1", 9.0), ("2", 4.0), ("0", 2.0)]
    assert [(met.what, [one.id for one in met.members]) for met in (*spent.limits, *spent.flags)] == [
        *(("memory", ["1", "2"]), ("time for one test", ["1"]), ("odd", ["1"])),
    ]


# Changes.


def graded_before(old, *results, identity="x", people=("Ada",)):
    who = member(identity, old=old)
    who = type(who)(id=identity, submitters=tuple(Submitter(name=name) for name in people), old=old)
    return who, record(identity, *results, possible=10.0)


def test_what_changed_is_listed_with_its_tests_the_largest_change_first():
    report = class_of(
        graded_before(OldResult(score=4.0, tests={A.id: 4.0, B.id: 0.0}), result(A), result(B), identity="up"),
        graded_before(OldResult(score=10.0, tests={A.id: 4.0}), result(A, Status.FAILED), result(B), identity="down"),
        graded_before(OldResult(score=10.0), result(A), result(B), identity="same"),
        (member("new"), record("new", result(A), possible=10.0)),
        of=TESTS,
    )
    moves = known(moves_of(report))
    assert (moves.compared, moves.up, moves.down, moves.mean) == (3, 1, 1, 1.0)
    assert [(move.member.id, move.old, move.new, move.by) for move in moves.moves] == [
        ("up", 4.0, 10.0, 6.0),
        ("down", 10.0, 6.0, -4.0),
    ]
    assert {(test.title, test.won, test.lost) for test in moves.tests} == {(A.title, 0, 1), (B.title, 2, 0)}


def test_a_group_of_people_is_one_change():
    moves = known(moves_of(class_of(graded_before(OldResult(score=1.0), result(A), people=("Ada", "Bo")), of=TESTS)))
    assert len(moves.moves) == 1


def test_without_old_grades_there_is_nothing_to_compare():
    assert moves_of(numbered(made(result(A)))) is None
