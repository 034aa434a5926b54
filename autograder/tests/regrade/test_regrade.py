"""A class is graded once, whatever happens on the way: nothing finished is lost, and nothing is half written."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path
from typing import Any

import pytest

from autograder.regrade.records.class_report import load_class
from autograder.results.contract import problems

from ..support.course import Course, make_course
from ..support.exports import RIGHT, WRONG, gradescope_files, write_folder, write_zip
from ..support.regrade_command import PATIENCE, RegradeCommand

pytestmark = pytest.mark.slow

TABLES = ("grades.csv", "failures.csv", "run.json", "class.json")
SLOW = "import time\ntime.sleep(0.3)\n" + RIGHT


@pytest.fixture(scope="module")
def once(tmp_path_factory):
    """A class of three, graded: one right, one wrong, one unreadable."""
    root = tmp_path_factory.mktemp("once")
    regrading = RegradeCommand(root, make_course(root / "course"))
    write_folder(regrading.source, {"s1/doubling.py": RIGHT, "s2/doubling.py": WRONG, "s10/notes.txt": "sorry"})
    regrading.answer = regrading.run()
    return regrading


@pytest.fixture
def graded(tmp_path, once):
    """The same, to be changed."""
    shutil.copytree(once.root, tmp_path, dirs_exist_ok=True)
    return RegradeCommand(tmp_path, Course(tmp_path / "course"))


def test_everybody_gets_a_row_in_order_and_a_results_file(once):
    assert once.answer.returncode == 0, once.answer.stderr
    assert once.scores() == {"s1": "4", "s2": "0", "s10": "0"}
    assert list(once.scores()) == ["s1", "s2", "s10"]
    assert {file.name for file in (once.out / "results").iterdir()} == {"s1.json", "s2.json", "s10.json"}


def test_it_says_what_was_recognised_and_what_was_done(once):
    assert "class: a folder of folders, 3 submissions" in once.answer.stderr
    assert "3 submissions graded" in once.answer.stderr


def test_it_ends_with_how_the_class_did_and_where_the_report_is(once):
    assert once.answer.stderr.splitlines()[-3:] == [
        "scores out of 4: median 0, mean 1.3, 1 with every point, 2 with none",
        "the hardest test, passed by 1 of 2: double",
        f"the class at a glance: {once.out / 'report.html'}",
    ]


def test_a_results_file_keeps_gradescopes_contract(once):
    assert problems((once.out / "results/s2.json").read_bytes()) == []


def test_the_class_can_be_read_back(once):
    report = load_class(once.out)
    assert [member.id for member in report.members] == ["s1", "s2", "s10"]
    assert [record.imported for record in report.graded()] == [True, True, False]
    assert len(report.run.tests) == 3


def test_run_json_says_what_graded(once):
    run = json.loads((once.out / "run.json").read_text("utf-8"))
    assert {"version", "python", "packages", "suites", "isolation"} <= run.keys()


def test_two_runs_agree_to_the_byte_with_one_lane_or_two(graded):
    again = graded.root / "again"
    assert graded.run(out=again, jobs="1").returncode == 0
    assert [(again / name).read_bytes() for name in TABLES] == [(graded.out / name).read_bytes() for name in TABLES]


def test_results_of_two_runs_differ_in_their_time_alone(graded):
    again = graded.root / "again"
    graded.run(out=again)
    both = [json.loads((out / "results/s2.json").read_text("utf-8")) for out in (graded.out, again)]
    assert both[0] == both[1]


def test_the_same_command_grades_nothing_twice(graded):
    before = {file: file.stat().st_mtime_ns for file in (graded.out / "records").iterdir()}
    assert "3 kept from before" in graded.run().stderr
    assert {file: file.stat().st_mtime_ns for file in (graded.out / "records").iterdir()} == before


def test_a_changed_submission_is_graded_anew_and_no_other(graded):
    (graded.source / "s2/doubling.py").write_text(RIGHT)
    assert "1 submission graded, 2 kept" in graded.run().stderr
    assert graded.scores()["s2"] == "4"


def test_changed_suites_grade_everybody_anew(graded):
    graded.course.edit("tests_public/test_double.py", "== 0", "== 0  # zero")
    assert "3 submissions graded" in graded.run().stderr


def test_only_one_is_graded_again_when_one_is_named(graded):
    before = {file.name: file.stat().st_mtime_ns for file in (graded.out / "records").iterdir()}
    assert graded.run("--only", "s2").returncode == 0
    after = {file.name: file.stat().st_mtime_ns for file in (graded.out / "records").iterdir()}
    assert {name for name in after if after[name] != before[name]} == {"s2.json"}


def test_who_could_not_be_graded_before_is_not_called_waiting_when_another_is_named(regrading):
    typed = "Bob Example_12_assignsubmission_onlinetext/onlinetext.html"
    write_folder(
        regrading.source, {"Ada Example_11_assignsubmission_file/doubling.py": RIGHT, typed: "<p>see there</p>"}
    )
    regrading.run()
    answer = regrading.run("--only", "11")
    assert answer.returncode == 3
    assert "1 submission graded, 1 could not be graded in an earlier call: the command without --only" in answer.stderr


def test_one_that_nobody_is_called_is_refused(graded):
    answer = graded.run("--only", "s7")
    assert (answer.returncode, "nobody in these sources is s7" in answer.stderr) == (2, True)


def test_a_record_that_was_cut_short_is_made_again(graded):
    (graded.out / "records/s1.json").write_bytes(b'{"id":"s1","ke')
    assert "1 submission graded, 2 kept" in graded.run().stderr
    assert graded.scores()["s1"] == "4"


def test_an_export_gives_a_row_to_each_of_a_group_and_shows_what_changed(regrading):
    answer = regrading.run(source=write_zip(regrading.root / "export.zip", gradescope_files()))
    assert answer.returncode == 0, answer.stderr
    assert [(row["id"], row["name"], row["sid"]) for row in regrading.rows()] == [
        ("9", "Third Example", "77"),
        ("216975964", "Ada Example", "06758767"),
        ("216975964", "'=2+5", ""),
    ]
    changed = [(row["email"], row["test"], row["old"], row["new"]) for row in regrading.rows("compare.csv")]
    assert changed[:2] == [
        ("ada@example.edu", "total", "1", "4"),
        ("ada@example.edu", "public/test_double.py::test_double", "0", "2"),
    ]
    assert "1 → 4      total" in answer.stdout


def test_against_old_grades_only_changes_are_shown(graded):
    old = graded.root / "old.csv"
    (graded.out / "grades.csv").rename(old)
    (graded.source / "s2/doubling.py").write_text(RIGHT)
    graded.run("--compare", old)
    assert {row["id"] for row in graded.rows("compare.csv")} == {"s2"}
    assert {row["test"]: row["change"] for row in graded.rows("compare.csv")}["total"] == "4"


def test_what_vanishes_is_a_failure_with_a_blank_score_and_stops_nobody(regrading):
    files = {name: text for name, text in gradescope_files().items() if "submission_9/" not in name}
    answer = regrading.run("--kind", "gradescope", source=write_folder(regrading.root / "export", files))
    assert answer.returncode == 3
    assert "1 could not be graded: 9" in answer.stderr
    assert [(row["id"], row["score"]) for row in regrading.rows("failures.csv")] == [("9", "")]
    assert regrading.scores() == {"9": "", "216975964": "4"}
    assert not (regrading.out / "results/9.json").exists()


HOSTILE = {
    "loop": "while True: pass\n",
    "refused": "import os\n",
    "exit": "raise SystemExit\n",
    "memory": "x = 'a' * (1 << 33)\n",
    "syntax": "def double(x:\n",
    "depth": "(" * 5000,
}


def test_a_bad_submission_is_its_own_result_and_stops_nobody(regrading):
    write_folder(regrading.source, {f"{name}/doubling.py": text for name, text in {**HOSTILE, "good": RIGHT}.items()})
    answer = regrading.run()
    assert answer.returncode == 0, answer.stderr
    assert regrading.scores() == {**dict.fromkeys(HOSTILE, "0"), "good": "4"}


@pytest.fixture
def crash(regrading):
    """Make the grader itself die on one submission: a suite that ends its process when the answer is 666."""
    regrading.course.edit("tests_public/test_double.py", "== 4", "in (4, 666) and (doubling.double(2) != 666 or die())")
    die = "\n\ndef die():\n    import os\n    os.kill(os.getpid(), 9)\n"
    file = regrading.course.root / "tests_public/test_double.py"
    file.write_text(file.read_text("utf-8") + die, "utf-8")
    deadly = "def double(x):\n    return 666\n"
    write_folder(regrading.source, {f"s{n}/doubling.py": deadly if n == 2 else RIGHT for n in range(1, 6)})


def test_a_grader_that_dies_costs_one_submission_its_grade_and_names_it(crash, regrading):
    answer = regrading.run()
    assert answer.returncode == 3
    assert "1 could not be graded: s2" in answer.stderr
    why = "the grader's process ended with signal 9, in public/test_double.py::test_double"
    assert regrading.rows("failures.csv")[0]["why"] == why
    assert [score for id_, score in regrading.scores().items() if id_ != "s2"] == ["4"] * 4


def test_a_lane_that_is_killed_is_started_again(regrading):
    write_folder(regrading.source, {f"s{n}/doubling.py": SLOW for n in range(6)})
    process = regrading.start(jobs="1")
    regrading.wait_for(1, process)
    os.kill(children(process.pid)[0], signal.SIGKILL)
    stderr = process.communicate(timeout=PATIENCE)[1]
    assert process.returncode == 0, stderr
    assert set(regrading.scores().values()) == {"4"}


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_after_an_end_at_any_moment_the_same_command_goes_on(regrading, number):
    write_folder(regrading.source, {f"s{n}/doubling.py": SLOW for n in range(8)})
    process = regrading.start()
    regrading.wait_for(2, process)
    os.kill(process.pid, number)
    stderr = process.communicate(timeout=PATIENCE)[1]
    done = regrading.records()
    before = {name: (regrading.out / "records" / name).stat().st_mtime_ns for name in done}
    assert 2 <= len(done) < 8, stderr
    assert regrading.run().returncode == 0
    assert {name: (regrading.out / "records" / name).stat().st_mtime_ns for name in done} == before
    assert set(regrading.scores().values()) == {"4"}


def test_a_first_ctrl_c_says_how_to_go_on_and_leaves_tables(regrading):
    write_folder(regrading.source, {f"s{n}/doubling.py": SLOW for n in range(8)})
    process = regrading.start()
    regrading.wait_for(1, process)
    os.kill(process.pid, signal.SIGINT)
    stderr = process.communicate(timeout=PATIENCE)[1]
    assert process.returncode == 3
    assert "The same command goes on from here" in stderr
    assert {"4", ""} == set(regrading.scores().values())
    assert {row["why"] for row in regrading.rows("failures.csv")} == {"not graded yet"}


def test_no_process_is_left_when_the_command_is_killed(regrading):
    write_folder(regrading.source, {f"s{n}/doubling.py": "while True: pass\n" for n in range(4)})
    process = regrading.start()
    deadline = time.monotonic() + PATIENCE
    while len(family := descendants(process.pid)) < 6 and time.monotonic() < deadline:
        time.sleep(0.02)
    process.kill()
    process.communicate(timeout=PATIENCE)
    while any(is_running(pid) for pid in family) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert len(family) >= 6
    assert not any(is_running(pid) for pid in family)


def test_a_full_disk_stops_with_a_sentence_and_loses_nothing(graded, monkeypatch):
    (graded.source / "s2/doubling.py").write_text(RIGHT)
    before = (graded.out / "records/s1.json").read_bytes()
    full = "import os, sys, runpy\nreal = os.fsync\n"
    full += "def fsync(d):\n    raise OSError(28, 'No space left on device')\nos.fsync = fsync\n"
    full += f"sys.argv[1:] = ['regrade', {str(graded.source)!r}, '--out', {str(graded.out)!r}, '--root', "
    full += f"{str(graded.course.root)!r}, '--jobs', '1']\nrunpy.run_module('autograder', run_name='__main__')\n"
    answer = subprocess.run(
        [sys.executable, "-c", full], cwd=Path(__file__).parents[3], capture_output=True, text=True, check=False
    )
    assert answer.returncode == 3
    assert "No space left on device" in answer.stderr
    assert (graded.out / "records/s1.json").read_bytes() == before
    assert not list(graded.out.rglob(".*.json.*"))


def test_two_commands_do_not_write_one_directory(regrading):
    write_folder(regrading.source, {f"s{n}/doubling.py": SLOW for n in range(8)})
    first = regrading.start()
    regrading.wait_for(1, first)
    second = regrading.run()
    first.communicate(timeout=PATIENCE)
    assert second.returncode == 3
    assert "another `autograder regrade` is writing" in second.stderr


def test_a_solution_that_loses_points_grades_nobody(regrading):
    write_folder(regrading.source, {"s1/doubling.py": RIGHT})
    regrading.course.edit("solution/doubling.py", "x + x", "abs(x + x)")
    answer = regrading.run()
    assert (answer.returncode, regrading.out.joinpath("grades.csv").exists()) == (2, False)
    assert "solution/ earns 3 / 4 on this machine, so nobody is graded" in answer.stderr
    assert "hidden/test_negative.py::test_double_of_a_negative: failed" in answer.stderr


def test_where_there_is_no_solution_nothing_is_proved(regrading):
    write_folder(regrading.source, {"s1/doubling.py": RIGHT})
    shutil.rmtree(regrading.course.root / "solution")
    assert regrading.run().returncode == 0
    assert regrading.scores() == {"s1": "4"}


def test_a_wrong_gradebook_is_said_before_anything_is_written(regrading):
    write_folder(regrading.source, {"s1/doubling.py": RIGHT})
    (regrading.root / "book.csv").write_text("Not,A,Gradebook\n", "utf-8")
    answer = regrading.run("--gradebook", regrading.root / "book.csv")
    assert (answer.returncode, regrading.out.exists()) == (2, False), answer.stderr


def test_what_was_graded_before_makes_no_difference(regrading):
    prints, leaves = "print('loud')\n" + RIGHT, RIGHT + "import os\ndouble = lambda x: os._exit(3)\n"
    texts = [RIGHT, WRONG, prints, leaves, "def double(x):\n    return x / 0\n", "import doubling\n", RIGHT]
    told: list[Any] = []
    for each in (texts, texts[::-1]):
        source, out = regrading.root / f"class{len(told)}", regrading.root / f"out{len(told)}"
        write_folder(source, {f"s{number}/doubling.py": text for number, text in enumerate(each)})
        assert regrading.run(source=source, out=out, jobs="1").returncode == 0
        results = [json.loads((out / f"results/s{number}.json").read_text("utf-8")) for number in range(len(each))]
        told.append(results)
    assert told[0] == told[1][::-1]


def test_suites_that_are_wrong_grade_nobody(graded):
    graded.course.edit("tests_public/test_double.py", "points(2)", "points(1)")
    answer = graded.run()
    assert (answer.returncode, answer.stdout) == (2, "")


def children(pid):
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def descendants(pid):
    try:
        below = children(pid)
    except FileNotFoundError:
        return []
    return below + [deeper for child in below for deeper in descendants(child)]


def is_running(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_feedback_comes_with_the_grades(regrading):
    write_folder(regrading.source, {"Ada Example_12345_assignsubmission_file/doubling.py": WRONG})
    answer = regrading.run("--feedback")
    assert answer.returncode == 0, answer.stderr
    assert (
        f"feedback for 1 submission, for Moodle's `Upload multiple feedback files in a zip`: {regrading.out}"
        in answer.stderr
    )
    with zipfile.ZipFile(regrading.out / "feedback/moodle.zip") as archive:
        page = archive.read("Ada Example_12345_assignsubmission_file/feedback.html").decode()
    assert "double of a negative" not in page  # the hidden suite's
    assert ">double<" in page


def test_pages_for_publication_need_pages(once):
    answer = once.run("--published")
    assert (answer.returncode, "name both" in answer.stderr) == (2, True)


def test_only_prints_that_student(graded):
    answer = graded.run("--only", "s2")
    assert answer.stdout.splitlines() == [
        "s2: 0 / 4",
        "  failed    double (public/test_double.py::test_double)",
        "  blocked   Twice nothing is nothing (public/test_double.py::test_double_of_zero)",
        "  failed    double of a negative (hidden/test_negative.py::test_double_of_a_negative)",
    ]


def scored(out):
    return [test.scored for test in load_class(out).run.tests]


def test_without_the_tests_that_carry_no_points_the_points_are_the_same(graded):
    course = graded.course
    test = "import pytest\n\n@pytest.mark.unscored\ndef test_more(doubling):\n    assert doubling.double(1) == 2\n"
    (course.root / "tests_public/test_further.py").write_text(test, "utf-8")
    assert course.run("manifest").returncode == 0
    assert graded.run().returncode == 0
    assert sorted(scored(graded.out)) == [False, True, True, True]
    before = graded.scores()
    answer = graded.run("--scored-only")
    assert "3 submissions graded" in answer.stderr  # what was graded with all tests is another result
    assert graded.scores() == before
    assert scored(graded.out) == [True, True, True]
    assert "3 submissions graded" in graded.run().stderr
