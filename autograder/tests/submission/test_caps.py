"""How much is taken: a file, a submission, a path."""

import pytest

from autograder.errors import SubmissionError
from autograder.submission import intake

from ..support.taken import ENGINE, OTHER, said


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
