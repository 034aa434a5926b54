"""The standard library's file is made once for each Python, and taken only if nobody else could have written it."""

import os
import sys

import pytest

from autograder.errors import SandboxError
from autograder.sandbox import library_file
from autograder.sandbox.library_file import open_library


@pytest.fixture
def place(tmp_path, monkeypatch):
    """Where the file is kept in this test."""
    monkeypatch.setattr(library_file, "_place", lambda _: tmp_path / "cache" / "library")
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    return tmp_path / "cache" / "library"


def content(python=sys.executable):
    descriptor = open_library(python)
    try:
        return os.pread(descriptor, os.fstat(descriptor).st_size, 0)
    finally:
        os.close(descriptor)


def test_it_is_made_once(place):
    content()
    made = place.stat()
    content()
    assert (place.stat().st_ino, place.stat().st_mtime_ns) == (made.st_ino, made.st_mtime_ns)


def test_it_is_the_same_whoever_makes_it(place):
    first = content()
    place.unlink()
    assert content() == first


@pytest.mark.parametrize("mode", [0o646, 0o664])
def test_a_file_that_others_may_write_is_not_taken(place, mode):
    right = content()
    place.write_bytes(b"planted")
    place.chmod(mode)
    assert content() == right


def test_a_link_is_not_followed(place, tmp_path):
    right = content()
    (tmp_path / "planted").write_bytes(b"planted")
    place.unlink()
    place.symlink_to(tmp_path / "planted")
    assert content() == right


def test_where_no_bytecode_may_be_written_nothing_is_kept(place, monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert content()
    assert not place.parent.exists()


def test_a_program_that_is_not_python_is_named(place):
    with pytest.raises(SandboxError, match="/bin/false"):
        open_library("/bin/false")
