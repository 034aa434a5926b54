"""A film beside what a student reads: the lines of the submission, and the diagnosis above it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

from msgspec import structs

from ..film.excerpt import excerpt_of
from ..film.frames import Film
from ..model import TestOutcome


def with_film(outcome: TestOutcome, film: Film | None, text_of: Callable[[str], str]) -> TestOutcome:
    """Return an outcome with its film, if it has one: beside it lines of the submission, above it the diagnosis."""
    if film is None:
        return outcome
    found, file = outcome.diagnosis, film.main_file
    note = found.sentence if found else ""
    if found and found.line:
        note += f" {found.line.file} line {found.line.line} {found.line.said}."
    ran = {frame.line for frame in film.frames if frame.line and frame.file == file}
    shown = film.with_lines(file, excerpt_of(text_of(file), ran))
    return structs.replace(outcome, film=dataclasses.replace(shown, note=note))
