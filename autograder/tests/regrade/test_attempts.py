"""Several attempts of one student: one counts, whole, and never a mixture of two."""

import pytest

from autograder.commands.regrade import command
from autograder.errors import AssignmentError
from autograder.regrade.sources.attempts import FORMATS, AttemptChoice, moment
from autograder.regrade.sources.kinds import SourceKind

from ..support.exports import RIGHT, WRONG, write_folder, write_zip

BOTH = pytest.mark.parametrize("write", [write_zip, write_folder])


def handed(class_, identity):
    placed = next(placed for placed in class_.placed if placed.found.id == identity)
    return {file.path: file.data.decode() for file in placed.delivery().files}


def remarks(class_, identity):
    return next(placed.found for placed in class_.placed if placed.found.id == identity).remarks


BRIGHTSPACE = {
    "12345-67890 - Ada Example - Oct 3, 2026 1102 AM/doubling.py": "oct 3",
    "12345-67890 - Ada Example - Oct 3, 2026 1102 AM/value.py": "of the first attempt",
    "12345-67890 - Ada Example - Oct 10, 2026 902 AM/doubling.py": "oct 10",
    "12346-67890 - Bo - Exämple - Oct 3, 2026 102 PM/doubling.py": RIGHT,
    "index.html": "<html>",
}
FLAT_BRIGHTSPACE = {
    "12345-67890 - Ada Example - Oct 3, 2026 1102 AM - doubling.py": "oct 3",
    "12345-67890 - Ada Example - Oct 3, 2026 1102 AM - value.py": "of the first attempt",
    "12345-67890 - Ada Example - Oct 10, 2026 902 AM - doubling.py": "oct 10",
    "12346-67890 - Bo - Exämple - Oct 3, 2026 102 PM - 1 - 2 - doubling.py": RIGHT,
    "index.html": "<html>",
}


@BOTH
@pytest.mark.parametrize("files", [BRIGHTSPACE, FLAT_BRIGHTSPACE], ids=["folders", "flat"])
def test_brightspace_is_told_by_its_names_and_the_newest_attempt_counts_whole(recognised, write, files):
    class_ = recognised(files, write)
    assert [placed.found.id for placed in class_.placed] == ["12345", "12346"]
    assert handed(class_, "12345") == {"doubling.py": "oct 10"}
    assert "attempt 2 of 2: Oct 10, 2026 902 AM" in remarks(class_, "12345")


@pytest.mark.parametrize("files", [BRIGHTSPACE, FLAT_BRIGHTSPACE], ids=["folders", "flat"])
@pytest.mark.parametrize("attempt", [1, AttemptChoice.FIRST])
def test_the_first_attempt_counts_whole_if_it_is_chosen(recognised, files, attempt):
    class_ = recognised(files, attempt=attempt)
    assert handed(class_, "12345") == {"doubling.py": "oct 3", "value.py": "of the first attempt"}


def test_a_name_that_holds_a_dash_is_still_that_students(recognised):
    assert recognised(BRIGHTSPACE).placed[1].found.submitters[0].name == "Bo - Exämple"


def test_an_attempt_that_a_student_does_not_have_is_missing_and_no_other(recognised):
    class_ = recognised(BRIGHTSPACE, attempt=2)
    assert handed(class_, "12345") == {"doubling.py": "oct 10"}
    assert class_.placed[1].found.missing == "there is no attempt 2: 1 handed in"


BLACKBOARD = {
    "Homework 1_ada_b_attempt_2026-10-03-11-02-10_doubling.py": "first",
    "Homework 1_ada_b_attempt_2026-10-03-11-02-10.txt": "Name: Ada",
    "Homework 1_ada_b_attempt_2026-10-10-09-02-10_doubling.py": "second",
    "Homework 1_ada_b_attempt_2026-10-10-09-02-10.txt": "Name: Ada",
    "Homework 1_cy_attempt_2026-10-03-11-02-10_x_ada_b_attempt_2027-01-01-00-00-00_doubling.py": RIGHT,
    "Homework 1_dan_attempt_2026-10-03-11-02-10.txt": "I have no file",
}


@BOTH
def test_blackboard_is_told_by_its_names_and_a_files_name_decides_nothing(recognised, write):
    class_ = recognised(BLACKBOARD, write)
    assert [placed.found.id for placed in class_.placed] == ["ada_b", "cy", "dan"]
    assert handed(class_, "ada_b") == {"doubling.py": "second"}
    assert class_.placed[2].found.missing == "nothing but text was handed in"


def test_a_user_of_blackboard_alone_is_named_without_the_assignment(recognised):
    class_ = recognised({"My_home_work_ada_attempt_2026-10-03-11-02-10_doubling.py": RIGHT})
    assert [placed.found.id for placed in class_.placed] == ["ada"]


ILIAS = {
    "Example_Ada_adaex_4711/doubling.py": "first",
    "Example_Ada_adaex_4711/doubling (2).py": "second",
    "Example_Ada_adaex_4711/doubling (10).py": "tenth",
    "Example_Ada_adaex_4711/extra.py": "of it too",
    "Exa_mple_Bo_boex_4712/Late Submission - doubling.py": RIGHT,
    "Exa_mple_Bo_boex_4712/sub/part.py": RIGHT,
}


@BOTH
def test_ilias_is_told_by_its_names_and_the_newest_upload_of_a_name_counts(recognised, write):
    class_ = recognised(ILIAS, write)
    assert [placed.found.id for placed in class_.placed] == ["4711", "4712"]
    assert handed(class_, "4711") == {"doubling (10).py": "tenth", "extra.py": "of it too"}
    assert class_.placed[0].found.submitters[0].name == "Ada Example"
    assert "an older upload of the same name was not read: doubling.py" in remarks(class_, "4711")


def test_ilias_marks_who_was_late(recognised):
    class_ = recognised(ILIAS)
    assert "late" in remarks(class_, "4712")
    assert handed(class_, "4712")["doubling.py"] == RIGHT


def test_one_folder_of_four_words_is_no_download_of_ilias(recognised):
    assert recognised({"a_b_c_1/doubling.py": RIGHT}).placed[0].found.id == "a_b_c_1"


MOODLE = {
    "Ada Example_12345_assignsubmission_file/doubling.py": "one",
    "Ada Example_12345_assignsubmission_file_/doubling.py": "other",
    "Bo Example_12346_assignsubmission_file/doubling.py": RIGHT,
}


def test_two_folders_of_moodle_for_one_participant_are_refused_and_listed(recognised):
    with pytest.raises(AssignmentError, match=r"(?s)12345: Ada Example.*12345: Ada Example.*--attempt 1, 2"):
        recognised(MOODLE)


def test_an_attempt_by_number_settles_what_has_no_time(recognised):
    assert handed(recognised(MOODLE, attempt=2), "12345") == {"doubling.py": "other"}
    assert handed(recognised(MOODLE, attempt=1), "12345") == {"doubling.py": "one"}


CANVAS = {
    "exampleada_12001_889901_doubling-1.py": "second",
    "exampleada_12001_889955_doubling-2.py": "third",
    "exampleada_12001_88990_doubling.py": "first",
    "exampleada_12001_889956_extra.py": "beside it",
    "examplebo_LATE_12002_889902_doubling.py": RIGHT,
}


def test_of_canvas_copies_the_file_with_the_highest_id_counts(recognised):
    class_ = recognised(CANVAS)
    assert handed(class_, "12001") == {"doubling-2.py": "third", "extra.py": "beside it"}
    assert "an older upload was not read: doubling.py (file 88990 of Canvas)" in remarks(class_, "12001")


TIMED = r"(?P<id>\d+)-\d+ - (?P<name>[^-]+) - (?P<time>.*)"
UNTIMED = r"(?P<id>\d+)-\d+ - (?P<name>[^-]+) - .*"


def test_a_regex_with_a_time_takes_the_newest(recognised):
    assert handed(recognised(without_index(), name_regex=TIMED), "12345") == {"doubling.py": "oct 10"}


def test_a_regex_without_a_time_refuses_two_attempts_and_lists_both(recognised):
    with pytest.raises(AssignmentError, match=r"(?s)Oct 3.*Oct 10.*\(\?P<time>"):
        recognised(without_index(), name_regex=UNTIMED)


def test_a_time_in_no_known_format_is_refused_with_those_that_are(recognised):
    with pytest.raises(AssignmentError, match=r"the time `soon`.*Oct 03, 2026 11:02 AM"):
        recognised({"1-2 - A - soon/doubling.py": RIGHT}, name_regex=TIMED)


def test_files_with_names_of_their_own_are_parts_of_one_attempt(recognised):
    files = {"ada-doubling.py": RIGHT, "ada-extra.py": "y = 1\n"}
    assert handed(recognised(files, name_regex="(?P<id>[a-z]+)-(?P<file>.+)"), "ada").keys() == {
        "doubling.py",
        "extra.py",
    }


def test_files_with_one_name_are_attempts(recognised):
    files = {"ada-1-doubling.py": RIGHT, "ada-2-doubling.py": WRONG}
    pattern = r"(?P<id>[a-z]+)-(?P<attempt>\d)-(?P<file>.+)"
    with pytest.raises(AssignmentError, match="several attempts"):
        recognised(files, name_regex=pattern)
    assert handed(recognised(files, name_regex=pattern, attempt=2), "ada") == {"doubling.py": WRONG}


def test_two_attempts_in_the_same_minute_have_no_order(recognised):
    files = {f"1-1 - {name} - Oct 3, 2026 1102 AM/doubling.py": RIGHT for name in ("A", "B")}
    with pytest.raises(AssignmentError, match="several attempts"):
        recognised(files, name_regex=TIMED)


@pytest.mark.parametrize(
    ("text", "hour", "minute"), [("112 AM", 1, 12), ("1112 AM", 11, 12), ("1200 AM", 0, 0), ("1:02 PM", 13, 2)]
)
def test_a_clock_without_a_colon_is_read_from_the_right(text, hour, minute):
    at = moment(f"Oct 3, 2026 {text}")
    assert at is not None
    assert (at.hour, at.minute) == (hour, minute)


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_orders_october_3_before_october_10(form):
    import datetime

    days = [datetime.datetime(2026, 10, day, 9, 5).strftime(form) for day in (3, 10)]
    first, second = map(moment, days)
    assert first is not None
    assert second is not None
    assert first < second


@pytest.mark.parametrize("text", ["", "x" * 10_000, "32 October, 2026 900 AM", "2026-13-01"])
def test_what_is_no_time_is_none(text):
    assert moment(text) is None


def test_the_best_attempt_leaves_every_attempt_to_be_graded(recognised):
    (ada, bo) = recognised(BRIGHTSPACE, attempt=AttemptChoice.BEST).placed
    assert [each.parts[0].path.rpartition(" - ")[2] for each in ada.attempts] == [
        "Oct 3, 2026 1102 AM",
        "Oct 10, 2026 902 AM",
    ]
    assert bo.attempts == ()


@pytest.mark.parametrize("text", ["0", "-1", "newest", "1.5"])
def test_an_attempt_that_is_none_of_the_choices_is_refused(text):
    from click.testing import CliRunner

    answer = CliRunner().invoke(command, [".", "--out", "x", "--attempt", text])
    assert answer.exit_code == 2
    assert "is not latest, first, best or a number" in answer.output


def test_the_kinds_can_be_insisted_on(recognised):
    assert recognised({"a_b_c_1/doubling.py": RIGHT}, kind=SourceKind.ILIAS).placed[0].found.id == "1"


def without_index():
    return {name: text for name, text in BRIGHTSPACE.items() if name.startswith("12345")}


def test_everybody_whose_attempts_have_no_order_is_listed(recognised):
    files = {f"{user}-{n} - Student - soon {n}/doubling.py": RIGHT for user in ("1", "2") for n in ("1", "2")}
    with pytest.raises(AssignmentError, match=r"(?s)1: Student.*2: Student|\b1: .*\b2: "):
        recognised(files, name_regex=r"(?P<id>\d+)-\d+ - .*")
