"""What has the right name and is something else is told by its content."""

import pytest

from autograder.errors import SubmissionError

from ..support.taken import ENGINE, OTHER, engine, titles

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
