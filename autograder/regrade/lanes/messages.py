"""The messages between a lane and its coordinator, one in a frame."""

from __future__ import annotations

import msgspec

from ...assignment import Limits
from ...model import Level
from ..records.class_report import Run
from ..sources.delivery import Delivery


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """A lane's first message from its coordinator."""

    root: str  # of the assignment
    directory: str  # where it may put the submissions, one at a time
    level: Level | None = None  # to insist on; None for the strongest that there is
    core: int | None = None  # to stay on; None if there is no choice
    limits: Limits = Limits()  # in place of the configuration's
    hash_seed: int = 0  # of the zygote
    scored_only: bool = False  # the tests without points are left out
    trial: bool = False  # known engines are tried: whole reports come back, whatever the solution earns


class Hello(msgspec.Struct, frozen=True, kw_only=True):
    """A lane's first message: it is ready, or why it cannot be."""

    run: Run | None = None
    error: str = ""
    exit_status: int = 0


class ReadRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What the reader is asked for: one submission, its parts by path and name, as bytes: names need not be text."""

    id: str
    source: bytes
    folder: bytes
    parts: tuple[tuple[bytes, bytes], ...]


class ReadReply(msgspec.Struct, frozen=True, kw_only=True):
    """What the reader read, or why it could not; that says nothing about the submission."""

    delivery: Delivery | None = None
    problem: str = ""


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """The outcome of one delivery: a record, a results.json and perhaps a film, or why there is none of them."""

    id: str
    record: bytes = b""
    results: bytes = b""
    film: bytes = b""  # of a failed open test, if one shows a wrong step
    report: bytes = b""  # of a trial
    problem: str = ""
    again: bool = False  # the cause may be gone at the next try
