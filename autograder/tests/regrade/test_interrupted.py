"""Slips and accidents cost nothing that was finished: another class, a late folder, a full disk, Ctrl-C."""

import os
import resource
import shutil
import signal
import subprocess

import pytest

from autograder.errors import AssignmentError
from autograder.regrade.records.class_report import ClassEntry
from autograder.regrade.records.earlier import check_earlier
from autograder.regrade.records.ledger import Ledger

from ..support.classes import run
from ..support.exports import RIGHT, write_folder
from ..support.regrade_command import PATIENCE

slow = pytest.mark.slow
SLOW = "import time\ntime.sleep(0.3)\n" + RIGHT


@pytest.fixture
def earlier(tmp_path):
    """Leave a class of four in an output directory."""
    with Ledger(tmp_path / "out") as ledger:
        ledger.begin(run(), tuple(ClassEntry(id=name) for name in ("ada", "bob", "eve", "zed")), {})
    return tmp_path / "out"


def test_a_directory_of_another_class_is_refused(earlier):
    with pytest.raises(AssignmentError, match="a class of 4 submissions, and 4 of them are not in these sources: ada"):
        check_earlier(earlier, "micro-autograd", {"216975961", "216975962"})


def test_a_late_folder_by_itself_is_refused(earlier):
    with pytest.raises(AssignmentError, match="3 of them are not in these sources: bob, eve, zed"):
        check_earlier(earlier, "micro-autograd", {"ada"})


def test_a_directory_of_another_assignment_is_refused_even_for_the_same_people(earlier):
    with pytest.raises(AssignmentError, match="of the assignment micro-autograd, not of layers: choose another --out"):
        check_earlier(earlier, "layers", {"ada", "bob", "eve", "zed"})


def test_a_late_folder_that_is_left_out_is_named(earlier):
    said = check_earlier(earlier, "micro-autograd", {"ada", "bob", "eve", "new"})
    assert said.startswith("1 submission of an earlier call is not in these sources and will have no row: zed.")


def test_a_class_that_grew_needs_no_word(earlier, tmp_path):
    assert check_earlier(earlier, "micro-autograd", {"ada", "bob", "eve", "zed", "late"}) == ""
    assert check_earlier(tmp_path / "new", "micro-autograd", {"ada"}) == ""


@pytest.mark.parametrize("name", ["records/.s1.json.x8_ab3f9", ".grades.csv.x8_ab3f9", "feedback/.moodle.zip.x8_ab3f9"])
def test_what_a_killed_call_had_begun_to_write_is_removed_by_the_next(earlier, name):
    (earlier / name).parent.mkdir(exist_ok=True)
    (earlier / name).write_text("half")
    (earlier / "feedback").mkdir(exist_ok=True)
    (earlier / "feedback/.notes.html.old").write_text("a person's")
    Ledger(earlier).close()
    assert not (earlier / name).exists()
    assert (earlier / "feedback/.notes.html.old").exists()
    assert (earlier / "class.json").exists()


@slow
def test_nothing_is_written_over_another_class(regrading):
    write_folder(regrading.source, {"s1/doubling.py": RIGHT})
    assert regrading.run().returncode == 0
    grades = (regrading.out / "grades.csv").read_bytes()
    other = write_folder(regrading.root / "other", {"t1/doubling.py": RIGHT})
    answer = regrading.run(source=other)
    assert answer.returncode == 2
    assert "choose another --out" in answer.stderr
    assert (regrading.out / "grades.csv").read_bytes() == grades


def files_of(out):
    """Return every file below a directory with its content; locks and files half written count."""
    return {file.relative_to(out): file.read_bytes() for file in out.rglob("*") if file.is_file()}


@slow
def test_a_file_that_cannot_be_written_stops_with_a_sentence_and_loses_nothing(regrading):
    write_folder(regrading.source, {f"s{number}/doubling.py": SLOW for number in range(8)})
    process = regrading.start()
    regrading.wait_for(2, process)
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (10, 10))  # of the coordinator: no file beyond ten bytes
    stderr = process.communicate(timeout=PATIENCE)[1]
    assert process.returncode == 3
    assert "What was finished before is kept; make room, and the same command goes on from there" in stderr
    assert "Traceback" not in stderr
    kept = regrading.records()
    assert 2 <= len(kept) < 8
    assert not list(regrading.out.rglob(".*.json.*"))
    again = regrading.run()
    assert again.returncode == 0
    assert f"{len(kept)} kept from before" in again.stderr
    assert set(regrading.scores().values()) == {"4"}


@slow
@pytest.mark.parametrize("name", ["grades.csv", "report.html", "feedback/moodle.zip"])
def test_tables_and_pages_that_cannot_be_written_leave_the_old_ones_and_a_sentence(regrading, name):
    write_folder(regrading.source, {"Ada Example_12345_assignsubmission_file/doubling.py": RIGHT})
    assert regrading.run("--feedback").returncode == 0
    file = regrading.out / name
    file.unlink()
    file.mkdir()  # nothing takes the place of a folder
    answer = regrading.run("--feedback")
    assert f"{file} could not be written" in answer.stderr
    assert "Traceback" not in answer.stderr
    assert answer.returncode == 3
    assert len(regrading.records()) == 1


def with_a_disk(options, regrading, save):
    """Regrade into a small disk of its own, which is copied to `save` at the end; skip where none can be mounted."""
    if subprocess.run(["unshare", "-m", "true"], capture_output=True, check=False).returncode:
        pytest.skip("mounting needs root")
    command = " ".join(map(str, regrading.command()))
    copied = f"cp -a {regrading.out}/. {save}/"
    script = f"mount -t tmpfs -o {options} none {regrading.out} && {command}; status=$?; {copied}; exit $status"
    regrading.out.mkdir(exist_ok=True)
    save.mkdir()
    return subprocess.run(
        ["unshare", "-m", "sh", "-c", script], capture_output=True, text=True, check=False, timeout=PATIENCE
    )


@slow
def test_a_disk_that_fills_keeps_what_was_finished_and_the_same_command_goes_on(regrading):
    write_folder(regrading.source, {f"s{number}/doubling.py": RIGHT for number in range(40)})
    save = regrading.root / "saved"
    answer = with_a_disk("size=200k", regrading, save)
    assert answer.returncode == 3, answer.stderr
    assert "No space left on device. What was finished before is kept" in answer.stderr
    kept = {name: data for name, data in files_of(save / "records").items() if not name.name.startswith(".")}
    assert 0 < len(kept) < 40
    shutil.rmtree(regrading.out)
    save.rename(regrading.out)
    again = regrading.run()
    assert again.returncode == 0, again.stderr
    assert f"{len(kept)} kept from before" in again.stderr
    assert set(regrading.scores().values()) == {"4"}


@slow
def test_a_directory_that_cannot_be_written_is_named_before_anything_starts(regrading):
    write_folder(regrading.source, {"s1/doubling.py": RIGHT})
    answer = with_a_disk("ro", regrading, regrading.root / "saved")
    assert answer.returncode == 2
    assert f"{regrading.out} cannot be written: Read-only file system" in answer.stderr


@slow
def test_ctrl_c_before_anything_is_graded_leaves_a_class_to_go_on_with(regrading):
    write_folder(regrading.source, {f"s{number}/doubling.py": RIGHT for number in range(4)})
    process = regrading.start()
    line = process.stderr.readline() + process.stderr.readline()
    os.kill(process.pid, signal.SIGINT)
    stderr = process.communicate(timeout=PATIENCE)[1]
    assert "0 of 4 graded, the graders start" in line
    assert process.returncode == 3, stderr
    assert "The same command goes on from here" in stderr
    assert regrading.run().returncode == 0
    assert set(regrading.scores().values()) == {"4"}
