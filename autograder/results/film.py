"""The films of a report: for each failing open test a page that steps through its backward pass."""

from __future__ import annotations

import re
from pathlib import Path

from ..errors import AutograderError
from ..files import write_whole
from ..film.frames import Film
from ..film.page import page_of
from ..model import GradeReport
from .html import PAGES


def _name(test: str) -> str:
    """Return what a test's page is called: `test_reuse-test_reused_value-2.0`."""
    return re.sub(r"[^A-Za-z0-9_.]+", "-", test.rpartition("/")[2].replace(".py::", "-")).strip("-.")


def write_films(folder: Path, report: GradeReport) -> list[Path]:
    """Write a page for each outcome that has a film, named for its test, and return their paths."""
    films = {outcome.test.id: outcome.film for outcome in report.outcomes if isinstance(outcome.film, Film)}
    written = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for test, film in films.items():
            file = folder / f"{_name(test)}.html"
            write_whole(file, page_of(film, PAGES).encode())
            written.append(file)
    except OSError as problem:
        raise AutograderError(f"{folder}: the films cannot be written there: {problem.strerror or problem}") from None
    return written
