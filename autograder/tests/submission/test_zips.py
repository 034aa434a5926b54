"""A zip is read whoever made it; a bomb stays folded, and a damaged one is said to be damaged."""

import io
import stat
import struct
import zipfile

import pytest

from autograder.errors import SubmissionError

from ..support.taken import ENGINE, OTHER, engine, flagged, titles, zipped


@pytest.fixture
def take_zip(take, tmp_path):
    def from_(data, name="handed.zip"):
        (tmp_path / name).write_bytes(data)
        return take(tmp_path / name)

    return from_


@pytest.mark.parametrize(
    "path", ["engine.py", "top/engine.py", "./top//engine.py", "top\\engine.py", "a\\b\\Engine.py"]
)
def test_a_zip_is_read_whoever_made_it(take_zip, path):
    assert engine(take_zip(zipped({path: ENGINE}))) == ENGINE


def test_a_zip_is_known_by_its_content(take_zip):
    assert take_zip(zipped({"engine.py": ENGINE}), "smithbob_340934_208490284_upload").files == ("engine.py",)


def test_folders_extracted_from_a_zip_made_on_windows_are_understood(take):
    assert take({"hw\\engine.py": ENGINE, "hw\\ops.py": OTHER}).files == ("engine.py", "ops.py")


def test_a_zip_that_was_zipped_again_is_opened_once(take_zip):
    assert take_zip(zipped({"hw/again.zip": zipped({"engine.py": ENGINE})})).files == ("engine.py",)


def test_a_zip_within_a_zip_within_a_zip_is_not_opened(take_zip):
    innermost = zipped({"engine.py": ENGINE})
    with pytest.raises(SubmissionError, match=r"no engine\.py was found"):
        take_zip(zipped({"b.zip": zipped({"c.zip": innermost})}))


def test_a_zip_in_a_folder_without_python_files_is_opened(take):
    assert take({"hw.zip": zipped({"engine.py": ENGINE})}).files == ("engine.py",)


def test_a_zip_beside_python_files_is_not_opened_and_named(take):
    submission = take({"engine.py": ENGINE, "more.zip": zipped({"ops.py": OTHER})})
    assert submission.files == ("engine.py",)
    assert "Not opened: more.zip" in titles(submission)


@pytest.mark.parametrize(
    "path", ["../engine.py", "/engine.py", "a/../../engine.py", "..\\engine.py", "C:\\hw\\engine.py"]
)
def test_a_member_that_leads_outside_is_left_out_and_flagged(take_zip, path):
    submission = take_zip(zipped({"engine.py": ENGINE, path: OTHER}))
    assert engine(submission) == ENGINE
    assert "leads out of the submission" in flagged(submission)


def test_a_link_in_a_zip_is_left_out(take_zip):
    link = zipfile.ZipInfo("extra.py")
    link.create_system = 3
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as made:
        made.writestr(link, "/etc/passwd")
        made.writestr("engine.py", ENGINE)
    submission = take_zip(stream.getvalue())
    assert submission.files == ("engine.py",)
    assert "extra.py: a link" in flagged(submission)


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_of_two_members_with_one_name_the_last_counts_and_staff_are_told(take_zip):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as made:
        made.writestr("engine.py", OTHER)
        made.writestr("engine.py", ENGINE)
    submission = take_zip(stream.getvalue())
    assert engine(submission) == ENGINE
    assert "handed in twice" in flagged(submission)


def test_an_encrypted_zip_is_answered_with_what_to_do(take_zip):
    data = bytearray(zipped({"engine.py": ENGINE}))
    data[data.index(b"PK\x01\x02") + 8] |= 1
    with pytest.raises(SubmissionError, match="protected by a password; make the zip without one"):
        take_zip(bytes(data))


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_method_that_unfolds_without_bound_is_refused(take_zip, method):
    with pytest.raises(SubmissionError, match="packed in an unusual way"):
        take_zip(zipped({"engine.py": ENGINE}, method))


@pytest.mark.parametrize("keep", [slice(-6), slice(0, 20), slice(30, None)])
def test_a_damaged_zip_is_said_to_be_damaged(take_zip, keep):
    with pytest.raises(SubmissionError, match="is damaged"):
        take_zip(zipped({"engine.py": ENGINE * 50})[keep])


def test_a_member_whose_bytes_changed_is_said_to_be_damaged(take_zip):
    data = zipped({"engine.py": ENGINE}, zipfile.ZIP_STORED).replace(b"Value", b"Valve", 1)
    with pytest.raises(SubmissionError, match=r"damaged: engine\.py in it cannot be read"):
        take_zip(data)


def test_a_bomb_stays_folded(take_zip):
    with pytest.raises(SubmissionError, match="larger than 1 MiB"):
        take_zip(zipped({"engine.py": b"\0" * (64 << 20)}))


@pytest.mark.parametrize("claimed", [10, 1 << 19])
def test_a_bomb_that_lies_about_its_size_stays_folded(take_zip, claimed):
    data = bytearray(zipped({"engine.py": b"\0" * (64 << 20)}))
    struct.pack_into("<L", data, data.index(b"PK\x01\x02") + 24, claimed)
    with pytest.raises(SubmissionError, match="is damaged"):
        take_zip(bytes(data))


def test_a_directory_of_a_hundred_thousand_names_is_refused_before_it_is_read(take_zip, monkeypatch):
    monkeypatch.setattr(zipfile, "ZipFile", None)  # reading it would fail
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 0xFFFF, 0xFFFF, 46 << 16, 0, 0)
    with pytest.raises(SubmissionError, match="more files than any homework"):
        take_zip(b"PK\x03\x04" + end)


def test_a_64_bit_directory_that_overrides_small_numbers_is_refused(take_zip):
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 1, 1, 46, 0, 0)
    wide = struct.pack("<4sQ2H2L4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, 1, 1, 1 << 30, 4)
    with pytest.raises(SubmissionError, match="more files than any homework"):
        take_zip(b"PK\x03\x04" + wide + struct.pack("<4sLQL", b"PK\x06\x07", 0, 4, 1) + end)


def test_of_two_zips_none_is_opened(take):
    packed = zipped({"engine.py": ENGINE})
    with pytest.raises(SubmissionError, match="opened only when it is a zip and nothing else is there"):
        take({"first.zip": packed, "second.zip": packed})


def test_a_zip_in_a_zip_in_a_zip_is_answered_with_how_deep_they_are_opened(take):
    packed = zipped({"b.zip": zipped({"engine.py": ENGINE})})
    with pytest.raises(SubmissionError, match="and none inside that"):
        take({"a.zip": packed})


def test_what_was_left_out_is_not_taken_for_the_file_that_is_missing(take):
    with pytest.raises(SubmissionError, match=r"no engine\.py was found"):
        take({"zebra.so": b"", "notes.txt": b""})
