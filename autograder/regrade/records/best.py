"""The best of a student's attempts: each is graded and kept by itself, and the one with the most points is copied."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
from msgspec.structs import replace

from .class_report import RESULTS, Key, Record, film_file, read_record
from .ledger import Ledger


def attempt_id(identity: str, number: int) -> str:
    """Return the id under which one attempt is kept. No student's id holds a `~`."""
    return f"{identity}~{number}"


def keep_best(ledger: Ledger, identity: str, attempts: Sequence[str], keys: Mapping[str, Key]) -> int | None:
    """Keep the best of the `attempts`, ids of graded attempts in order, under `identity`; return its index.

    Of equal ones the newest counts. If an attempt waits, or could not be graded, nothing is kept: return None.
    """
    records = [_graded(ledger, attempt, keys[attempt]) for attempt in attempts]
    graded = [record for record in records if record is not None]
    if len(graded) < len(attempts):
        return None
    index = max(range(len(graded)), key=lambda place: (_points(graded[place]), place))
    results = (ledger.out / RESULTS / f"{attempts[index]}.json").read_bytes()
    file = film_file(ledger.out, attempts[index])
    film = file.read_bytes() if file.is_file() else b""
    ledger.keep(identity, msgspec.json.encode(replace(graded[index], id=identity)), results, film)
    return index


def _graded(ledger: Ledger, attempt: str, key: Key) -> Record | None:
    return read_record(ledger.out, attempt) if ledger.has(attempt, key) else None


def _points(record: Record) -> float:
    return record.score.earned if record.score else 0.0
