"""Submissions that attack by what they are made of: links, devices, caches and zips, graded to the end."""

import importlib.util
import marshal
import os
import sys
import tracemalloc
import zipfile

import pytest

from ..support.attacks import RIGHT, WRONG

WRONG_FAILS = {"public/test_public.py::test_reuse", "hidden/test_hidden.py::test_product"}


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "submission"
    folder.mkdir()
    (folder / "engine.py").write_text(WRONG, encoding="utf-8")
    return folder


def zipped(path, members):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return path


def test_compiled_python_beside_the_source_is_not_run(lane, folder):  # threat 30
    cache = folder / "__pycache__"
    cache.mkdir()
    header = importlib.util.MAGIC_NUMBER + (0b01).to_bytes(4, "little") + bytes(8)  # PEP 552: hash, never checked
    code = compile(RIGHT, "engine.py", "exec")
    for name in (f"engine.{sys.implementation.cache_tag}.pyc", "engine.pyc"):
        (cache / name).write_bytes(header + marshal.dumps(code))
    (folder / "engine.pyc").write_bytes(header + marshal.dumps(code))
    graded = lane.grade(folder)
    assert graded.failed == WRONG_FAILS
    assert graded.problems == []


@pytest.mark.parametrize("target", ["/etc/passwd", "/proc/self/environ", "..", "engine.py", "/dev/zero"])
def test_a_link_is_left_out_and_staff_are_told(lane, folder, target):  # threat 76
    (folder / "notes.py").symlink_to(target)
    graded = lane.grade(folder)
    assert graded.failed == WRONG_FAILS
    assert "file left out" in graded.flags


def test_a_link_in_the_engines_place_is_not_followed(lane, folder):  # threat 76
    (folder / "engine.py").unlink()
    (folder / "engine.py").symlink_to("/etc/passwd")
    graded = lane.grade(folder)
    assert not graded.imported
    assert "root:" not in graded.shown


def test_a_named_pipe_does_not_hold_the_grader(lane, folder):  # threat 75
    os.mkfifo(folder / "more.py")
    graded = lane.grade(folder)
    assert graded.failed == WRONG_FAILS


def test_members_that_climb_out_of_a_zip_are_left_out(lane, tmp_path):  # threat 76
    members = {"engine.py": WRONG, "../engine.py": RIGHT, "/engine.py": RIGHT, "a/../../engine.py": RIGHT}
    graded = lane.grade(zipped(tmp_path / "homework.zip", members))
    assert graded.failed == WRONG_FAILS
    assert sorted(path.name for path in tmp_path.iterdir()) == ["homework.zip"]


def test_a_zip_that_unfolds_to_gigabytes_is_refused(lane, tmp_path):  # threat 75
    archive = zipped(tmp_path / "homework.zip", {f"{n}.py": bytes(1 << 20) for n in range(40)})
    tracemalloc.start()
    try:
        graded = lane.grade(archive)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert not graded.imported
    assert "hand in your own work alone" in graded.results["output"]
    assert graded.problems == []
    assert peak < 40 << 20


@pytest.mark.parametrize(
    "name", ["\u202eyp.enigne", "engine\n.py", "a" * 250 + ".py", "-rf.py", "$(id).py", "\x1b[2J.py"]
)
def test_a_strange_file_name_costs_nothing_and_is_safe_to_print(lane, folder, name):  # threat 75, 77
    (folder / name).write_text("x = 1\n", encoding="utf-8")
    graded = lane.grade(folder)
    assert graded.failed == WRONG_FAILS
    assert graded.problems == []
    assert [character for character in graded.shown if character in "\x1b\u202e\n"] == []


def test_a_name_that_is_no_text_costs_nothing(lane, folder):  # threat 75, 78
    with open(os.fsencode(folder) + b"/\xff\xfe.py", "wb") as file:  # noqa: PTH123 - a name of bytes
        file.write(b"x = 1\n")
    graded = lane.grade(folder)
    assert graded.failed == WRONG_FAILS
    assert graded.problems == []
