"""The standard library's file is made once for each Python, and taken only if nobody else could have written it."""

import errno
import os
import sys

import pytest

from autograder.assignment import Limits
from autograder.errors import SandboxError
from autograder.model import Level
from autograder.sandbox import isolation, library_file, zygote_client
from autograder.sandbox.library_file import open_library
from autograder.sandbox.sandbox import Sandbox
from autograder.wire import format as wire
from autograder.wire.batch import encode_batch


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


def test_an_interpreter_that_is_not_there_is_named():
    with pytest.raises(SandboxError, match="/nowhere/python cannot be run"):
        Sandbox(Level.PROCESS, Limits(), python="/nowhere/python")


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EMFILE, errno.ENOMEM])
def test_what_the_machine_refuses_is_not_blamed_on_the_interpreter(place, monkeypatch, number):
    def refuse(_):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(library_file, "_in_memory", refuse)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    with pytest.raises(OSError, match=os.strerror(number)):
        Sandbox(Level.PROCESS, Limits())


# Writes over the library where it lies in memory, after it has asked that it may.
POISON = """
import ctypes
import sys

library = sys.meta_path[-1]._data
libc = ctypes.CDLL(None)


def head():
    return sum(library[:64])


def write():
    buffer = (ctypes.c_void_p * 16)()
    ctypes.pythonapi.PyObject_GetBuffer(ctypes.py_object(library), buffer, 0)
    page = buffer[0] & ~4095
    assert libc.mprotect(ctypes.c_void_p(page), 8192, 3) == 0
    ctypes.memset(buffer[0], 0, 64)
    return head()
"""


@pytest.fixture
def heads(tmp_path, place, monkeypatch):
    """Give a function that returns what a worker and another one read after the first wrote zeros over the library."""
    if sys.platform != "linux":
        pytest.skip("workers have no library of their own elsewhere")
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # a file that is kept cannot be written to by anybody
    tmp_path.chmod(0o755)
    (tmp_path / "engine.py").write_text(POISON, "utf-8")

    def asked(worker, name):
        return worker.exchange(encode_batch([(wire.METHOD, 2000, (wire.Handle(1), name, [], {}))]), 10)

    def heads():
        with Sandbox(isolation.strongest(), Limits()) as sandbox:
            workers = [sandbox.spawn(tmp_path, ["engine.py"], ["ctypes", "sys"]) for _ in range(2)]
            for worker in workers:
                worker.exchange(encode_batch([(wire.LOAD, 1, ("engine",))]), 10)
            return asked(workers[0], "write"), asked(workers[1], "head")

    return heads


def test_what_a_worker_does_to_it_stays_in_that_worker(heads):
    own, others = heads()
    assert own == 0
    assert others > 0


def test_mapped_for_all_it_would_be_changed_for_all(heads, monkeypatch):  # the control
    shared = "import mmap; mmap.MAP_PRIVATE = mmap.MAP_SHARED; "
    monkeypatch.setattr(zygote_client, "_PROGRAM", shared + zygote_client._PROGRAM)
    assert heads() == (0, 0)
