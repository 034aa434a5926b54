"""What a killed run leaves in the temporary folder the next one removes; what a live one has, and others', never."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from autograder.temporary import HeldDirectory, remove_left, temporary_prefix

from .support.course import make_course
from .support.exports import RIGHT, write_folder

NAME = "autograder-0000004321-abcdefgh"
LONG_AGO = 1_000_000_000
HOLDS = "import sys; from autograder.temporary import HeldDirectory; held = HeldDirectory(sys.argv[1]); "
HOLDS += "print(held.name, flush=True); sys.stdin.read()"

pytestmark = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="directories are held by a lock")


@pytest.fixture(autouse=True)
def temporary(tmp_path, monkeypatch):
    """A temporary folder of this test's own, for its processes too."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    folder.chmod(0o711)  # the users of workers pass through it
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return folder


def age(path):
    """Let a directory be old."""
    os.utime(path, (LONG_AGO, LONG_AGO), follow_symlinks=False)


def left(folder, name=NAME):
    """Return a directory with a file in it, as a killed process leaves it."""
    directory = folder / name
    (directory / "submission").mkdir(parents=True)
    (directory / "submission/engine.py").write_text("x = 1\n", "utf-8")
    age(directory)
    return directory


@pytest.mark.parametrize(
    "name",
    [
        NAME,
        "autograder-0000000007-self-test-a1_b2c3d",
        *(f"autograder-{kind}-abcdefgh" for kind in ("class", "similar")),
    ],
)
def test_what_nobody_holds_is_removed(temporary, name):
    left(temporary, name)
    remove_left()
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize("name", ["autograder-abc", "autograder-test-abcdefgh", f"{NAME}.d", f"x{NAME}", "other"])
def test_what_has_another_name_stays(temporary, name):
    directory = left(temporary, name)
    remove_left()
    assert directory.is_dir()


def test_what_was_made_just_now_stays(temporary):
    directory = left(temporary)
    os.utime(directory)
    remove_left()
    assert directory.is_dir()


def test_what_a_process_holds_stays_as_long_as_it_lives_whatever_its_number(temporary):
    # Two of one prefix: the number in a name says nothing, since another process may have it by now.
    command = [sys.executable, "-c", HOLDS, "autograder-0000004321-"]
    processes = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) for _ in range(2)]
    held, killed = [Path(process.stdout.readline().decode().strip()) for process in processes if process.stdout]
    processes[1].kill()
    processes[1].communicate()
    for directory in (held, killed):
        age(directory)
    remove_left()
    assert list(temporary.iterdir()) == [held]
    processes[0].communicate()  # it ends in peace, and removes its own
    assert list(temporary.iterdir()) == []


def test_what_this_process_holds_stays_until_it_is_removed(temporary):
    with HeldDirectory(temporary_prefix()) as name:
        age(name)
        remove_left()
        assert os.listdir(temporary) == [os.path.basename(name)]  # noqa: PTH119, PTH208
    assert list(temporary.iterdir()) == []


def test_no_link_is_followed(temporary, tmp_path):
    treasure = tmp_path / "treasure"
    (treasure / "kept").mkdir(parents=True)
    age(treasure)
    (temporary / NAME).symlink_to(treasure)
    (left(temporary, f"{NAME[:-1]}x") / "inside").symlink_to(treasure)
    age(temporary / NAME)
    age(temporary / f"{NAME[:-1]}x")
    remove_left()
    assert [each.name for each in temporary.iterdir()] == [NAME]
    assert (treasure / "kept").is_dir()


def test_what_is_another_users_stays(temporary, monkeypatch):
    directory = left(temporary)
    mine = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: mine + 1)
    remove_left()
    assert directory.is_dir()


def test_a_folder_that_cannot_be_listed_keeps_nobody_from_grading(monkeypatch):
    monkeypatch.setattr(tempfile, "gettempdir", lambda: "/nonexistent")
    remove_left()


@pytest.mark.slow
@pytest.mark.parametrize("verb", ["grade", "regrade"])
def test_the_run_after_one_that_was_killed_tidies_up(temporary, tmp_path, verb):
    course = make_course(tmp_path / "course")
    slow = write_folder(tmp_path / "slow/ada", {"doubling.py": "while True:\n    pass\n"})
    right = write_folder(tmp_path / "right/ada", {"doubling.py": RIGHT})
    given = {"grade": ([str(slow)], [str(right)]), "regrade": ([str(slow.parent)], [str(right.parent)])}[verb]
    options = [
        "--root",
        str(course.root),
        *(["--out", str(tmp_path / "out"), "--jobs", "1"] if verb == "regrade" else []),
    ]
    command = [sys.executable, "-m", "autograder", verb]
    process = subprocess.Popen([*command, *given[0], *options], stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    while not list(temporary.rglob("doubling.py")):
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert list(temporary.iterdir())  # the control: somebody has to
    for directory in temporary.iterdir():
        age(directory)
    assert subprocess.run([*command, *given[1], *options], check=False, capture_output=True).returncode == 0
    assert list(temporary.iterdir()) == []
