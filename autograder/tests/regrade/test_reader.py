"""One delivery can cost itself alone: what cannot be read is a row in words, and the others have their grades."""

import contextlib
import csv
import os
import signal
import struct
import time
import zipfile

import msgspec
import pytest
from click.testing import CliRunner

from autograder.cli import main
from autograder.errors import AutograderError, UnreadError
from autograder.regrade.lanes import reader
from autograder.regrade.lanes.frames import Inbox
from autograder.regrade.lanes.messages import ReadReply
from autograder.regrade.lanes.process import Process
from autograder.regrade.sources.recognition import recognise_class
from autograder.regrade.sources.tree import MAX_MEMBERS
from autograder.submission.apart import read_apart

from ..support import zips
from ..support.course import make_course
from ..support.exports import RIGHT, write_folder, write_zip


@pytest.fixture
def regraded(tmp_path):
    """Return a function that grades a class with the command, and returns its rows by id and what it said."""
    course = make_course(tmp_path / "course")

    def regrade(source):
        out = tmp_path / "out"
        answer = CliRunner().invoke(main, ["regrade", str(source), "--out", str(out), "--root", str(course.root)])
        with (out / "grades.csv").open(encoding="utf-8", newline="") as file:
            return {row["id"]: row for row in csv.DictReader(file)}, answer

    return regrade


@pytest.mark.slow
def test_a_class_with_every_hostile_delivery_costs_the_others_nothing(tmp_path, regraded):
    class_ = write_folder(tmp_path / "class", {"ada/doubling.py": RIGHT, "zoe/doubling.py": RIGHT})
    for name in ("deep", "links", "pipe", "sparse"):
        (class_ / name).mkdir()
    os.mkfifo(class_ / "pipe/doubling.py")
    (class_ / "links/doubling.py").symlink_to("/dev/zero")
    with (class_ / "sparse/doubling.py").open("wb") as file:
        file.truncate(1 << 40)
    write_folder(class_ / "deep" / "/".join("d" * 100), {"doubling.py": RIGHT})
    marks = [f"{n}e".encode() + "\u0315\u0300".encode() * 16_000 + b".py" for n in range(100)]
    zips.written(class_ / "marks.zip", zips.of_names(marks))
    zips.written(class_ / "many.zip", zips.of_one_member(b"doubling.py", RIGHT.encode(), 50_001, claimed=1))
    zips.written(class_ / "overlapping.zip", zips.overlapping([f"m{n}.py" for n in range(200)], b"#" * 900_000))
    rows, answer = regraded(class_)
    assert answer.exit_code == 0, answer.output
    assert {identity: row["score"] for identity, row in rows.items() if row["score"] != "0"} == {"ada": "4", "zoe": "4"}
    assert {identity for identity, row in rows.items() if row["status"] == "graded: nothing could run"} == {
        *("deep", "links", "pipe", "sparse", "marks", "many", "overlapping")
    }
    assert "not a regular file" in rows["pipe"]["notes"]
    assert "a link" in rows["links"]["notes"]
    assert "larger than 1 MiB" in rows["sparse"]["notes"]
    assert "more than 50000 files" in rows["many"]["notes"]


@pytest.mark.slow
def test_what_is_not_read_in_time_or_ends_its_reader_has_a_blank_score_and_the_reason(tmp_path, regraded, monkeypatch):
    monkeypatch.setattr(reader, "_new_process", lambda: Process("autograder.tests.support.slow_reader"))
    names = ("ada", "killer", "sleeper", "zoe")
    rows, answer = regraded(write_folder(tmp_path / "class", {f"{name}/doubling.py": RIGHT for name in names}))
    assert [rows[name]["score"] for name in names] == ["4", "", "", "4"]
    assert rows["sleeper"]["status"] == rows["killer"]["status"] == "could not be graded"
    assert "reading it took longer than 2 s" in rows["sleeper"]["notes"]
    assert "could not be read: the reader ended" in rows["killer"]["notes"]
    assert answer.exit_code == 3


def test_with_time_enough_the_same_deliveries_are_read(recognised):  # the control
    class_ = recognised({"sleeper/doubling.py": RIGHT, "zoe/doubling.py": RIGHT})
    with reader.Reader() as own:
        read = [own.delivery(placed).files[0].data.decode() for placed in class_.placed]
    assert read == [RIGHT, RIGHT]


def sleeps(_):
    time.sleep(60)


def ends_itself(_):
    os.kill(os.getpid(), signal.SIGKILL)


def fails(_):
    raise ZeroDivisionError("of nobody's making")


@pytest.mark.parametrize(
    ("delivery", "words"),
    [
        (sleeps, "it could not be read: reading it took longer than 0.3 s"),
        (ends_itself, "it could not be read: the process that read it ended with signal 9"),
        (fails, "it could not be read: ZeroDivisionError: of nobody's making"),
    ],
)
def test_a_reading_that_does_not_end_well_says_so_and_the_next_one_is_read(recognised, monkeypatch, delivery, words):
    [located, other] = recognised({"ada/doubling.py": RIGHT, "zoe/doubling.py": RIGHT}).placed
    requests = [msgspec.msgpack.encode(reader._request(each)) for each in (located, other)]
    of_others = type(located).delivery

    def of_one(one):
        return delivery(one) if one.found.id == located.found.id else of_others(one)

    monkeypatch.setattr(type(located), "delivery", of_one)
    silent, writer = os.pipe()
    with reader.Readings(Inbox(silent), seconds=0.3) as readings:
        refused, read = [msgspec.msgpack.decode(readings.reply_to(each), type=ReadReply) for each in requests]
    os.close(writer)
    os.close(silent)
    assert refused.problem == words
    assert read.delivery is not None
    assert read.delivery.files[0].data.decode() == RIGHT


@pytest.mark.parametrize("write", [write_folder, write_zip])
def test_the_reader_reads_what_the_coordinator_would(tmp_path, assignment, write):
    files = {"class/s1/doubling.py": RIGHT, "class/s1/more/extra.py": "x = 1\n", "class/s2/doubling.py": "y = 2\n"}
    class_ = recognise_class([write(tmp_path / "class", files)], assignment)
    with reader.Reader() as own:
        assert [own.delivery(placed) for placed in class_.placed] == [placed.delivery() for placed in class_.placed]


def test_the_reader_reads_a_name_that_is_no_text(tmp_path, assignment):
    class_ = write_folder(tmp_path / "class", {"s1/doubling.py": RIGHT, "s2/doubling.py": RIGHT})
    os.rename(os.fsencode(class_ / "s1"), os.fsencode(class_) + b"/s\xff")  # noqa: PTH104 - a name of bytes
    placed = recognise_class([class_], assignment).placed
    with reader.Reader() as own:
        assert [own.delivery(each).files[0].data.decode() for each in placed] == [RIGHT, RIGHT]


def test_what_vanishes_before_it_is_read_says_so(recognised, tmp_path):
    [located, _] = recognised({"s1/doubling.py": RIGHT, "s2/doubling.py": RIGHT}).placed
    (tmp_path / "source/s1").rename(tmp_path / "elsewhere")
    with reader.Reader() as own, pytest.raises(UnreadError, match="its files cannot be read: No such file"):
        own.delivery(located)


# The zip of a class.


def directory_of(claimed, size, wide=None):
    """Return the end of a zip that claims so many members in so many bytes, in 64 bits as well where there are any."""
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, claimed, claimed, size, 0, 0)
    if wide is None:
        return b"PK\x03\x04" + end
    record = struct.pack("<4sQ2H2L4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, wide[0], wide[0], wide[1], 4)
    return b"PK\x03\x04" + record + struct.pack("<4sLQL", b"PK\x06\x07", 0, 4, 1) + end


@pytest.mark.parametrize(
    "data",
    [directory_of(1, 1 << 30), directory_of(1, 46, (MAX_MEMBERS + 1, 46)), directory_of(1, 46, (1, 1 << 30))],
    ids=["size", "64-bit members", "64-bit size"],
)
def test_a_directory_that_is_too_large_is_refused_before_it_is_parsed(tmp_path, assignment, monkeypatch, data):
    monkeypatch.setattr(zipfile, "ZipFile", None)  # parsing it would fail
    with pytest.raises(AutograderError, match=r"lists more than .* Unpack it and give the folder"):
        recognise_class([zips.written(tmp_path / "class.zip", data)], assignment)


def test_a_zip_of_one_student_that_claims_too_much_is_not_taken_for_the_classs_own(tmp_path, assignment):
    with zipfile.ZipFile(tmp_path / "class.zip", "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("ada.zip", zips.of_one_member(b"doubling.py", RIGHT.encode(), 1))
        archive.writestr("mallory.zip", directory_of(0xFFFF, 0xFFFFFFF0, (1 << 40, 1 << 40)))
    data = (tmp_path / "class.zip").read_bytes()
    assert b"PK\x06\x06" in data[-(1 << 16) :]  # the control: where the class's own directory is looked for
    ada, mallory = (placed.delivery() for placed in recognise_class([tmp_path / "class.zip"], assignment).placed)
    assert ada.files[0].data.decode() == RIGHT
    assert "more files than any homework" in mallory.unreadable


def test_a_pipe_in_the_place_of_the_metadata_does_not_hold_the_coordinator(tmp_path, assignment):
    export = write_folder(tmp_path / "assignment_1_export", {"submission_1/doubling.py": RIGHT})
    os.mkfifo(export / "submission_metadata.yml")

    def recognise():
        with pytest.raises(AutograderError, match="not a regular file"):
            recognise_class([export], assignment)
        return b"refused"

    assert read_apart(recognise, 20.0) == b"refused"
    with pytest.raises(UnreadError):  # the control: opening it as a file waits for a writer
        read_apart((export / "submission_metadata.yml").read_bytes, 0.3)


def test_metadata_that_is_packed_without_a_bound_is_not_unfolded(tmp_path, assignment):
    with zipfile.ZipFile(tmp_path / "assignment_1_export.zip", "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("submission_metadata.yml", b"\n" * (1 << 20))
        archive.writestr("submission_1/doubling.py", RIGHT)
    with pytest.raises(AutograderError, match="is packed as no system for courses does"):
        recognise_class([tmp_path / "assignment_1_export.zip"], assignment)


@pytest.mark.parametrize(
    "name",
    ["_1" * 250, "1-1 - " + "a - Oct 3, 2026 112 A " * 22, "_" * 500, "x_attempt_2026-01-01-01-01-0" * 18, "a_1" * 160],
    ids=["canvas", "brightspace", "underscores", "blackboard", "ilias"],
)
def test_names_made_to_be_read_in_many_ways_are_read_in_a_moment(tmp_path, assignment, name):
    files = {f"{name}{number}.py": RIGHT for number in range(50)} | {"doubling.py": RIGHT}
    source = write_zip(tmp_path / "class.zip", files)

    def recognise():
        with contextlib.suppress(AutograderError):
            recognise_class([source], assignment)
        return b"done"

    assert read_apart(recognise, 20.0) == b"done"
