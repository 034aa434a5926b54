"""Honest files are taken whatever their dress; what could change how the grader works stays outside."""

import io
import os
import stat
import struct
import zipfile
from pathlib import Path

import pytest

from autograder.assignment import Assignment, Suite
from autograder.errors import SubmissionError
from autograder.failure import Failure, StudentFrame
from autograder.interface import RemoteInterface
from autograder.submission import intake
from autograder.submission.submission import materialise, read_submission, read_upload

ENGINE = b"class Value:\n    pass\n"
OTHER = b"class Other:\n    pass\n"


@pytest.fixture
def assignment(tmp_path):
    starter = tmp_path / "course" / "starter"
    (starter / "given").mkdir(parents=True)
    for name in ("engine.py", "conftest.py", "demo.py", "given/given.py"):
        (starter / name).write_text(f"# given {name}\n")
    return Assignment(
        name="homework",
        suites=(
            Suite(name="public", path="tests_public", points=40),
            Suite(name="hidden", path="tests_hidden", points=60, secret=True),
        ),
        modules={
            "engine": RemoteInterface(file="engine.py", classes=("Value",)),
            "nn": RemoteInterface(file="nn.py", scored=False),
        },
        imports=("math",),
        root=str(tmp_path / "course"),
    )


@pytest.fixture
def take(assignment, tmp_path):
    """Return a function that takes in a folder of the given files, or a single source."""

    def from_(source):
        if isinstance(source, dict):
            folder(tmp_path / "in", source)
            source = tmp_path / "in"
        return read_submission(source, assignment=assignment, into=tmp_path / "out")

    return from_


def folder(root: Path, files: dict[str, bytes]) -> Path:
    root.mkdir()
    for path, data in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)
    return root


def zipped(files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as made:
        for path, data in files.items():
            made.writestr(path, data)
    return stream.getvalue()


def engine(submission) -> bytes:
    return (submission.directory / "engine.py").read_bytes()


def titles(submission) -> str:
    return "\n".join(note.title for note in submission.notes)


def said(submission) -> str:
    return "\n".join(f"{note.title}: {note.text}" for note in submission.notes)


def flagged(submission) -> str:
    return "\n".join(f"{flag.title}: {flag.text}" for flag in submission.flags)


# Where it lies, and what it is called.


def test_a_plain_submission_is_copied_without_a_word(take):
    submission = take({"engine.py": ENGINE})
    assert (submission.files, submission.notes, submission.flags) == (("engine.py",), (), ())
    assert engine(submission) == ENGINE


@pytest.mark.parametrize(
    "name", ["engine.py ", " engine.py", "\u00a0engine.py\u00a0", "hw /engine.py ", "hw\\ engine.py "]
)
def test_blanks_at_the_ends_of_a_name_are_not_part_of_it(take, name):
    assert take({"homework.zip": zipped({name: ENGINE})}).files == ("engine.py",)


@pytest.mark.parametrize("name", [".. /engine.py", " /etc/engine.py", " C:/engine.py", "a/ .. /.. /engine.py"])
def test_a_path_that_leads_out_between_blanks_is_refused(take, name):
    with pytest.raises(SubmissionError, match="a path that leads out of the submission"):
        take({"homework.zip": zipped({name: ENGINE})})


@pytest.mark.parametrize(
    "name",
    [
        "homework/engine.py",
        "a/b/c/engine.py",
        "Engine.py",
        "ENGINE.PY",
        "engine (1).py",
        "engine-2.py",
        "engine_v2.py",
        "engine2.py",
        "engine copy.py",
        "engine copy 3.py",
        "engine - Copy (2).py",
        "Copy of engine.py",
        "engine_final.py",
        "engine.py.txt",
        "engine.py.py",
        "smithbob_340934_208490284_engine-1.py",
        "smithbob_LATE_340934_208490284_engine.py",
        "LATE_anon_x9Qz1_208490284_engine.py",
        "Ada Example_4711_assignsubmission_file_engine.py",
        "ps1_ada_attempt_2016-01-30-20-30-10_engine.py",
        "ada_engine.py",
        "homework1.py",
    ],
)
def test_the_engine_is_found_and_the_student_told_which_file_it_is(take, name):
    submission = take({name: ENGINE})
    assert submission.files == ("engine.py",)
    assert f"{name} was taken as engine.py" in titles(submission)
    assert not submission.flags


@pytest.mark.parametrize("name", ["engine.py", "homework1.py", "smithbob_340934_208490284_engine-1.py"])
def test_a_single_file_is_a_submission(take, tmp_path, name):
    (tmp_path / name).write_bytes(ENGINE)
    assert engine(take(tmp_path / name)) == ENGINE


@pytest.mark.parametrize(
    ("best", "worse"),
    [
        ("engine.py", "Engine.py"),
        ("deep/down/engine.py", "engine (1).py"),
        ("engine.py", "deep/engine.py"),
        ("hw/engine.py", "old/engine.py"),
        ("mine/engine.py", "handout/engine.py"),
        ("Engine.py", "engine (7).py"),
        ("engine (10).py", "engine (9).py"),
        ("engine copy.py", "my_engine.py"),
    ],
)
def test_of_several_candidates_the_best_is_taken_and_the_other_named(take, best, worse):
    submission = take({worse: OTHER, best: ENGINE})
    assert engine(submission) == ENGINE
    assert worse in said(submission)


@pytest.mark.parametrize("name", ["test_engine.py", "engineer.py", "search_engineering.py"])
def test_a_file_that_only_resembles_the_engine_is_not_taken_for_it(take, name):
    with pytest.raises(SubmissionError, match=r"no engine\.py was found among the 2 files"):
        take({name: ENGINE, "main.py": OTHER})


def test_a_name_of_many_digits_costs_no_time(take):
    with pytest.raises(SubmissionError, match=r"no engine\.py"):
        take({"engine" + "1" * 100 + "x.py": b"x = 1\n"})


def test_an_optional_module_needs_its_own_name(take):
    submission = take({"engine.py": ENGINE, "my_nn.py": OTHER})
    assert "nn.py" not in submission.files


def test_an_optional_module_is_taken_beside_the_engine_first(take):
    submission = take({"nn.py": OTHER, "part/engine.py": ENGINE, "part/nn.py": ENGINE})
    assert (submission.directory / "nn.py").read_bytes() == ENGINE


def test_further_modules_beside_the_engine_come_along(take):
    submission = take(
        {"hw/engine.py": ENGINE, "hw/ops.py": OTHER, "hw/inner/__init__.py": b"", "hw/inner/rules.py": OTHER}
    )
    assert submission.files == ("engine.py", "inner/__init__.py", "inner/rules.py", "ops.py")


def test_python_files_elsewhere_are_named_and_not_taken(take):
    submission = take({"hw/engine.py": ENGINE, "else/ops.py": OTHER})
    assert submission.files == ("engine.py",)
    assert "else/ops.py" in said(submission)


def test_a_module_with_the_name_of_a_standard_one_is_left_out(take):
    submission = take({"engine.py": ENGINE, "math.py": OTHER})
    assert submission.files == ("engine.py",)
    assert "math.py was left out" in titles(submission)


# Who reads what.


def test_no_engine_at_all_is_said_with_what_came_instead(take):
    with pytest.raises(
        SubmissionError, match=r"no engine.py was found among the 2 files .*: notes.txt, plot.png; hand in"
    ):
        take({"notes.txt": b"", "plot.png": b""})


def test_names_in_a_message_are_escaped_and_capped(take):
    with pytest.raises(SubmissionError) as caught:
        take({f"\x1b[31m{'a' * 90}\n{number}.txt": b"" for number in range(30)})
    assert "\x1b" not in str(caught.value)
    assert "\n" not in str(caught.value)
    assert "and 22 more" in str(caught.value)
    assert len(str(caught.value)) < 1200


@pytest.mark.parametrize("files", [{}, {".DS_Store": b"", "__MACOSX/._engine.py": b""}])
def test_nothing_at_all_is_said_as_such(take, files):
    with pytest.raises(SubmissionError, match="nothing was handed in"):
        take(files)


def test_a_notebook_is_answered_with_the_way_to_export_it(take):
    with pytest.raises(SubmissionError, match=r"engine.ipynb is a notebook.*Executable Script.*name it engine.py"):
        take({"engine.ipynb": b"{}"})


# What has the right name and is something else.

NOTEBOOK = b'{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}'
GIVEN = b"# given engine.py\n"  # the handout's, as the fixture has it


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"%PDF-1.7\n", "is a PDF"),
        (b"PK\x03\x04\x14", "is a zip or a document of an office program"),
        (b"{\\rtf1 class Value: pass}", "is a document in rich text"),
        (b"\n<!DOCTYPE html>\n<title>engine.py</title>", "is a page of a web site"),
        (NOTEBOOK, "is a notebook.*Executable Script"),
        (b"\n " + NOTEBOOK, "is a notebook"),
    ],
)
def test_a_renamed_file_is_called_what_it_is(take, data, kind):
    with pytest.raises(SubmissionError, match=rf"engine\.py {kind}"):
        take({"engine.py": data})


def test_a_renamed_file_gives_way_to_one_that_is_python(take):
    submission = take({"engine.py": NOTEBOOK, "engine (1).py": ENGINE})
    assert engine(submission) == ENGINE


@pytest.mark.parametrize("data", [b'x = {"cells": 1, "nbformat": 2}\n', b"a = 1 < 2\n", b'"""%PDF-"""\n'])
def test_python_that_speaks_of_such_files_is_taken(take, data):
    assert engine(take({"engine.py": data})) == data


@pytest.mark.parametrize("name", ["engine_final.py", "engine (1).py", "my_engine.py", "old/engine.py"])
def test_work_beside_an_untouched_handout_is_taken_in_its_place(take, name):
    submission = take({"engine.py": GIVEN, name: ENGINE})
    assert engine(submission) == ENGINE
    assert "engine.py is as it was handed out" in titles(submission)
    assert f"{name} was taken as engine.py" in titles(submission)


@pytest.mark.parametrize("name", ["homework.py", "src/autograd.py"])
def test_the_only_other_file_with_the_class_is_taken_whatever_it_is_called(take, name):
    submission = take({"engine.py": GIVEN, name: b"class Value:\n    pass\n", "notes.py": OTHER})
    assert engine(submission) == b"class Value:\n    pass\n"


def test_of_two_other_files_with_the_class_none_is_guessed(take):
    submission = take({"engine.py": GIVEN, "one.py": b"class Value: pass\n", "two.py": b"class Value: pass\n"})
    assert engine(submission) == GIVEN


def test_an_untouched_handout_alone_is_taken_and_said(take):
    submission = take({"engine.py": GIVEN.replace(b"\n", b"\r\n")})
    assert "engine.py is as it was handed out: hand in the engine.py that you worked on" in titles(submission)


def test_a_handout_that_was_worked_on_is_taken_before_a_copy(take):
    submission = take({"engine.py": GIVEN + b"class Value: pass\n", "engine_final.py": OTHER})
    assert engine(submission) == GIVEN + b"class Value: pass\n"


def test_a_file_that_never_mentions_the_class_is_remarked_on(take):
    assert "engine.py never mentions Value" in titles(take({"engine.py": b"print('hello')\n"}))


@pytest.mark.parametrize("data", [b"class Value: pass\n", b"from .core import *\n", b"globals()['Value'] = object\n"])
def test_a_file_that_may_define_the_class_is_not_remarked_on(take, data):
    assert "never mentions" not in titles(take({"engine.py": data}))


def test_an_empty_engine_is_taken_and_remarked_on(take):
    assert "engine.py is empty" in titles(take({"engine.py": b"\n"}))


def test_a_source_that_does_not_exist_is_said(take, tmp_path):
    with pytest.raises(SubmissionError, match="does not exist"):
        take(tmp_path / "nowhere")


# How it is written.


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b"\xef\xbb\xbfx = 'e'\n", "UTF-8 with a byte order mark"),
        ("x = 'é'\n".encode("utf-16"), "UTF-16"),
        (b"\xfe\xff" + "x = 'é'\n".encode("utf-16-be"), "UTF-16"),
        ("x = 'é'\n".encode("utf-32"), "UTF-32"),
        ("x = 'é'\n".encode("latin-1"), "Windows-1252"),
        ("x = '“'\n".encode("cp1252"), "Windows-1252"),
        (b"x = '\x81'\n", "Latin-1"),
        (b"# coding: koi8-r\nx = '\xc1'\n", "koi8-r"),
        (b"x = 1\ry = 2\r", "Macintosh"),
    ],
)
def test_an_odd_encoding_is_read_and_named(take, data, name):
    submission = take({"engine.py": data})
    engine(submission).decode("utf-8")
    assert name in said(submission)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"x = 1\r\n\r\ny = 2\r\n", b"x = 1\n\ny = 2\n"),
        (b"x = 1\ry = 2\r", b"x = 1\ny = 2\n"),
        (b"x = 'a\x0cb'\n", b"x = 'a\x0cb'\n"),
        (b"\xef\xbb\xbfx = 1\n", b"x = 1\n"),
        ("# é\r\nx = 1".encode("utf-16"), "# é\nx = 1".encode()),
        ("x = 'é'".encode("latin-1"), "x = 'é'".encode()),
        (
            "#!/bin/python\n# -*- coding: latin-1 -*-\nx = 'é'".encode("latin-1"),
            "#!/bin/python\n# -*- coding: utf-8 -*-\nx = 'é'".encode(),
        ),
        (b"# vim: set fileencoding=cp1252 :\nx = '\x93'", "# vim: set fileencoding=utf-8 :\nx = '“'".encode()),
        (b"# coding: nonsense\nx = 1\n", b"# coding: utf-8\nx = 1\n"),
        ("# coding: ascii\nx = 'é'".encode(), "# coding: utf-8\nx = 'é'".encode()),
        (b"x = 1\n# coding: latin-1\n", b"x = 1\n# coding: latin-1\n"),
    ],
)
def test_the_source_becomes_utf8_line_for_line(take, data, expected):
    assert engine(take({"engine.py": data})) == expected


@pytest.mark.parametrize("codec", ["utf-7", "unicode_escape", "rot13", "zip", "punycode", "idna"])
def test_a_declared_codec_that_is_no_character_set_hides_no_code(take, codec):
    source = f"# coding: {codec}\n# +AAo-x = 1 \\n y = 2 é\n"
    assert engine(take({"engine.py": source.encode()})) == source.replace(codec, "utf-8").encode()


def test_windows_line_endings_are_not_worth_a_note(take):
    assert take({"engine.py": ENGINE.replace(b"\n", b"\r\n")}).notes == ()


# What stays outside.


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


# How much.


def test_a_file_beyond_the_cap_is_named_as_too_large(take):
    with pytest.raises(SubmissionError, match=r"engine\.py could not be taken: it is larger than 1 MiB"):
        take({"engine.py": b"#" * (intake.MAX_SOURCE_BYTES + 1)})


def test_a_file_at_the_cap_is_taken(take):
    assert take({"engine.py": b"#" * intake.MAX_SOURCE_BYTES}).files == ("engine.py",)


def test_too_many_python_files_are_refused(take):
    with pytest.raises(SubmissionError, match="more than 300 Python files"):
        take({f"m{number}.py": b"" for number in range(intake.MAX_SOURCES + 1)})


def test_too_many_bytes_are_refused(take, monkeypatch):
    monkeypatch.setattr(intake, "MAX_TOTAL_BYTES", 100)
    with pytest.raises(SubmissionError, match="add up to more than"):
        take({"a.py": b"#" * 60, "b.py": b"#" * 60})


def test_too_many_names_are_refused(take, monkeypatch):
    monkeypatch.setattr(intake, "MAX_ENTRIES", 3)
    with pytest.raises(SubmissionError, match="more than 3 files"):
        take({f"{number}.txt": b"" for number in range(4)})


@pytest.mark.parametrize("path", ["/".join("abcdefghijklmno") + "/x.py", "x" * 130 + ".py"])
def test_what_lies_too_deep_or_has_too_long_a_name_is_left_out(take, path):
    submission = take({"engine.py": ENGINE, path: OTHER})
    assert submission.files == ("engine.py",)
    assert "folders deep" in said(submission)


# Zips.


@pytest.fixture
def take_zip(take, tmp_path):
    def from_(data, name="handed.zip"):
        (tmp_path / name).write_bytes(data)
        return take(tmp_path / name)

    return from_


@pytest.mark.parametrize(
    "path", ["engine.py", "top/engine.py", "./top//engine.py", "top\\engine.py", "a\\b\\Engine.py"]
)
def test_a_zip_is_read_whoever_made_it(take_zip, path):
    assert engine(take_zip(zipped({path: ENGINE}))) == ENGINE


def test_a_zip_is_known_by_its_content(take_zip):
    assert take_zip(zipped({"engine.py": ENGINE}), "smithbob_340934_208490284_upload").files == ("engine.py",)


def test_folders_extracted_from_a_zip_made_on_windows_are_understood(take):
    assert take({"hw\\engine.py": ENGINE, "hw\\ops.py": OTHER}).files == ("engine.py", "ops.py")


def test_a_zip_that_was_zipped_again_is_opened_once(take_zip):
    assert take_zip(zipped({"hw/again.zip": zipped({"engine.py": ENGINE})})).files == ("engine.py",)


def test_a_zip_within_a_zip_within_a_zip_is_not_opened(take_zip):
    innermost = zipped({"engine.py": ENGINE})
    with pytest.raises(SubmissionError, match=r"no engine\.py was found"):
        take_zip(zipped({"b.zip": zipped({"c.zip": innermost})}))


def test_a_zip_in_a_folder_without_python_files_is_opened(take):
    assert take({"hw.zip": zipped({"engine.py": ENGINE})}).files == ("engine.py",)


def test_a_zip_beside_python_files_is_not_opened_and_named(take):
    submission = take({"engine.py": ENGINE, "more.zip": zipped({"ops.py": OTHER})})
    assert submission.files == ("engine.py",)
    assert "Not opened: more.zip" in titles(submission)


@pytest.mark.parametrize(
    "path", ["../engine.py", "/engine.py", "a/../../engine.py", "..\\engine.py", "C:\\hw\\engine.py"]
)
def test_a_member_that_leads_outside_is_left_out_and_flagged(take_zip, path):
    submission = take_zip(zipped({"engine.py": ENGINE, path: OTHER}))
    assert engine(submission) == ENGINE
    assert "leads out of the submission" in flagged(submission)


def test_a_link_in_a_zip_is_left_out(take_zip):
    link = zipfile.ZipInfo("extra.py")
    link.create_system = 3
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as made:
        made.writestr(link, "/etc/passwd")
        made.writestr("engine.py", ENGINE)
    submission = take_zip(stream.getvalue())
    assert submission.files == ("engine.py",)
    assert "extra.py: a link" in flagged(submission)


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_of_two_members_with_one_name_the_last_counts_and_staff_are_told(take_zip):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as made:
        made.writestr("engine.py", OTHER)
        made.writestr("engine.py", ENGINE)
    submission = take_zip(stream.getvalue())
    assert engine(submission) == ENGINE
    assert "handed in twice" in flagged(submission)


def test_an_encrypted_zip_is_answered_with_what_to_do(take_zip):
    data = bytearray(zipped({"engine.py": ENGINE}))
    data[data.index(b"PK\x01\x02") + 8] |= 1
    with pytest.raises(SubmissionError, match="protected by a password; make the zip without one"):
        take_zip(bytes(data))


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_method_that_unfolds_without_bound_is_refused(take_zip, method):
    with pytest.raises(SubmissionError, match="packed in an unusual way"):
        take_zip(zipped({"engine.py": ENGINE}, method))


@pytest.mark.parametrize("keep", [slice(-6), slice(0, 20), slice(30, None)])
def test_a_damaged_zip_is_said_to_be_damaged(take_zip, keep):
    with pytest.raises(SubmissionError, match="is damaged"):
        take_zip(zipped({"engine.py": ENGINE * 50})[keep])


def test_a_member_whose_bytes_changed_is_said_to_be_damaged(take_zip):
    data = zipped({"engine.py": ENGINE}, zipfile.ZIP_STORED).replace(b"Value", b"Valve", 1)
    with pytest.raises(SubmissionError, match=r"damaged: engine\.py in it cannot be read"):
        take_zip(data)


def test_a_bomb_stays_folded(take_zip):
    with pytest.raises(SubmissionError, match="larger than 1 MiB"):
        take_zip(zipped({"engine.py": b"\0" * (64 << 20)}))


@pytest.mark.parametrize("claimed", [10, 1 << 19])
def test_a_bomb_that_lies_about_its_size_stays_folded(take_zip, claimed):
    data = bytearray(zipped({"engine.py": b"\0" * (64 << 20)}))
    struct.pack_into("<L", data, data.index(b"PK\x01\x02") + 24, claimed)
    with pytest.raises(SubmissionError, match="is damaged"):
        take_zip(bytes(data))


def test_a_directory_of_a_hundred_thousand_names_is_refused_before_it_is_read(take_zip, monkeypatch):
    monkeypatch.setattr(zipfile, "ZipFile", None)  # reading it would fail
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 0xFFFF, 0xFFFF, 46 << 16, 0, 0)
    with pytest.raises(SubmissionError, match="more files than any homework"):
        take_zip(b"PK\x03\x04" + end)


def test_a_64_bit_directory_that_overrides_small_numbers_is_refused(take_zip):
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 1, 1, 46, 0, 0)
    wide = struct.pack("<4sQ2H2L4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, 1, 1, 1 << 30, 4)
    with pytest.raises(SubmissionError, match="more files than any homework"):
        take_zip(b"PK\x03\x04" + wide + struct.pack("<4sLQL", b"PK\x06\x07", 0, 4, 1) + end)


def test_of_two_zips_none_is_opened(take):
    packed = zipped({"engine.py": ENGINE})
    with pytest.raises(SubmissionError, match="opened only when it is a zip and nothing else is there"):
        take({"first.zip": packed, "second.zip": packed})


def test_a_zip_in_a_zip_in_a_zip_is_answered_with_how_deep_they_are_opened(take):
    packed = zipped({"b.zip": zipped({"engine.py": ENGINE})})
    with pytest.raises(SubmissionError, match="and none inside that"):
        take({"a.zip": packed})


def test_what_was_left_out_is_not_taken_for_the_file_that_is_missing(take):
    with pytest.raises(SubmissionError, match=r"no engine\.py was found"):
        take({"zebra.so": b"", "notes.txt": b""})


# What comes out.


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
