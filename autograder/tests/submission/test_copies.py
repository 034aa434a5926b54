"""What comes out: a copy that all may read, a digest, the lines of a traceback."""

import os
import stat

import pytest

from autograder.failure import Failure, StudentFrame
from autograder.submission.submission import materialise, read_submission, read_upload

from ..support.taken import ENGINE, OTHER, folder


def test_the_copy_is_readable_for_all_and_writable_for_none_else(take):
    old = os.umask(0o077)
    try:
        submission = take({"engine.py": ENGINE, "inner/rules.py": OTHER})
    finally:
        os.umask(old)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in submission.directory.rglob("*")}
    assert stat.S_IMODE(submission.directory.stat().st_mode) == 0o755
    assert modes == {"engine.py": 0o644, "inner": 0o755, "rules.py": 0o644}


def test_a_directory_that_is_not_empty_is_refused(assignment, tmp_path):
    handed = read_upload(folder(tmp_path / "in", {"engine.py": ENGINE}))
    with pytest.raises(FileExistsError):
        materialise(handed, assignment=assignment, into=folder(tmp_path / "out", {"x": b""}))


def test_the_digest_knows_the_graded_files_alone(assignment, tmp_path):
    plain = folder(tmp_path / "a", {"engine.py": ENGINE})
    dressed = folder(tmp_path / "b", {"hw/Engine.py": ENGINE.replace(b"\n", b"\r\n"), "hw/photo.png": b"x"})
    changed = folder(tmp_path / "c", {"engine.py": OTHER})
    digests = [
        read_submission(source, assignment=assignment, into=tmp_path / f"out-{source.name}").digest
        for source in (plain, dressed, changed)
    ]
    assert digests[0] == digests[1] != digests[2]


def test_a_frame_gets_its_line_and_a_made_up_one_gets_none(take):
    submission = take({"engine.py": b"a = 1\n    b = 2\n"})
    frames = tuple(
        StudentFrame(file=file, line=line, function="f")
        for file, line in (("engine.py", 2), ("engine.py", 99), ("/etc/passwd", 1), ("../in/engine.py", 1))
    )
    located = submission.located(Failure(exception="TypeError", frames=frames))
    assert [frame.text for frame in located.frames] == ["b = 2", "", "", ""]
