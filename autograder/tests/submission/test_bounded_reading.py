"""Caps hold before work: what is handed in costs no more than its size allows.

Each attack stands beside its control: what it would cost without the cap.
"""

import contextlib
import io
import os
import unicodedata
import zipfile
import zlib

import pytest

from autograder.errors import SubmissionError, UnreadError
from autograder.model import Note
from autograder.submission.apart import read_apart
from autograder.submission.archive import archive_entries
from autograder.submission.folder import folder_entries
from autograder.submission.intake import (
    BINARY,
    DEEP,
    LARGE,
    MAX_DEPTH,
    MAX_ENTRIES,
    MAX_SOURCE_BYTES,
    MAX_TOTAL_BYTES,
    LeftOut,
    Upload,
    UploadEntry,
    filter_entries,
    tidy,
)
from autograder.submission.selection import _left_out_notes
from autograder.submission.submission import read_upload

from ..support import zips

LONG_NAMES = [
    "e" + "\u0315\u0300" * 16_000 + ".py",
    "a/" * 30_000 + "engine.py",
    "./" * 30_000 + "engine.py",
    "x" * 60_000 + ".py",
]


class Counted:
    """Entries that count how many bytes are read of them."""

    def __init__(self):
        self.reads = []

    def entry(self, path, size=10):
        def read(limit):
            self.reads.append(path)
            return b"#" * min(size, limit + 1)

        return UploadEntry(path, size, read)


class CountedFile(io.BytesIO):
    """A zip that counts how many bytes are read of it."""

    taken = 0

    def read(self, size=-1):
        data = super().read(size)
        self.taken += len(data)
        return data


# One name many times.


def test_of_many_members_with_one_name_only_the_last_is_read():
    counted = Counted()
    taken = filter_entries([counted.entry("engine.py", 10 + n % 2) for n in range(20_000)])
    assert counted.reads == ["engine.py"]
    assert len(taken.files[0].data) == 11


@pytest.mark.slow
def test_of_fifty_thousand_members_of_one_name_one_is_unfolded():
    file = CountedFile(zips.of_one_name(b"engine.py", b"#" * 4096, MAX_ENTRIES))
    entries = archive_entries(file, "homework.zip")
    before = file.taken
    assert [taken.data for taken in filter_entries(entries).files] == [b"#" * 4096]
    assert file.taken - before < 10_000
    assert sum(entry.size for entry in entries) > 20 * MAX_TOTAL_BYTES  # the control: what all of them unfold to


# Numbers that lie.


@pytest.mark.parametrize("claimed", [0, 1, MAX_ENTRIES])
def test_a_directory_that_claims_fewer_members_than_it_lists_is_refused_all_the_same(claimed):
    data = zips.of_one_member(b"engine.py", b"", MAX_ENTRIES + 1, claimed)
    assert (
        len(zipfile.ZipFile(io.BytesIO(data)).infolist()) == MAX_ENTRIES + 1
    )  # the control: zipfile counts for itself
    with pytest.raises(SubmissionError, match="more than 50000 files"):
        filter_entries(archive_entries(io.BytesIO(data), "homework.zip"))


def test_members_that_lie_in_each_other_are_counted_as_they_are_read():
    names = [f"part{n}.py" for n in range(200)]
    data = zips.overlapping(names, b"#" * 900_000)
    file = CountedFile(data)
    entries = archive_entries(file, "homework.zip")
    with pytest.raises(SubmissionError, match=r"more than 8 MiB|is damaged"):  # newer versions of zipfile see it
        filter_entries(entries)
    assert file.taken < 12 << 20
    assert len(data) < 1 << 20  # the control: a zip of less than a megabyte
    assert sum(entry.size for entry in entries) > 170 << 20


def test_members_that_lie_in_each_other_can_be_unfolded_where_zipfile_does_not_look():  # the control
    data = zips.overlapping(["first.py", "second.py"], b"# the same bytes\n")
    first, second = reversed(zipfile.ZipFile(io.BytesIO(data)).infolist())
    assert data[first.header_offset :].count(b"# the same bytes\n") == 1
    assert second.header_offset < first.header_offset + first.compress_size


def test_a_member_that_unfolds_to_nothing_is_not_read_to_its_end():
    nothing = b"\0\0\0\xff\xff" * (4 << 20)  # empty blocks: twenty megabytes of them
    assert zlib.decompressobj(-zlib.MAX_WBITS).decompress(nothing) == b""  # the control: none of it comes out
    data = zips.local(b"engine.py", nothing, b"x" * 10, zips.DEFLATED)
    lines = [zips.listed(b"engine.py", len(nothing), b"x" * 10, 0, zips.DEFLATED)]
    file = CountedFile(zips.whole(data, lines))
    with pytest.raises(SubmissionError, match="is damaged"):
        filter_entries(archive_entries(file, "homework.zip"))
    assert file.taken < 1 << 20


def test_without_that_rule_it_would_be_read_to_its_end():  # the control
    nothing = b"\0\0\0\xff\xff" * (1 << 18)
    data = zips.local(b"engine.py", nothing, b"x" * 10, zips.DEFLATED)
    lines = [zips.listed(b"engine.py", len(nothing), b"x" * 10, 0, zips.DEFLATED)]
    file = CountedFile(zips.whole(data, lines))
    with zipfile.ZipFile(file).open("engine.py") as member, contextlib.suppress(zipfile.BadZipFile, EOFError):
        member.read(11)
    assert file.taken > len(nothing)


# Names.


@pytest.mark.parametrize("name", LONG_NAMES, ids=["marks", "folders", "dots", "letters"])
def test_a_name_of_sixty_kilobytes_is_cut_before_it_is_composed(name):
    assert len(tidy(name)) <= 513


@pytest.mark.slow
def test_a_hundred_names_of_sixty_kilobytes_of_marks_are_refused_at_once():
    names = [str(number).encode() + b"e" + "\u0315\u0300".encode() * 16_000 + b".py" for number in range(100)]

    def take():
        left_out = filter_entries(archive_entries(io.BytesIO(zips.of_names(names)), "homework.zip")).left_out
        return b"".join({item.why.encode() for item in left_out})

    assert read_apart(take, 20.0) == DEEP.encode()
    with pytest.raises(UnreadError):  # the control: composing each of them takes a minute or two
        read_apart(lambda: "".join(unicodedata.normalize("NFC", name.decode()) for name in names).encode(), 0.5)


def test_a_run_of_marks_that_no_name_has_is_not_composed():
    name = "e" + "\u0315\u0300" * 100 + ".py"
    assert tidy(name) == name
    assert unicodedata.normalize("NFC", name) != name  # the control: composing it would change it


def test_names_that_people_write_are_composed():  # the control: what the cap must not change
    assert tidy("e\u0301.py") == "\u00e9.py"
    assert tidy(unicodedata.normalize("NFD", "h\u1ecdc/b\u00e0i t\u1eadp \ud55c\uae00.py")) == (
        "h\u1ecdc/b\u00e0i t\u1eadp \ud55c\uae00.py"
    )


def test_dots_in_a_path_do_not_hide_its_name():
    assert tidy("./" * 400 + "engine.py") == "engine.py"


def test_tens_of_thousands_of_names_that_are_left_out_make_a_note_in_a_moment():
    left_out = tuple(LeftOut(f"{'x' * 90}{number}.so", BINARY) for number in range(MAX_ENTRIES))
    handed = Upload(names=(), files=(), left_out=left_out, archives=())

    def note():
        [found] = _left_out_notes(handed)
        assert isinstance(found, Note)
        return found.text.encode()

    assert read_apart(note, 20.0).endswith(b"and 49992 more (compiled code, or a file that changes how Python starts)")


@pytest.mark.slow
def test_an_environment_of_fifty_thousand_files_is_left_out_in_a_moment():
    counted = Counted()
    deep = "/".join("abcdefghij")
    paths = ["env/pyvenv.cfg", "engine.py", *(f"env/{deep}/m{n}.py" for n in range(MAX_ENTRIES - 2))]

    def names():
        return "".join(filter_entries([counted.entry(path) for path in paths]).names).encode()

    assert read_apart(names, 20.0) == b"engine.py"


def test_too_many_files_are_refused_before_one_is_read():
    counted = Counted()
    with pytest.raises(SubmissionError, match="more than 300 Python files"):
        filter_entries(counted.entry(f"m{n}.py") for n in range(301))
    assert counted.reads == []


def test_a_listing_without_end_is_left_at_the_cap():
    counted = Counted()
    endless = (counted.entry(f"m{n}.py") for n in iter(int, 1))
    with pytest.raises(SubmissionError, match="more than 50000 files"):
        filter_entries(endless)


# Folders.


def test_a_file_that_is_too_large_is_not_read():
    counted = Counted()
    taken = filter_entries([counted.entry("engine.py", MAX_SOURCE_BYTES + 1)])
    assert [(item.path, item.why) for item in taken.left_out] == [("engine.py", LARGE)]
    assert counted.reads == []


@pytest.mark.parametrize("name", ["engine.py", "homework.zip"])
def test_a_file_of_a_terabyte_that_takes_no_place_on_disk_is_not_read(tmp_path, name):
    folder = tmp_path / "submission"
    folder.mkdir()
    with (folder / name).open("wb") as file:
        file.truncate(1 << 40)
    status = (folder / name).stat()
    assert status.st_size > 1 << 39 > status.st_blocks * 512  # the control: there is that much to read, out of nothing

    def outcome():
        try:
            return b"".join(item.why.encode() for item in read_upload(folder).left_out)
        except SubmissionError as problem:
            return str(problem).encode()

    assert b"is larger than" in b"is " + read_apart(outcome, 20.0)


def test_what_grows_while_it_is_read_is_read_up_to_the_cap(tmp_path):
    (tmp_path / "engine.py").write_bytes(b"")
    [entry] = folder_entries(tmp_path)
    with (tmp_path / "engine.py").open("wb") as file:
        file.truncate(1 << 40)
    assert entry.size == 0  # the control: what was listed says nothing
    assert len(entry.read(MAX_SOURCE_BYTES)) == MAX_SOURCE_BYTES + 1


def test_folders_in_folders_are_entered_up_to_the_cap(tmp_path):
    here = os.open(tmp_path, os.O_RDONLY)
    for _ in range(150):
        os.mkdir("d", dir_fd=here)
        below = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(os.open("engine.py", os.O_WRONLY | os.O_CREAT, dir_fd=here))
    os.close(here)
    assert sum(bool(folders) for _, folders, _ in os.walk(tmp_path)) == 150  # the control: they are there
    [entry] = folder_entries(tmp_path)
    assert (entry.path.count("/"), entry.refusal) == (MAX_DEPTH, DEEP)


def test_a_folder_that_links_to_itself_is_not_entered(tmp_path):
    (tmp_path / "again").symlink_to(tmp_path)
    (tmp_path / "engine.py").write_text("x = 1\n")
    assert (tmp_path / "again/again/again/engine.py").is_file()  # the control: a reader that follows it finds no end
    assert [entry.path for entry in folder_entries(tmp_path)] == ["again", "engine.py"]
