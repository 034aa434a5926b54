"""Names and numbers that students choose never make their work another's, or another's theirs."""

import pytest

from autograder.errors import AssignmentError
from autograder.regrade.sources.kinds import SourceKind

from ..support.exports import RIGHT, WRONG, write_zip


def ids(class_):
    return {placed.found.id: placed.delivery().files[0].data.decode() for placed in class_.placed}


def test_a_name_that_holds_numbers_does_not_take_anothers_place_in_canvas(recognised):
    forged = {"ada_111_5000_doubling.py": RIGHT, "ada_111_999_340934_208490284_doubling.py": WRONG}
    with pytest.raises(AssignmentError, match=r"of user 111, who handed in ada_111_5000_doubling.py, or of user 3"):
        recognised(forged)


def test_two_names_for_one_user_of_canvas_are_refused(recognised):
    with pytest.raises(AssignmentError, match="user 111 has two names"):
        recognised({"ada_111_5000_doubling.py": RIGHT, "bob_111_999_340934_208490284_doubling.py": WRONG})


def test_a_file_whose_name_holds_numbers_stays_its_students(recognised):  # the control: most such names are honest
    class_ = recognised({"ada_111_5000_week_1_2_doubling.py": RIGHT, "bob_2_3_doubling.py": WRONG})
    assert ids(class_) == {"111": RIGHT, "2": WRONG}
    assert any("could be that of user 1 as well" in remark for remark in class_.placed[1].found.remarks)


def test_a_student_called_anon_takes_no_anonymous_place(recognised):
    class_ = recognised({"anon_zzz_340934_208490284_doubling.py": WRONG, "bob_2_3_doubling.py": RIGHT})
    assert ids(class_) == {"340934": WRONG, "2": RIGHT}


def test_an_anonymous_file_whose_name_holds_numbers_stays_its_students(recognised):
    class_ = recognised({"anon_k2_208490287_5_6_doubling.py": RIGHT, "anon_z9_208490288_doubling.py": WRONG})
    assert ids(class_) == {"k2": RIGHT, "z9": WRONG}


@pytest.mark.parametrize("file", ["x_5_assignsubmission_file_doubling.py", "5_5_doubling.py"])
def test_a_file_named_as_moodle_names_things_stays_its_students(recognised, file):
    class_ = recognised({f"Ada_1_assignsubmission_file_{file}": RIGHT, "Bo_5_assignsubmission_file_doubling.py": WRONG})
    assert ids(class_) == {"1": RIGHT, "5": WRONG}


def test_an_id_that_is_made_different_takes_no_other_id(recognised):
    class_ = recognised({f"{name}/doubling.py": name for name in ("Ada", "ada", "ada-2", "a b", "a_b", "a_b-2")})
    assert ids(class_) == {
        "Ada": "Ada",
        "ada-3": "ada",
        "ada-2": "ada-2",
        "a_b": "a b",
        "a_b-3": "a_b",
        "a_b-2": "a_b-2",
    }
    assert any("another's id is ada too" in remark for each in class_.placed for remark in each.found.remarks)


def test_ids_that_are_taken_are_passed_over_one_by_one(recognised):
    class_ = recognised({f"{name}/doubling.py": name for name in ("Ada", "ada", "ada-2", "ada-3", "ada-4")})
    assert ids(class_) == {name: name for name in ("Ada", "ada-2", "ada-3", "ada-4")} | {"ada-5": "ada"}


LONG = f"mallory_{'9' * 300}_1_1003_5003_doubling.py"  # of Canvas; a name in a zip may have 65,535 bytes


def test_a_number_of_300_digits_costs_the_class_nothing(recognised, tmp_path):
    class_ = recognised({"ada_1_5001_doubling.py": RIGHT, LONG: WRONG}, write=write_zip, name="canvas.zip")
    assert [each.delivery().files[0].data.decode() for each in class_.placed] == [RIGHT, WRONG]
    for each in class_.placed:
        (tmp_path / f".{each.found.id}.json.12345678").touch()  # as a file that is being written


def test_no_file_can_have_that_number_for_its_name(tmp_path):  # the control
    with pytest.raises(OSError, match="name too long"):
        (tmp_path / f"{'9' * 300}.json").touch()


@pytest.mark.parametrize("key", ["submission_../../evil", "submission_/evil", "submission_..", "submission_a\\..\\b"])
def test_what_metadata_calls_a_submission_leads_nowhere(recognised, key):
    metadata = f'"{key}":\n  :submitters:\n  - :name: Mallory\n'
    class_ = recognised({"submission_metadata.yml": metadata}, kind=SourceKind.GRADESCOPE)
    assert [each.found.id for each in class_.placed] in ([], ["_"])


def test_what_metadata_calls_a_submission_is_its_id_otherwise(recognised):  # the control
    metadata = "submission_7:\n  :submitters:\n  - :name: Ada\n"
    class_ = recognised({"submission_metadata.yml": metadata}, kind=SourceKind.GRADESCOPE)
    assert [each.found.id for each in class_.placed] == ["7"]


@pytest.mark.parametrize("name", ["CON", "nul.py", "com1", "Aux.engine", "LPT9"])
def test_an_id_is_never_the_name_of_a_device(recognised, name):
    class_ = recognised({f"{name}/doubling.py": RIGHT, "ada/doubling.py": WRONG})
    assert sorted(each.found.id for each in class_.placed) == sorted([f"_{name}", "ada"])
