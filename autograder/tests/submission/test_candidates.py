"""The file that counts is found wherever it lies, whatever it is called."""

import pytest

from autograder.errors import SubmissionError

from ..support.taken import ENGINE, OTHER, engine, said, titles, zipped


def test_a_plain_submission_is_copied_without_a_word(take):
    submission = take({"engine.py": ENGINE})
    assert (submission.files, submission.notes, submission.flags) == (("engine.py",), (), ())
    assert engine(submission) == ENGINE


@pytest.mark.parametrize(
    "name", ["engine.py ", " engine.py", "\u00a0engine.py\u00a0", "hw /engine.py ", "hw\\ engine.py "]
)
def test_blanks_at_the_ends_of_a_name_are_not_part_of_it(take, name):
    assert take({"homework.zip": zipped({name: ENGINE})}).files == ("engine.py",)


@pytest.mark.parametrize("name", [".. /engine.py", " /etc/engine.py", " C:/engine.py", "a/ .. /.. /engine.py"])
def test_a_path_that_leads_out_between_blanks_is_refused(take, name):
    with pytest.raises(SubmissionError, match="a path that leads out of the submission"):
        take({"homework.zip": zipped({name: ENGINE})})


@pytest.mark.parametrize(
    "name",
    [
        "homework/engine.py",
        "a/b/c/engine.py",
        "Engine.py",
        "ENGINE.PY",
        "engine (1).py",
        "engine-2.py",
        "engine_v2.py",
        "engine2.py",
        "engine copy.py",
        "engine copy 3.py",
        "engine - Copy (2).py",
        "Copy of engine.py",
        "engine_final.py",
        "engine.py.txt",
        "engine.py.py",
        "smithbob_340934_208490284_engine-1.py",
        "smithbob_LATE_340934_208490284_engine.py",
        "LATE_anon_x9Qz1_208490284_engine.py",
        "Ada Example_4711_assignsubmission_file_engine.py",
        "ps1_ada_attempt_2016-01-30-20-30-10_engine.py",
        "ada_engine.py",
        "homework1.py",
    ],
)
def test_the_engine_is_found_and_the_student_told_which_file_it_is(take, name):
    submission = take({name: ENGINE})
    assert submission.files == ("engine.py",)
    assert f"{name} was taken as engine.py" in titles(submission)
    assert not submission.flags


@pytest.mark.parametrize("name", ["engine.py", "homework1.py", "smithbob_340934_208490284_engine-1.py"])
def test_a_single_file_is_a_submission(take, tmp_path, name):
    (tmp_path / name).write_bytes(ENGINE)
    assert engine(take(tmp_path / name)) == ENGINE


@pytest.mark.parametrize(
    ("best", "worse"),
    [
        ("engine.py", "Engine.py"),
        ("deep/down/engine.py", "engine (1).py"),
        ("engine.py", "deep/engine.py"),
        ("hw/engine.py", "old/engine.py"),
        ("mine/engine.py", "handout/engine.py"),
        ("Engine.py", "engine (7).py"),
        ("engine (10).py", "engine (9).py"),
        ("engine copy.py", "my_engine.py"),
    ],
)
def test_of_several_candidates_the_best_is_taken_and_the_other_named(take, best, worse):
    submission = take({worse: OTHER, best: ENGINE})
    assert engine(submission) == ENGINE
    assert worse in said(submission)


@pytest.mark.parametrize("name", ["test_engine.py", "engineer.py", "search_engineering.py"])
def test_a_file_that_only_resembles_the_engine_is_not_taken_for_it(take, name):
    with pytest.raises(SubmissionError, match=r"no engine\.py was found among the 2 files"):
        take({name: ENGINE, "main.py": OTHER})


def test_a_name_of_many_digits_costs_no_time(take):
    with pytest.raises(SubmissionError, match=r"no engine\.py"):
        take({"engine" + "1" * 100 + "x.py": b"x = 1\n"})


def test_an_optional_module_needs_its_own_name(take):
    submission = take({"engine.py": ENGINE, "my_nn.py": OTHER})
    assert "nn.py" not in submission.files


def test_an_optional_module_is_taken_beside_the_engine_first(take):
    submission = take({"nn.py": OTHER, "part/engine.py": ENGINE, "part/nn.py": ENGINE})
    assert (submission.directory / "nn.py").read_bytes() == ENGINE


def test_further_modules_beside_the_engine_come_along(take):
    submission = take(
        {"hw/engine.py": ENGINE, "hw/ops.py": OTHER, "hw/inner/__init__.py": b"", "hw/inner/rules.py": OTHER}
    )
    assert submission.files == ("engine.py", "inner/__init__.py", "inner/rules.py", "ops.py")


def test_python_files_elsewhere_are_named_and_not_taken(take):
    submission = take({"hw/engine.py": ENGINE, "else/ops.py": OTHER})
    assert submission.files == ("engine.py",)
    assert "else/ops.py" in said(submission)


def test_a_module_with_the_name_of_a_standard_one_is_left_out(take):
    submission = take({"engine.py": ENGINE, "math.py": OTHER})
    assert submission.files == ("engine.py",)
    assert "math.py was left out" in titles(submission)
