"""Caps hold before work: what is handed in costs no more than its size allows."""

import pytest

from autograder.errors import SubmissionError
from autograder.submission.intake import DEEP, LARGE, MAX_SOURCE_BYTES, UploadEntry, filter_entries, tidy


class Counted:
    """Entries that count how many bytes are read of them."""

    def __init__(self):
        self.reads = []

    def entry(self, path, size=10):
        def read(limit):
            self.reads.append(path)
            return b"#" * min(size, limit + 1)

        return UploadEntry(path, size, read)


def test_of_many_members_with_one_name_only_the_last_is_read():
    counted = Counted()
    taken = filter_entries([counted.entry("engine.py", 10 + n % 2) for n in range(20_000)])
    assert counted.reads == ["engine.py"]
    assert len(taken.files[0].data) == 11


def test_too_many_files_are_refused_before_one_is_read():
    counted = Counted()
    with pytest.raises(SubmissionError, match="more than 300 Python files"):
        filter_entries(counted.entry(f"m{n}.py") for n in range(301))
    assert counted.reads == []


def test_a_file_that_is_too_large_is_not_read():
    counted = Counted()
    taken = filter_entries([counted.entry("engine.py", MAX_SOURCE_BYTES + 1)])
    assert [(item.path, item.why) for item in taken.left_out] == [("engine.py", LARGE)]
    assert counted.reads == []


@pytest.mark.parametrize(
    "name", ["e" + "\u0315\u0300" * 30_000 + ".py", "a/" * 30_000 + "engine.py", "x" * 60_000 + ".py"]
)
def test_a_name_of_sixty_kilobytes_is_cut_before_it_is_composed_and_refused(name):
    assert len(tidy(name)) <= 1024
    assert filter_entries([Counted().entry(name)]).left_out[0].why == DEEP


def test_a_short_name_is_composed():  # the control: what the cut must not change
    assert tidy("e\u0301.py") == "\u00e9.py"
