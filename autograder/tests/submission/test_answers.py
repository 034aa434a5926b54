"""What is missing or in the wrong form is answered with what to do."""

import pytest

from autograder.errors import SubmissionError


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
