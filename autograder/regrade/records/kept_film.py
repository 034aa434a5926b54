"""The film that is kept of a submission: of the first failed open test that it shows going wrong.

It shows inputs of an open test and lines of the submission. It is made before any secret test runs.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from ...model import GradeReport
from .output import remove_output, write_output

if TYPE_CHECKING:
    from ...film.frames import Film

FILMS = "films"


def film_bytes(report: GradeReport) -> bytes:
    """Return the first film of a report with the id of its test, to be kept; b"" if it has none."""
    for outcome in report.outcomes:
        if outcome.film is not None:
            return msgspec.msgpack.encode((outcome.test.id, outcome.film))  # JSON has no infinity
    return b""


def keep_film(out: Path, identity: str, film: bytes) -> None:
    """Keep the film of one submission; without one, remove that of an earlier call."""
    if film:
        write_output(_file(out, identity), film)
    else:
        remove_output(_file(out, identity))


def kept_bytes(out: Path, identity: str) -> bytes:
    """Return what is kept of one submission's film; b"" if it has none."""
    try:
        return _file(out, identity).read_bytes()
    except FileNotFoundError:
        return b""


def kept_film(out: Path, identity: str) -> tuple[str, Film] | None:
    """Return the film of one submission and the id of its test; None if there is none that can be read."""
    from ...film.frames import Film  # only feedback shows it

    try:
        found: tuple[str, Film] = msgspec.msgpack.decode(kept_bytes(out, identity), type=tuple[str, Film])
    except msgspec.MsgspecError:
        return None
    return found


def _file(out: Path, identity: str) -> Path:
    return out / FILMS / f"{identity}.film"
