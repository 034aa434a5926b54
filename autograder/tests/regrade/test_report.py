"""What the report of a class counts is what there is, and its page says it to those who may read it."""

import html
import re
import statistics
import subprocess
import sys
from random import Random
from typing import TypeVar

import pytest
from click.testing import CliRunner

from autograder.commands.report import command
from autograder.diagnosis.codes import MISTAKES, sentence
from autograder.errors import AutograderError
from autograder.model import Flag, Score, Status
from autograder.regrade.records.class_report import CLASS, RECORDS, RUN, OldResult, Record, Submitter
from autograder.regrade.report.causes import Cause, causes_of, unrun_in
from autograder.regrade.report.copies import copies_in
from autograder.regrade.report.lines import anonymous_line
from autograder.regrade.report.moves import moves_of
from autograder.regrade.report.page import class_page, name_of, points, write_report
from autograder.regrade.report.rates import rates_of
from autograder.regrade.report.scores import scores_of
from autograder.regrade.report.spent import spent_on

from ..results.test_preview import EVIL, Elements
from ..support.classes import KEY, class_of, large_class, member, record, result
from ..support.reports import SECRET, declared

T = TypeVar("T")
A, B, FREE = declared("a", points=4.0), declared("b", SECRET, points=6.0), declared("c", points=0.0, scored=False)
TESTS = (A, B, FREE)


def scored(earned, identity="x", **changes) -> Record:
    return record(identity, possible=10.0, **{"score": Score(earned=earned, possible=10.0), **changes})


def class_with(*records, **changes):
    return class_of(*((member(f"{n}"), one) for n, one in enumerate(records)), of=TESTS, **changes)


def numbered(*makers):
    return class_with(*(make(f"{n}") for n, make in enumerate(makers)))


def made(*results, **changes):
    """Return a maker of a record with these results."""
    return lambda identity: record(identity, *results, possible=10.0, **changes)


def earning(points):
    return lambda identity: scored(points, identity)


def known(value: T | None) -> T:
    assert value is not None
    return value


# Scores.


def test_scores_are_summed_up():
    scores = known(scores_of(numbered(*map(earning, [0, 2, 4, 6, 10, 10]))))
    assert (scores.count, scores.possible, scores.full, scores.none) == (6, 10, 2, 1)
    assert scores.mean == pytest.approx(32 / 6)
    assert (scores.lower, scores.median, scores.upper) == (2.5, 5, 9)


def test_every_score_is_in_one_column_and_the_full_one_in_the_last():
    scores = known(scores_of(numbered(*map(earning, [0, 0.49, 0.5, 9.5, 10]))))
    assert [one.count for one in scores.bins] == [2, 1, *[0] * 17, 2]
    assert (scores.bins[0].low, scores.bins[0].high, scores.bins[-1].high) == (0, 0.5, 10)


@pytest.mark.parametrize(
    ("possible", "width", "ticks"),
    [
        (100, 5, [0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100]),
        (40, 2, [0, 5, 10, 15, 20, 25, 30, 35, 40]),
        (37, 2, [0, 5, 10, 15, 20, 25, 30, 37]),
        (4, 0.2, [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4]),
        (33.75, 2, [0, 5, 10, 15, 20, 25, 30, 33.75]),
    ],
)
def test_columns_and_ticks_stand_at_round_numbers(possible, width, ticks):
    tests = [declared("a", points=float(possible))]
    scores = known(scores_of(class_of((member("x"), record("x", result(tests[0]), possible=possible)), of=tests)))
    assert list(scores.ticks) == pytest.approx(ticks)
    assert {round(one.high - one.low, 9) for one in scores.bins} == {width}
    assert (sum(one.count for one in scores.bins), scores.bins[-1].count) == (1, 1)


def test_one_score_is_its_own_middle():
    scores = known(scores_of(numbered(earning(7))))
    assert (scores.lower, scores.median, scores.upper) == (7, 7, 7)


def test_what_could_not_be_graded_is_no_score():
    report = numbered(earning(8), lambda identity: Record(id=identity, key=KEY, problem="damaged"))
    assert known(scores_of(report)).count == 1


def test_a_class_of_which_nothing_was_graded_has_no_scores():
    assert scores_of(class_of((member("0"), None), of=TESTS)) is None


# Tests.


def test_the_hardest_test_comes_first():
    report = numbered(made(result(A), result(B, Status.FAILED)), made(result(A), result(B)))
    assert [(rate.test.id, rate.passed, rate.tried, rate.share) for rate in rates_of(report)] == [
        (B.id, 1, 2, 0.5),
        (A.id, 2, 2, 1.0),
    ]


def test_why_a_test_was_not_passed_is_counted():
    statuses = [Status.ERRORED, Status.FAILED, Status.TIMED_OUT, Status.ERRORED, Status.CRASHED, Status.BLOCKED]
    report = numbered(*(made(result(A, status)) for status in statuses))
    assert rates_of(report)[0].others == (
        *(("failed", 1), ("raised", 2), ("timed out", 1), ("crashed", 1), ("not run", 1)),
    )


def test_a_test_without_points_is_measured_among_those_who_attempted_it():
    report = numbered(*(made(result(FREE, status)) for status in (Status.PASSED, Status.NOT_ATTEMPTED)))
    assert [(rate.passed, rate.tried) for rate in rates_of(report)] == [(1, 1)]


def test_a_submission_in_which_nothing_could_run_says_nothing_of_a_test():
    report = numbered(made(result(A)), made(result(A, Status.BLOCKED), imported=False))
    assert [(rate.passed, rate.tried) for rate in rates_of(report)] == [(1, 1)]


def test_how_a_test_separates_is_the_correlation_with_the_points_on_all_others():
    random = Random(3)
    passes = [[random.random() < skill for _ in range(3)] for skill in (n / 20 for n in range(1, 20))]
    tests = [declared(name, points=points) for name, points in (("u", 1.0), ("v", 2.5), ("w", 4.0))]
    status = {True: Status.PASSED, False: Status.FAILED}
    pairs = [
        (member(f"{n}"), record(f"{n}", *(result(t, status[p]) for t, p in zip(tests, row, strict=True))))
        for n, row in enumerate(passes)
    ]
    rates = {rate.test.id: rate.separates for rate in rates_of(class_of(*pairs, of=tests))}
    for place, test in enumerate(tests):
        rest = [sum(t.points * p for t, p in zip(tests, row, strict=True) if t is not test) for row in passes]
        expected = statistics.correlation([float(row[place]) for row in passes], rest)
        assert rates[test.id] == pytest.approx(expected)


@pytest.mark.parametrize("passing", [0, 12])
def test_a_test_that_all_or_none_pass_separates_nobody(passing):
    makers = [made(result(A, Status.PASSED if n < passing else Status.FAILED), result(B)) for n in range(12)]
    assert {rate.test.id: rate.separates for rate in rates_of(numbered(*makers))}[A.id] is None


def test_among_a_few_submissions_nothing_is_said_of_how_tests_separate():
    makers = [made(result(A), result(B)), made(result(A, Status.FAILED), result(B, Status.FAILED))]
    assert [rate.separates for rate in rates_of(numbered(*makers))] == [None, None]


def test_a_page_names_the_tests_that_hardly_separate():
    passing = [(n % 2 == 0, n < 8, n < 8) for n in range(16)]  # the first has nothing to do with the others
    tests = [declared(name, title=f"about {name}") for name in ("chance", "skill", "care")]
    status = {True: Status.PASSED, False: Status.FAILED}
    pairs = [
        (member(f"{n}"), record(f"{n}", *(result(t, status[p]) for t, p in zip(tests, row, strict=True))))
        for n, row in enumerate(passing)
    ]
    said = words(class_page(class_of(*pairs, of=tests)))
    assert "1 test hardly separates strong submissions from weak ones (below 0.2): about chance." in said


# Mistakes.


def failing(*subjects, code="overwrites-gradient"):
    return made(*(result(A, Status.FAILED, diagnosis=code, subject=subject) for subject in subjects))


def test_a_submission_counts_once_for_a_mistake_however_often_it_makes_it():
    (cause,) = causes_of(numbered(failing("**", "**", "*"), failing("**")))
    assert (cause.submissions, cause.subjects, cause.tests) == (2, (("**", 2), ("*", 1)), 2.0)


def test_a_mistake_names_who_makes_it_in_the_order_of_the_class():
    (cause,) = causes_of(numbered(failing("*"), made(result(A)), failing("*")))
    assert [one.id for one in cause.members] == ["0", "2"]


def at(*lines):
    """Return a maker of a record that makes a mistake at these lines."""
    return made(*(result(A, Status.FAILED, diagnosis="overwrites-gradient", subject="*", line=line) for line in lines))


def test_a_mistake_shows_the_two_most_frequent_lines_and_no_comment():
    lines = (
        "self.grad = g  # Ada's",
        "self.grad = g",
        "a.grad = out",
        "self.grad = g  # mine",
        "self.grad = h",
        "z = 1",
        "z = 1",
    )
    (cause,) = causes_of(numbered(*map(at, lines)))
    assert cause.lines == ("self.grad = g", "z = 1")


def test_where_nobody_shall_be_known_a_line_of_one_submission_is_not_shown():
    (cause,) = causes_of(numbered(at("ada_grad = g"), at("self.grad = g"), at("self.grad = g")), shared=True)
    assert cause.lines == ("self.grad = g",)


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("    x = y  # Ada", "x = y"),
        ('raise ValueError("by Ada")', 'raise ValueError("…")'),
        ("x = '#' + \"it's\" # Ada", 'x = "…" + "…"'),
        ("print('Ada\\' said')  # b", 'print("…")'),
        ('"""Ada wrote this', '"…"'),
        ('x = """a"b""" + y', 'x = "…" + y'),
        ("# Ada", ""),
        ("f(" + "a" * 200, "f(" + "a" * 97 + "…"),
    ],
)
def test_an_example_holds_neither_comments_nor_texts(line, shown):
    assert anonymous_line(line) == shown


def test_a_line_of_quotes_costs_no_more_than_its_length():
    assert anonymous_line("'" * 200_001).startswith('"…"')


def test_the_most_frequent_mistake_comes_first():
    report = numbered(failing("", code="syntax"), failing("*"), failing("*"))
    assert [cause.code for cause in causes_of(report)] == ["overwrites-gradient", "syntax"]


def test_a_failed_import_is_a_mistake_that_every_test_is_lost_by():
    report = numbered(made(result(A, Status.BLOCKED), result(B, Status.BLOCKED), import_diagnosis="syntax"))
    assert [(cause.code, cause.tests) for cause in causes_of(report)] == [("syntax", 2.0)]


def unimported(reason, **changes):
    return made(imported=False, import_problem=reason, **changes)


@pytest.mark.parametrize(
    ("shared", "told"),
    [
        (False, (("SyntaxError", 2), ("hand in engine.py, not ada.py", 1))),
        (True, (("SyntaxError", 2), ("another reason", 1))),
    ],
)
def test_why_nothing_could_run_is_counted_where_no_mistake_by_name_says_it(shared, told):
    reasons = ("SyntaxError", "hand in engine.py, not ada.py", "SyntaxError")
    named = unimported("ImportError", import_diagnosis="import-not-allowed")
    assert unrun_in(numbered(*map(unimported, reasons), named, made(result(A))), shared=shared) == told


@pytest.mark.parametrize(
    ("subjects", "words"),
    [
        ((), ""),
        ((("**", 21),), ""),
        ((("**", 21), ("*", 9), ("/", 8)), "mostly in `**` (21), also in `*` (9), `/` (8)"),
        ((("**", 17), ("*", 9)), "in `**` (17), `*` (9)"),
        ((("1.2", 8), ("2.1", 2)), "mostly in task 1.2 (8), also in task 2.1 (2)"),
        (tuple((f"f{n}", 1) for n in range(6)), "in `f0` (1), `f1` (1), `f2` (1), `f3` (1) and 2 more"),
    ],
)
def test_where_a_mistake_is_made_is_said_in_words(subjects, words):
    cause = Cause(code="x", sentence="It.", members=(), subjects=subjects, tests=1.0)
    assert cause.where == words


def test_a_mistake_that_is_made_in_one_place_names_it_in_its_sentence():
    (cause,) = causes_of(numbered(failing("relu", code="derivative-at-kink")))
    assert cause.sentence == "At its kink, at 0, the derivative of `relu` must be 0."


def test_a_mistake_that_this_version_does_not_know_is_named_by_its_code():
    (cause,) = causes_of(numbered(failing("", code="of-tomorrow")))
    assert cause.sentence.startswith("of-tomorrow")


@pytest.mark.parametrize("code", sorted(MISTAKES))
def test_the_sentence_of_a_mistake_reads_well_without_a_place(code):
    assert " An operator" not in sentence(code, [])


def test_where_nobody_shall_be_known_a_place_of_one_submission_is_not_named():
    report = numbered(*(failing(subject, code="import-not-allowed") for subject in ("torch", "torch", "ada_code")))
    (cause,) = causes_of(report, shared=True)
    assert cause.subjects == (("torch", 2),)
    assert cause.sentence == "The file imports a module that is not there when it is graded."


# The same program, times and limits.


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


# The page.


@pytest.fixture(scope="module")
def large():
    return large_class()


@pytest.fixture(scope="module")
def page(large):
    return class_page(large)


@pytest.fixture(scope="module")
def anonymous(large):
    return class_page(large, anonymous=True)


def words(page) -> str:
    """Return what a page says, without its marks and its style sheet."""
    body = page.partition("</style>")[2]
    return html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]*>", "", body)))


@pytest.mark.parametrize(
    "heading",
    [
        *("Scores", "What goes wrong", "Tests", "What changed against the old grades", "The same program"),
        *("Times and limits", "Not graded"),
    ],
)
def test_a_full_page_has_every_section(page, heading):
    assert re.search(f'<h2 id="[a-z]+">{heading}</h2>', page)


def test_the_page_counts_the_class(page, large):
    graded, failed = len(list(large.graded())), len(list(large.failed()))
    assert f"{graded} of 212 submissions graded; {failed} could not be" in words(page)


def test_the_page_says_how_many_make_a_mistake_and_where(page, large):
    cause = next(cause for cause in causes_of(large) if cause.code == "overwrites-gradient")
    said = words(page)
    assert f"{cause.submissions} of {len(list(large.graded()))}" in said
    assert "a value used twice needs +=." in said
    assert cause.where.replace("`", "") in said
    assert cause.where.startswith("mostly in `**`")


def test_the_page_names_what_nobody_and_what_everybody_passes(page):
    said = words(page)
    assert "Nobody passes 2 tests" in said
    assert "Everybody passes 6 tests: The gradient of a sum;" in said


def test_the_histogram_and_its_table_hold_every_score(page, large):
    table = page.partition("Submissions by points")[2].partition("</table>")[0]
    assert sum(map(int, re.findall(r'"number">(\d+)<', table))) == len(list(large.graded()))


def test_the_table_of_submissions_says_who_made_which_mistake(page, large):
    causes = causes_of(large)
    table = page.partition('id="rows"')[2].partition("</table>")[0]
    rows = re.findall(
        r'<tr><th scope="row">(.*?)</th> <td>(.*?)</td> <td class="number">(.*?)</td> <td>(.*?)</td>', table
    )
    assert [identity for _, identity, _, _ in rows] == [one.id for one in large.members]
    listed = {identity: made.split() for _, identity, _, made in rows}
    for number, cause in enumerate(causes, 1):
        assert {name for name, made in listed.items() if f"M{number}" in made} == {one.id for one in cause.members}


def test_equal_programs_are_called_a_reason_to_look_and_no_verdict(page):
    assert "This is a reason to look, and no verdict" in words(page)


def test_a_submission_that_could_not_be_graded_is_named_with_the_reason_and_no_zero(page, large):
    name = name_of(next(one for one in large.members if one.id == next(large.failed()).id))
    assert f"{name} ({next(large.failed()).id}): the zip is damaged" in words(page)
    assert "A blank is not a zero" in words(page)


def test_every_table_has_a_caption_and_every_column_a_head(page):
    assert page.count("<table") == page.count("<caption>") == page.count("<thead>")


def test_an_anonymous_page_names_nobody(anonymous, large):
    assert "This page names nobody." in words(anonymous)
    assert "Student" not in anonymous
    assert [one.id for one in large.members if re.search(rf"\b{one.id}\b", anonymous)] == []


@pytest.mark.parametrize("anonymous", [False, True])
def test_an_anonymous_page_keeps_back_the_words_of_single_submissions(anonymous):
    report = numbered(
        *(failing(subject, code="import-not-allowed") for subject in ("torch", "torch", "ada_code")),
        unimported("hand in engine.py, not ada.py"),
    )
    assert ("ada" not in class_page(report, anonymous=anonymous)) is anonymous


def test_an_anonymous_page_still_counts(anonymous):
    assert "groups of submissions hold the same program" in words(anonymous)
    assert "submissions compared" in words(anonymous)
    assert "Limits that were met" in words(anonymous)


def test_a_class_of_which_nothing_is_graded_yet_has_a_page():
    report = class_of((member("0", "Ada"), None), of=TESTS)
    assert "0 of 1 submission graded; 1 not graded yet." in words(class_page(report))


def test_the_same_class_gives_the_same_bytes():
    assert class_page(large_class()) == class_page(large_class())


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


# Where it is written.


@pytest.fixture
def out(tmp_path):
    """Return a directory as `autograder regrade` leaves it."""
    import msgspec

    report = class_of((member("a1", "Ada"), record("a1", result(A), possible=10.0)), of=TESTS)
    (tmp_path / RECORDS).mkdir()
    (tmp_path / RUN).write_bytes(msgspec.json.encode(report.run))
    (tmp_path / CLASS).write_bytes(msgspec.json.encode((report.members, {"a1": KEY})))
    (tmp_path / RECORDS / "a1.json").write_bytes(msgspec.json.encode(report.records["a1"]))
    return tmp_path


def test_the_report_is_written_into_the_directory_of_the_class(out):
    assert write_report(out) == out / "report.html"
    assert "1 of 1 submission graded." in (out / "report.html").read_text("utf-8")


def test_the_verb_writes_a_page_without_names_beside_the_other_and_prints_its_name(out):
    done = CliRunner().invoke(command, [str(out), "--anonymous"])
    assert (done.exit_code, done.stdout) == (0, f"{out / 'report-anonymous.html'}\n")
    assert "Ada" not in (out / "report-anonymous.html").read_text("utf-8")


def test_a_directory_without_a_class_is_refused(tmp_path):
    with pytest.raises(AutograderError, match=r"run\.json does not exist"):
        write_report(tmp_path)


def test_without_jinja_the_remedy_is_named(out):
    program = "import sys, pathlib\nsys.modules['jinja2'] = None\nfrom autograder.regrade.report import page\n"
    program += f"page.write_report(pathlib.Path({str(out)!r}))"
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert "pip install jinja2" in answer.stderr
