"""What a student names decides nothing: not the kind of a source, and not whose work is graded."""

import pytest

from autograder.commands import regrade
from autograder.errors import AssignmentError, AutograderError
from autograder.regrade.records.tables import write_ignored
from autograder.regrade.sources import metadata
from autograder.regrade.sources.kinds import SourceKind

from ..support.exports import RIGHT, WRONG, gradescope_files, write_folder, write_zip

BOTH = pytest.mark.parametrize("write", [write_zip, write_folder])
FORGED = """submission_1:
  :submitters:
  - :name: Mallory
submission_2:
  :submitters:
  - :name: Ada
    :sid: ada
"""
FORGED_EXPORT = {
    "submission_metadata.yml": FORGED,
    "submission_1/doubling.py": RIGHT,
    "submission_2/doubling.py": WRONG,
}
LOOKS_LIKE_A_CLASS = {
    "a Gradescope export": FORGED_EXPORT,
    "a Canvas download": {"ada_1_2_doubling.py": WRONG, "bob_2_3_doubling.py": WRONG},
    "a Moodle download": {f"{n}_1{n}_assignsubmission_file/doubling.py": WRONG for n in "ab"},
    "clones of GitHub Classroom": {f"hw-{n}/{file}": WRONG for n in "ab" for file in ("doubling.py", ".git/config")},
    "a folder or a file for each student": {f"{name}/doubling.py": WRONG for name in ("ada", "bob")},
}
ATTACKS = pytest.mark.parametrize("attack", list(LOOKS_LIKE_A_CLASS.values()), ids=list(LOOKS_LIKE_A_CLASS))


def ids(class_):
    return {placed.found.id for placed in class_.placed}


def inside(folder, files):
    return {f"{folder}/{name}": text for name, text in files.items()}


CLASS = {"ada/doubling.py": RIGHT, "bob/doubling.py": RIGHT}


@BOTH
@ATTACKS
def test_what_lies_in_one_students_folder_does_not_decide_what_the_class_is(recognised, write, attack):
    class_ = recognised(CLASS | inside("mallory", attack), write)
    assert ids(class_) == {"ada", "bob", "mallory"}


@BOTH
@ATTACKS
def test_the_same_files_at_the_root_are_a_class(recognised, write, attack):  # the control
    assert len(ids(recognised(attack, write))) == 2


@BOTH
@ATTACKS
def test_the_only_students_folder_is_not_taken_for_a_class_without_being_told(recognised, write, attack):
    with pytest.raises(AssignmentError, match=r"source/mallory can be read in two ways: .*--kind folders"):
        recognised(inside("mallory", attack), write)


@ATTACKS
def test_a_late_folder_with_one_student_grades_that_student(recognised, attack):
    assert ids(recognised(inside("mallory", attack), kind=SourceKind.FOLDERS)) == {"mallory"}


def test_a_folder_deeper_down_is_not_taken_for_a_class_either(recognised):
    with pytest.raises(AssignmentError, match="two ways"):
        recognised(inside("mallory/hw", FORGED_EXPORT))


@pytest.mark.parametrize("folder", ["source", "assignment_8046601_export", "hw1-submissions"])
def test_a_folder_that_an_lms_named_is_entered(recognised, folder):
    assert ids(recognised(inside(folder, FORGED_EXPORT))) == {"1", "2"}


def test_insisting_on_a_kind_enters_a_folder_of_any_name(recognised):
    assert ids(recognised(inside("renamed", FORGED_EXPORT), kind=SourceKind.GRADESCOPE)) == {"1", "2"}


@pytest.mark.parametrize(
    "files",
    [
        CLASS | {"submission_metadata.yml": FORGED},
        {"ada.py": RIGHT, "bob.py": RIGHT, "submission_metadata.yml": FORGED},
        CLASS | {"submission_metadata.yml": FORGED.replace("submission_1", "ada").replace("submission_2", "bob")},
        FORGED_EXPORT | CLASS,
    ],
    ids=["keys without folders", "flat class", "keys that are no numbers", "folders without keys"],
)
def test_metadata_that_does_not_fit_what_lies_beside_it_is_refused_with_both_readings(recognised, files):
    with pytest.raises(AssignmentError, match=r"(?s)--kind gradescope.*--kind folders"):
        recognised(files)


def test_an_insisted_kind_settles_metadata_that_does_not_fit(recognised):
    class_ = recognised(CLASS | {"submission_metadata.yml": FORGED}, kind=SourceKind.FOLDERS)
    assert ids(class_) == {"ada", "bob"}


@pytest.mark.parametrize(
    "files",
    [
        {"doubling.py": WRONG, "ada.py": RIGHT, "bob.py": RIGHT},
        {"doubling.py": WRONG, "ada.zip": "", "bob.zip": ""},
        {"doubling.py": WRONG, **CLASS},
    ],
    ids=["files", "zips", "folders"],
)
def test_a_flat_class_with_a_file_called_as_the_homework_is_refused_with_both_readings(recognised, files):
    with pytest.raises(AssignmentError, match=r"--kind submission.*--kind folders"):
        recognised(files)
    assert len(ids(recognised(files, kind=SourceKind.FOLDERS))) == 3


@BOTH
def test_a_folder_called_as_the_homework_is_one_student_of_the_class(recognised, write):
    class_ = recognised(CLASS | {"doubling.py/doubling.py": WRONG}, write)
    assert ids(class_) == {"ada", "bob", "doubling.py"}


def test_a_submission_with_what_the_handout_gives_is_one_submission(recognised):
    assert ids(recognised({"doubling.py": RIGHT, "conftest.py": "", "notes.txt": ""})) == {"source"}


@pytest.mark.parametrize(
    ("named", "kind"),
    [
        ({"ada_1_2_doubling.py": RIGHT, "x_2_3_doubling.py": WRONG}, "canvas"),
        ({"A_1_assignsubmission_file_doubling.py": RIGHT, "B_2_assignsubmission_file_doubling.py": WRONG}, "moodle"),
    ],
)
def test_names_of_an_lms_beside_other_submissions_leave_nobody_out(recognised, named, kind):
    with pytest.raises(AssignmentError, match=rf"--kind {kind}.*leaves out bob.py"):
        recognised(named | {"bob.py": RIGHT})


def test_a_repository_in_half_of_the_folders_leaves_nobody_out(recognised):
    class_ = recognised(CLASS | {"bob/.git/config": "", "mallory/.git/config": "", "mallory/doubling.py": WRONG})
    assert ids(class_) == {"ada", "bob", "mallory"}


def test_a_submission_that_the_metadata_names_twice_is_refused(recognised):
    with pytest.raises(AutograderError, match="names submission_1 twice"):
        recognised(FORGED_EXPORT | {"submission_metadata.yml": FORGED + FORGED})


def test_an_alias_in_the_metadata_is_refused_before_it_grows(recognised):
    grows = "    :sid: &a [x, x]\n    :email: [*a, *a]\n"
    with pytest.raises(AutograderError, match="alias"):
        recognised(FORGED_EXPORT | {"submission_metadata.yml": FORGED.replace("    :sid: ada\n", grows)})


def test_a_field_of_the_metadata_that_is_not_a_scalar_is_empty(recognised):
    text = FORGED.replace(":sid: ada", ":sid: [ada, {b: c}]")
    class_ = recognised(FORGED_EXPORT | {"submission_metadata.yml": text})
    assert next(each.found for each in class_.placed if each.found.id == "2").submitters[0].sid == ""


def test_a_line_without_end_in_the_metadata_is_refused(recognised):
    with pytest.raises(AutograderError, match="a line is longer than"):
        recognised(FORGED_EXPORT | {"submission_metadata.yml": FORGED + "#" * (5 << 20)})


def test_a_gradescope_export_itself_needs_no_insisting(recognised):
    assert ids(recognised(gradescope_files(), write_zip, "export.zip")) == {"9", "216975964"}


def test_the_option_offers_every_kind():
    option = next(parameter for parameter in regrade.command.params if parameter.name == "kind")
    assert list(option.type.choices) == [kind.value for kind in SourceKind]  # type: ignore[attr-defined]  # a Choice


def sections(write):
    """Write two sections of a class: each is a source by itself."""

    def both(path, files):
        path.mkdir()
        for name, own in files.items():
            write(path / name, own)
        return path

    return both


MOODLES = {
    f"hw-{number}.zip": {f"Student {name}_{number}_assignsubmission_file/doubling.py": RIGHT}
    for number, name in enumerate("ab", 1)
}
PLAIN = {
    "one": {"ada/doubling.py": RIGHT, "eve/doubling.py": RIGHT},
    "two": {"bob/doubling.py": RIGHT, "zed/doubling.py": RIGHT},
}


@pytest.mark.parametrize(("write", "files"), [(write_zip, MOODLES), (write_folder, PLAIN)])
def test_a_folder_of_downloads_is_not_a_class_of_as_many_students(recognised, write, files):
    with pytest.raises(AssignmentError, match="each looks like a whole class: name each of them"):
        recognised(files, sections(write))


def test_one_student_whose_zip_looks_like_a_class_stops_nobody(recognised):
    files = MOODLES | {"ada.zip": {"doubling.py": RIGHT}}
    assert [each.found.id for each in recognised(files, sections(write_zip)).placed] == ["ada", "hw-1", "hw-2"]


def test_students_who_zip_their_repositories_are_students(recognised):
    files = {f"{name}.zip": {"homework/.git/HEAD": "", "homework/doubling.py": RIGHT} for name in ("ada", "bob")}
    assert [each.found.id for each in recognised(files, sections(write_zip)).placed] == ["ada", "bob"]


def test_a_folder_of_downloads_may_be_insisted_on(recognised):
    class_ = recognised(MOODLES, sections(write_zip), kind=SourceKind.FOLDERS)
    assert [each.found.id for each in class_.placed] == ["hw-1", "hw-2"]


def test_all_that_is_ignored_is_named_however_much_it_is(recognised, tmp_path):
    files = {f"notes{number}.txt": "" for number in range(30)} | {"ada/doubling.py": RIGHT, "bob/doubling.py": RIGHT}
    write_ignored(tmp_path, recognised(files).ignored)
    rows = (tmp_path / "ignored.csv").read_text("utf-8").splitlines()
    assert rows[0] == "source,ignored"
    assert len(rows) == 31
    assert {f"notes{number}.txt" for number in range(30)} == {
        row.split(",")[1].split(" ")[0].strip('"') for row in rows[1:]
    }
    write_ignored(tmp_path, ())
    assert not (tmp_path / "ignored.csv").exists()


WRAPPED = {name: {f"submissions/{file}": text for file, text in own.items()} for name, own in MOODLES.items()}


def test_a_download_that_is_wrapped_in_a_folder_is_a_class_too(recognised):
    with pytest.raises(AssignmentError, match="each looks like a whole class"):
        recognised(WRAPPED, sections(write_zip))


def with_zips(path, names):
    """Write one folder that holds a zip of each name, as a student or a system might."""
    (path / "ada").mkdir(parents=True)
    for name in names:
        write_zip(path / f"ada/{name}.zip", {"doubling.py": RIGHT})
    return path


def test_a_folder_of_two_zips_may_be_a_class_and_is_not_taken_for_a_student(recognised):
    with pytest.raises(AssignmentError, match="--kind folders"):
        recognised(["one", "two"], with_zips)


def test_a_folder_of_one_zip_is_that_of_a_student(recognised):
    assert ids(recognised(["one"], with_zips)) == {"ada"}


def test_a_text_beside_the_files_is_a_remark_for_whom_it_stands_beside(recognised):
    files = {
        "exampleada_11_1_doubling.py": RIGHT,
        "exampleada_11_text.html": "<p>done</p>",
        "exampleben_12_2_doubling.py": RIGHT,
        "examplecat_13_link.html": "<p>elsewhere</p>",
    }
    remarks = {placed.found.id: placed.found.remarks for placed in recognised(files).placed}
    assert remarks == {"11": ("a text or a link beside the files was not read",), "12": (), "13": ()}


@pytest.mark.parametrize("name", ["abstract.txt", "zebra.txt"])
def test_a_file_that_no_export_holds_is_named_wherever_it_is_sorted(recognised, name):
    files = gradescope_files() | {f"assignment_8046601_export/{name}": ""}
    assert any(f"{name} (not a folder of a submission)" in remark for remark in recognised(files).remarks)


@pytest.mark.parametrize(("limit", "value"), [("_MAX_BYTES", 400), ("_MAX_SUBMISSIONS", 2), ("_MAX_LINE", 2)])
def test_metadata_beyond_a_limit_is_refused(recognised, monkeypatch, limit, value):
    monkeypatch.setattr(metadata, limit, value)
    with pytest.raises(AutograderError, match=r"is larger than|names more than|a line is longer than"):
        recognised(gradescope_files())
