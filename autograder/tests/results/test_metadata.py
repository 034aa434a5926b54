"""Gradescope's metadata is worth a warning to staff at most, and harms nothing whatever it holds."""

import json

import pytest

from autograder.results.metadata import points_warning


@pytest.fixture
def warning(tmp_path):
    """Return the warning for a metadata file of these bytes, for tests worth 100 points."""

    def of(data):
        file = tmp_path / "submission_metadata.json"
        file.write_bytes(data if isinstance(data, bytes) else json.dumps(data).encode())
        return points_warning(file, 100.0)

    return of


def test_other_points_than_the_tests_have_are_named_with_the_remedy(warning):
    told = warning({"assignment": {"total_points": "40.0"}})
    assert told.startswith("On Gradescope the assignment has 40 points, and the tests have 100: set it to 100 ")


@pytest.mark.parametrize("points", ["100.0", 100.0], ids=["text", "number"])
def test_the_same_points_are_not_worth_a_word(warning, points):
    assert warning({"assignment": {"total_points": points}}) == ""


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"", id="empty"),
        pytest.param(b'{"assignment": {"tot', id="cut off"),
        pytest.param(b"\xff\xfe", id="no text"),
        pytest.param(b"[" * 200_000, id="nested"),
        pytest.param([], id="a list"),
        pytest.param({"assignment": None}, id="null"),
        pytest.param({"assignment": {}}, id="without points"),
        pytest.param({"assignment": {"total_points": "many"}}, id="no number"),
        pytest.param({"assignment": {"total_points": "nan"}}, id="nan"),
        pytest.param({"assignment": {"total_points": [40]}}, id="a list of points"),
    ],
)
def test_metadata_of_any_other_shape_is_silence(warning, data):
    assert warning(data) == ""


def test_without_metadata_there_is_silence(tmp_path):
    assert points_warning(tmp_path / "submission_metadata.json", 100.0) == ""
