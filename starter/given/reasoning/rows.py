# Copied by `autograder starter` from autograder/diagnosis/reasoning/rows.py: edit that file.
"""An account of a traced run, checked: whatever it is, what is made of it is a log with numbers in range."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .line_log import DATA, GRAD, LineLog, LineStep, TracedRun
from .program import Place

_MOST_LINES = 100_000  # of a file
_MOST_ROWS = 1_000
_SEEN = 2


def run_of(reply: Any, places: Sequence[Place], files: Sequence[str]) -> TracedRun | None:
    """Return the run that `reply` tells of, whose steps after the first made the values at `places`; None if none."""
    if type(reply) is not list or len(reply) != 2 or type(reply[0]) is not bool or type(reply[1]) is not list:
        return None
    changes, sightings = [], []
    for row in reply[1][:_MOST_ROWS]:
        if not _is_row(row, files):
            return None
        file, line, place, what, before, after = row
        if what == _SEEN:
            sightings.append(LineStep(line, place, DATA, before, after, files[file]))
        elif 1 <= place <= len(places):
            changes.append(LineStep(line, places[place - 1], (DATA, GRAD)[what], before, after, files[file]))
    return TracedRun(LineLog(tuple(changes), complete=reply[0]), tuple(sightings))


def _is_row(row: Any, files: Sequence[str]) -> bool:
    """Return True if a row is what a trace may answer with: positions in range, and numbers."""
    if type(row) is not list or len(row) != 6 or any(type(each) is not int for each in row[:4]):
        return False
    file, line, place, what, *numbers = row
    in_range = 0 <= file < len(files) and 0 <= line <= _MOST_LINES and 0 <= place <= _MOST_ROWS and 0 <= what <= _SEEN
    return in_range and all(number is None or type(number) is float for number in numbers)
