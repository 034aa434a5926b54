"""Names and numbers that students choose never make their work another's, or another's theirs."""

import pytest

from autograder.errors import AssignmentError

from ..support.exports import RIGHT, WRONG


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
