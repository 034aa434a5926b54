"""What could change how the grader works stays outside; who should know is told."""

import os
from pathlib import Path

import pytest

from autograder.errors import SubmissionError

from ..support.taken import ENGINE, OTHER, flagged, folder, said


@pytest.mark.parametrize(
    "name",
    [
        "__MACOSX/engine.py",
        "._engine.py",
        ".DS_Store",
        "Thumbs.db",
        ".git/config",
        ".git/hooks/engine.py",
        ".venv/lib/engine.py",
        "venv/lib/engine.py",
        "lib/site-packages/engine.py",
        "demo.py",
        "README.md",
        "tests_public/test_a.py",
    ],
)
def test_what_systems_leave_and_what_the_handout_gives_is_ignored_silently(take, name):
    submission = take({"engine.py": ENGINE, name: b"x"})
    assert (submission.files, submission.notes, submission.flags) == (("engine.py",), (), ())


def test_a_virtual_environment_of_any_name_is_ignored(take):
    submission = take({"engine.py": ENGINE, "mine/pyvenv.cfg": b"", "mine/lib/os.py": b"x = 1"})
    assert (submission.files, submission.notes) == (("engine.py",), ())


@pytest.mark.parametrize("name", ["pytest.ini", "setup.cfg", "pyproject.toml", "__pycache__/engine.cpython-311.pyc"])
def test_settings_and_caches_are_left_out_with_a_note_alone(take, name):
    submission = take({"engine.py": ENGINE, name: b"x"})
    assert submission.files == ("engine.py",)
    assert name.split("/")[0] in said(submission)
    assert submission.flags == ()


@pytest.mark.parametrize(
    "name",
    [
        "conftest.py",
        "deep/conftest.py",
        "engine.pyc",
        "engine.cpython-311-x86_64-linux-gnu.so",
        "libx.so.6",
        "engine.pyd",
        "x.pth",
        "sitecustomize.py",
        "usercustomize/__init__.py",
    ],
)
def test_what_could_change_how_python_starts_is_left_out_and_staff_are_told(take, name):
    submission = take({"engine.py": ENGINE, name: b"x"})
    assert submission.files == ("engine.py",)
    assert name in said(submission)
    assert name in flagged(submission)


def test_the_handouts_own_conftest_is_left_out_silently(take):
    submission = take({"engine.py": ENGINE, "conftest.py": b"# given conftest.py\r\n"})
    assert (submission.files, submission.notes, submission.flags) == (("engine.py",), (), ())


def test_the_given_folder_is_left_out_silently(take):
    submission = take({"engine.py": ENGINE, "given/given.py": b"# given given/given.py"})
    assert (submission.files, submission.notes, submission.flags) == (("engine.py",), (), ())


def test_a_file_is_given_by_its_path_and_not_by_its_name_alone(take):
    assert take({"engine.py": ENGINE, "mine/given.py": b"X = 1"}).files == ("engine.py", "mine/given.py")


def test_a_file_in_the_place_of_a_hidden_test_is_dropped_and_flagged(take):
    submission = take({"engine.py": ENGINE, "tests_hidden/test_engine.py": b"x"})
    assert submission.files == ("engine.py",)
    assert "tests_hidden/test_engine.py" in flagged(submission)


def test_a_link_is_never_followed(take, tmp_path):
    (tmp_path / "secret.py").write_text("SECRET = 1\n")
    (folder(tmp_path / "in", {"engine.py": ENGINE}) / "extra.py").symlink_to(tmp_path / "secret.py")
    submission = take(tmp_path / "in")
    assert submission.files == ("engine.py",)
    assert "extra.py: a link" in flagged(submission)


def test_a_linked_folder_is_never_entered(take, tmp_path):
    folder(tmp_path / "elsewhere", {"secret.py": b"SECRET = 1\n"})
    (folder(tmp_path / "in", {"engine.py": ENGINE}) / "extra").symlink_to(tmp_path / "elsewhere")
    assert take(tmp_path / "in").files == ("engine.py",)


def test_an_engine_that_is_a_link_is_refused_with_the_reason(take, tmp_path):
    (tmp_path / "secret.py").write_text("SECRET = 1\n")
    (folder(tmp_path / "in", {}) / "engine.py").symlink_to(tmp_path / "secret.py")
    with pytest.raises(SubmissionError, match=r"engine\.py could not be taken: it is a link"):
        take(tmp_path / "in")


def test_a_source_that_is_a_link_is_refused(take, tmp_path):
    folder(tmp_path / "in", {"engine.py": ENGINE})
    (tmp_path / "link").symlink_to(tmp_path / "in")
    with pytest.raises(SubmissionError, match="link is a link"):
        take(tmp_path / "link")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no FIFOs here")
def test_a_fifo_is_not_waited_for(take, tmp_path):
    os.mkfifo(folder(tmp_path / "in", {"engine.py": ENGINE}) / "pipe.py")
    submission = take(tmp_path / "in")
    assert submission.files == ("engine.py",)
    assert "pipe.py: not a regular file" in flagged(submission)


@pytest.mark.skipif(os.name != "posix", reason="other systems know no such names")
def test_a_name_that_is_not_utf8_harms_nothing(take, tmp_path):
    source = folder(tmp_path / "in", {"engine.py": ENGINE})
    try:
        Path(os.fsdecode(os.fsencode(source) + b"/caf\xe9.py")).write_bytes(OTHER)
    except OSError:
        pytest.skip("this file system takes only UTF-8")
    submission = take(source)
    assert submission.files == ("engine.py",)
    said(submission).encode("utf-8")
