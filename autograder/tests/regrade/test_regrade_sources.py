"""Whatever the learning management system gave is recognised, and nothing of it is trusted."""

import io
import os
import zipfile

import pytest

from autograder.errors import AssignmentError, AutograderError
from autograder.regrade.sources.kinds import SourceKind
from autograder.regrade.sources.recognition import recognise_class

from ..support.exports import METADATA, RIGHT, gradescope_files, write_folder, write_zip

BOTH = pytest.mark.parametrize("write", [write_zip, write_folder])


def found(class_):
    return {placed.found.id: placed.found for placed in class_.placed}


def handed(class_, identity):
    """Return the files that one submission delivers, by name."""
    placed = next(placed for placed in class_.placed if placed.found.id == identity)
    return {file.path: file.data.decode() for file in placed.delivery().files}


@BOTH
def test_a_gradescope_export_tells_whose_each_folder_is(recognised, write):
    class_ = recognised(gradescope_files(), write)
    assert list(found(class_)) == ["9", "216975964"]
    people = [(each.name, each.sid, each.email) for each in found(class_)["216975964"].submitters]
    assert people == [("Ada Example", "06758767", "ada@example.edu"), ("=2+5", "", "second@example.edu")]
    assert handed(class_, "216975964") == {"doubling.py": RIGHT}


def test_a_gradescope_export_carries_the_old_points(recognised):
    old = found(recognised(gradescope_files()))["216975964"].old
    assert (old.score, old.tests) == (1.0, {"double": 0.0, "double of a negative": 1.0})


def test_without_an_old_score_there_is_none(recognised):
    assert found(recognised(gradescope_files()))["9"].old is None


def test_an_entry_without_submitters_is_ignored_and_named(recognised):
    assert any("submission_3 (it has no submitters)" in remark for remark in recognised(gradescope_files()).remarks)


def test_a_submission_that_the_metadata_forgot_is_still_graded(recognised):
    class_ = recognised(gradescope_files() | {"assignment_8046601_export/submission_12/doubling.py": RIGHT})
    assert found(class_)["12"].submitters == ()
    assert handed(class_, "12") == {"doubling.py": RIGHT}


def test_a_submission_whose_folder_is_missing_says_so(recognised):
    files = {name: text for name, text in gradescope_files().items() if "submission_9/" not in name}
    assert "has no such folder" in found(recognised(files, kind=SourceKind.GRADESCOPE))["9"].missing


def test_plain_keys_are_read_like_symbols(recognised):
    plain = METADATA.replace("  :", "  ").replace("- :", "- ").format(first=216975964, second=9)
    class_ = recognised(gradescope_files() | {"assignment_8046601_export/submission_metadata.yml": plain})
    assert found(class_)["9"].submitters[0].sid == "77"


@pytest.mark.parametrize("text", ["submission_9:\n  :submitters: [", "submission_9:\n" + "  - " * 2000 + "x\n"])
def test_metadata_that_is_no_yaml_is_named(recognised, text):
    files = gradescope_files() | {"assignment_8046601_export/submission_metadata.yml": text}
    with pytest.raises(AutograderError, match=r"submission_metadata.yml, submission_9: not the YAML"):
        recognised(files)


def test_metadata_can_make_nothing_but_text(recognised):
    text = "submission_9:\n  :submitters:\n  - :name: !!python/object/apply:os.getcwd []\n    :sid: !ruby/object:X a\n"
    files = gradescope_files() | {"assignment_8046601_export/submission_metadata.yml": text}
    assert found(recognised(files))["9"].submitters[0].sid == "a"


CANVAS = {
    "smithbob_340934_208490284_doubling.py": RIGHT,
    "o_brien2_LATE_340935_208490285_doubling-1.py": RIGHT,
    "übung_LATE_7_8_my (final) v1.2_doubling.py": RIGHT,
    "LATE_anon_x9Qz1_208490286_doubling.py": RIGHT,
    "anon_k2_208490287_doubling.py": RIGHT,
    "smithbob_340934_text.html": "<p>hello</p>",
    "onlytext_55_text.html": "<p>hello</p>",
}


@BOTH
def test_a_canvas_download_is_told_by_its_names(recognised, write):
    class_ = recognised(CANVAS, write)
    assert list(found(class_)) == ["7", "55", "340934", "340935", "k2", "x9Qz1"]
    assert found(class_)["340934"].submitters[0].name == "smithbob"


@pytest.mark.parametrize(("user", "late"), [("340935", True), ("x9Qz1", True), ("7", True), ("340934", False)])
def test_canvas_marks_who_was_late(recognised, user, late):
    assert ("late" in found(recognised(CANVAS))[user].remarks) is late


def test_a_canvas_file_is_handed_over_by_the_students_own_name_for_it(recognised):
    assert handed(recognised(CANVAS), "340935") == {"doubling-1.py": RIGHT}
    assert handed(recognised(CANVAS), "7") == {"my (final) v1.2_doubling.py": RIGHT}


def test_several_attachments_make_one_submission(recognised):
    class_ = recognised(CANVAS | {"smithbob_340934_208490299_extra.py": "y = 1\n"})
    assert handed(class_, "340934") == {"doubling.py": RIGHT, "extra.py": "y = 1\n"}


def test_text_typed_into_canvas_is_no_submission_and_no_zero(recognised):
    assert found(recognised(CANVAS))["55"].missing == "nothing but text or a link was handed in"


MOODLE = {
    "Ada Example_12345_assignsubmission_file/doubling.py": RIGHT,
    "Second Example 2_12346_assignsubmission_file_/sub/doubling.py": RIGHT,
    "Participant_12347_assignsubmission_file/doubling.py": RIGHT,
    "Ada Example_12345_assignsubmission_onlinetext/onlinetext.html": "hello",
    "Third Example_12348_assignsubmission_file_doubling.py": RIGHT,
}


@BOTH
def test_a_moodle_download_is_told_by_its_names(recognised, write):
    class_ = recognised(MOODLE, write)
    names = {each.id: each.submitters[0].name for each in found(class_).values()}
    assert names == {"12345": "Ada Example", "12346": "Second Example 2", "12347": "", "12348": "Third Example"}
    assert handed(class_, "12348") == {"doubling.py": RIGHT}


def test_clones_of_github_classroom_are_named_for_their_users(recognised):
    files = {f"hw3-{user}/{name}": RIGHT for user in ("ada", "b-c") for name in ("doubling.py", ".git/config")}
    class_ = recognised(files, name="hw3-submissions")
    assert list(found(class_)) == ["ada", "b-c"]
    assert handed(class_, "ada") == {"doubling.py": RIGHT}


@BOTH
def test_a_folder_of_folders_is_named_for_its_folders(recognised, write):
    class_ = recognised(
        {f"submissions/s{n}/doubling.py": RIGHT for n in (10, 9)} | {"submissions/notes.txt": ""}, write
    )
    assert list(found(class_)) == ["s9", "s10"]


def test_a_folder_of_files_is_named_for_its_files(recognised):
    names = ("doubling_ada.py", "b_doubling.py", "c.zip", "readme.md")
    class_ = recognised(dict.fromkeys(names, RIGHT))
    assert list(found(class_)) == ["ada", "b", "c"]
    assert any("readme.md" in remark for remark in class_.remarks)


def test_a_source_that_holds_the_homework_itself_is_one_submission(recognised):
    assert list(found(recognised({"doubling.py": RIGHT}, write_zip, "ada.zip"))) == ["ada"]


def test_a_regex_of_ones_own_covers_the_rest(recognised):
    name = "ps1_ada_attempt_2026-01-30-20-30-10_doubling.py"
    class_ = recognised({name: RIGHT, "other.txt": ""}, name_regex=r"ps1_(?P<id>[^_]+)_attempt_[\d-]+_(?P<file>.+)")
    assert handed(class_, "ada") == {"doubling.py": RIGHT}
    assert any("other.txt" in remark for remark in class_.remarks)


@pytest.mark.parametrize(
    ("regex", "words"), [("(", "is not a regular"), ("x", r"needs a group \(\?P<id>"), ("(?P<id>q+)", "matches none")]
)
def test_a_regex_that_cannot_work_is_refused(recognised, regex, words):
    with pytest.raises(AssignmentError, match=words):
        recognised({"a.py": RIGHT}, name_regex=regex)


def test_a_folder_without_anything_like_a_submission_is_refused(recognised):
    with pytest.raises(AssignmentError, match="holds nothing that looks like submissions"):
        recognised({"a.txt": ""})


def test_a_file_that_is_no_zip_is_refused(tmp_path, assignment):
    (tmp_path / "export.zip").write_text("<html>log in first</html>")
    with pytest.raises(AutograderError, match="neither a folder nor a zip"):
        recognise_class([tmp_path / "export.zip"], assignment)


def test_of_two_sources_the_later_one_counts(tmp_path, assignment):
    sources = [write_folder(tmp_path / n, {"s1/doubling.py": text, "s2/doubling.py": text}) for n, text in ("ab", "cd")]
    class_ = recognise_class(sources, assignment)
    assert handed(class_, "s1") == {"doubling.py": "d"}
    assert "taken from c, not from an earlier source" in found(class_)["s1"].remarks


def test_a_late_folder_keeps_the_names_and_the_old_points_that_the_export_holds(tmp_path, assignment):
    export = write_zip(tmp_path / "export.zip", gradescope_files())
    late = write_folder(tmp_path / "late", {"216975964/doubling.py": "late"})
    before, after = (found(recognise_class(sources, assignment))["216975964"] for sources in ([export], [export, late]))
    assert before.submitters
    assert before.old
    assert (after.submitters, after.old) == (before.submitters, before.old)
    assert handed(recognise_class([export, late], assignment), "216975964") == {"doubling.py": "late"}


def test_names_that_differ_in_case_alone_become_files_that_do_not(recognised):
    ids = [identity.casefold() for identity in found(recognised({"Ada/doubling.py": RIGHT, "ada/doubling.py": RIGHT}))]
    assert len(set(ids)) == 2


@pytest.mark.parametrize("name", ["..", "../../etc/x", "a/b", "\udcff\udcfe", "x" * 300, "CON\n", ".hidden"])
def test_an_id_is_always_a_harmless_file_name(name):
    from autograder.regrade.sources.found import identity

    made = identity(name)
    assert made
    assert not set(made) & set("/\\\n\0")
    assert not made.startswith(".")
    assert len(made.encode()) <= 100


def test_a_link_in_a_folder_is_not_followed(tmp_path, recognised):
    write_folder(tmp_path / "source", {"s1/doubling.py": RIGHT})
    (tmp_path / "source" / "s2").symlink_to("/etc")
    class_ = recognised({})
    assert list(found(class_)) == ["s1"]
    assert any("s2 (a link)" in remark for remark in class_.remarks)


def test_a_name_that_is_no_utf_8_is_read_and_spelt_out(tmp_path, recognised):
    write_folder(tmp_path / "source", {"s1/doubling.py": RIGHT})
    with open(os.fsencode(tmp_path / "source" / "s1") + b"/\xff.py", "w") as file:  # noqa: PTH123 - pathlib takes no bytes
        file.write("z = 1\n")
    assert "\\udcff.py" in handed(recognised({}), "s1")


@pytest.mark.parametrize("name", ["../s1/doubling.py", "/etc/doubling.py", "C:\\s1\\doubling.py"])
def test_a_member_that_leads_out_of_the_zip_is_in_no_submission(tmp_path, assignment, name):
    path = write_zip(tmp_path / "class.zip", {"s1/doubling.py": RIGHT, name: "bad = 1\n"})
    class_ = recognise_class([path], assignment)
    assert handed(class_, "s1") == {"doubling.py": RIGHT}


def test_of_two_members_with_one_name_the_last_counts_and_staff_hear_of_it(tmp_path, assignment):
    with zipfile.ZipFile(tmp_path / "class.zip", "w") as archive:
        archive.writestr("s1/doubling.py", RIGHT)
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("s1/doubling.py", "second = 1\n")
    class_ = recognise_class([tmp_path / "class.zip"], assignment)
    assert handed(class_, "s1") == {"doubling.py": "second = 1\n"}
    assert class_.placed[0].delivery().left_out[0].path == "doubling.py"


def test_a_bomb_in_the_zip_of_a_class_stays_folded(tmp_path, assignment):
    with zipfile.ZipFile(tmp_path / "class.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("s1/doubling.py", RIGHT)
        archive.writestr("s2/doubling.py", b"#" * (64 << 20))
    class_ = recognise_class([tmp_path / "class.zip"], assignment)
    delivery = next(placed for placed in class_.placed if placed.found.id == "s2").delivery()
    assert delivery.files == ()
    assert "larger than" in delivery.left_out[0].why


def test_a_zip_within_the_zip_is_opened_when_it_is_all_there_is(tmp_path, assignment):
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as archive:
        archive.writestr("homework/doubling.py", RIGHT)
    with zipfile.ZipFile(tmp_path / "canvas.zip", "w") as archive:
        archive.writestr("smithbob_340934_208490284_BobsWork.zip", inner.getvalue())
    assert handed(recognise_class([tmp_path / "canvas.zip"], assignment), "340934") == {"homework/doubling.py": RIGHT}


def test_a_damaged_zip_is_that_students_result_and_nobody_elses(tmp_path, assignment):
    write_folder(
        tmp_path / "class", {"smithbob_1_2_work.zip": "PK\x03\x04 broken", "adaexample_2_3_doubling.py": RIGHT}
    )
    class_ = recognise_class([tmp_path / "class"], assignment)
    deliveries = [placed.delivery() for placed in class_.placed]
    assert "damaged" in deliveries[0].unreadable
    assert deliveries[1].files


@pytest.mark.parametrize("change", [{"doubling.py": "x = 1\n"}, {"extra.py": ""}, {"note.txt": ""}])
def test_whatever_could_change_a_grade_changes_the_digest(tmp_path, assignment, change):
    digests = set()
    for name, files in (("a", {}), ("b", change)):
        write_folder(tmp_path / name, {f"s1/{file}": text for file, text in ({"doubling.py": RIGHT} | files).items()})
        digests.add(recognise_class([tmp_path / name], assignment).placed[0].delivery().digest)
    assert len(digests) == 2
