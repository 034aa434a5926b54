"""A zip is the same whatever the order of its files, and holds nothing that nobody should unpack."""

import io
import stat
import zipfile

import pytest

from autograder.bundle.lint import zip_problems
from autograder.bundle.zip_file import ZipMember, members_of, zip_bytes
from autograder.errors import AssignmentError

pytestmark = pytest.mark.slow


def test_the_order_of_the_files_does_not_change_a_zip():
    members = [ZipMember("b", b"2"), ZipMember("a/c", b"1", executable=True)]
    assert zip_bytes(members) == zip_bytes(reversed(members))


def test_an_exec_bit_is_said_as_unix_reads_it():
    with zipfile.ZipFile(
        io.BytesIO(zip_bytes([ZipMember("run", b"", executable=True), ZipMember("text", b"")]))
    ) as archive:
        modes = {entry.filename: stat.filemode(entry.external_attr >> 16) for entry in archive.infolist()}
    assert modes == {"run": "-rwxr-xr-x", "text": "-rw-r--r--"}


def test_caches_and_hidden_files_stay_at_home(tmp_path):
    for name in ("kept.py", ".secret", "__pycache__/kept.pyc", ".git/config"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("", encoding="utf-8")
    assert members_of(tmp_path, "suite/") == [ZipMember("suite/kept.py", b"")]


def test_a_link_is_refused(tmp_path):
    (tmp_path / "oracle.py").symlink_to("/etc/hostname")
    with pytest.raises(AssignmentError, match=r"oracle\.py is a link"):
        members_of(tmp_path)


@pytest.mark.parametrize(
    ("name", "content", "wrong"),
    [
        ("../engine.py", b"", "would be unpacked outside the folder"),
        ("/engine.py", b"", "would be unpacked outside the folder"),
        ("deploy/id_ed25519", b"", "looks like a key or a password"),
        ("notes.txt", b"-----BEGIN OPENSSH PRIVATE KEY-----", "looks like a key or a password"),
    ],
)
def test_no_zip_holds_what_nobody_should_unpack(name, content, wrong):
    assert zip_problems(zip_bytes([ZipMember(name, content)]))[0].endswith(
        wrong + ("" if "out" in wrong else ": no zip may hold it")
    )


def test_two_files_whose_names_differ_in_capitals_alone_are_refused():
    assert "capitals aside" in zip_problems(zip_bytes([ZipMember("Engine.py", b""), ZipMember("engine.py", b"")]))[0]
