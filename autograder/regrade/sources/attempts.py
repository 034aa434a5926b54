"""Several attempts of one student: one counts, whole. Two are never poured together."""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable
from datetime import datetime

from msgspec.structs import replace

from ...errors import AssignmentError
from ...text import indented, natural_key, one_line
from .found import Attempt, FoundSubmission

# How times are written in names: Brightspace, Blackboard, ISO 8601 with and without separators.
FORMATS = (
    *("%b %d, %Y %I:%M %p", "%B %d, %Y %I:%M %p", "%d %b, %Y %I:%M %p", "%d %B, %Y %I:%M %p"),
    *("%Y-%m-%d-%H-%M-%S", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H-%M-%S", "%Y-%m-%d %H:%M:%S", "%Y-%m-%d %H:%M"),
    *("%Y-%m-%d_%H-%M-%S", "%Y%m%d%H%M%S", "%Y%m%dT%H%M%S", "%Y%m%d_%H%M%S", "%Y-%m-%d", "%Y%m%d"),
)
_CLOCK = re.compile(r"\b(\d{1,2}):?(\d\d) ?([AaPp][Mm])$")  # Brightspace leaves out the colon: 112 AM is 1:12
_SHOWN = 20


class AttemptChoice(enum.Enum):
    """Which of a student's attempts counts; the values are those of `--attempt`."""

    LATEST = "latest"
    FIRST = "first"
    BEST = "best"  # every attempt is graded, and the one with the most points counts


def moment(text: str) -> datetime | None:
    """Return the time that `text` says in one of FORMATS, or None."""
    text = _CLOCK.sub(r"\1:\2 \3", text.strip()[:40])
    for form in FORMATS:
        try:
            return datetime.strptime(text, form)
        except ValueError:
            continue
    return None


def numbered(attempts: Iterable[Attempt]) -> tuple[Attempt, ...]:
    """Return attempts by time; by name, in the order in which people count, if a time is missing."""
    attempts = sorted(attempts, key=lambda each: natural_key(each.label))
    if all(each.when for each in attempts):
        attempts = sorted(attempts, key=lambda each: each.when or datetime.min)
    return tuple(attempts)


def settled(
    found: Iterable[FoundSubmission], choice: AttemptChoice | int | None, *, source: str
) -> list[tuple[FoundSubmission, ...]]:
    """Return each submission with the attempt that counts; for BEST with every attempt, in the order of their numbers.

    Raises AssignmentError that lists the attempts of everybody whose names do not tell which is the newest.
    """
    found, unclear = list(found), list[str]()
    for each in found:
        attempts = numbered(each.attempts)
        if len(attempts) > 1 and not _is_ordered(attempts):
            unclear += [f"{each.id}: {one_line(attempt.label)}" for attempt in attempts]
    if unclear and choice is not AttemptChoice.BEST and not isinstance(choice, int):
        raise AssignmentError(
            f"{one_line(source)} holds several attempts, and their names do not say which is the newest:"
            f"{indented(unclear, _SHOWN)}\nSay which counts: --attempt 1, 2 … in this order of each student's, or "
            "--attempt best. With --name-regex, (?P<time>…) gives the time, and (?P<file>…) says that several files "
            "are parts of one attempt"
        )
    return [_chosen(each, choice) for each in found]


def _chosen(each: FoundSubmission, choice: AttemptChoice | int | None) -> tuple[FoundSubmission, ...]:
    attempts = numbered(each.attempts)
    if not attempts:
        return (each,)
    if isinstance(choice, int):
        if choice > len(attempts):
            missing = f"there is no attempt {choice}: {len(attempts)} handed in"
            return (replace(each, missing=missing, attempts=()),)
        return (_with(each, attempts, choice),)
    if choice is AttemptChoice.BEST:
        return tuple(_with(each, attempts, number) for number in range(1, len(attempts) + 1))
    return (_with(each, attempts, 1 if choice is AttemptChoice.FIRST else len(attempts)),)


def _with(each: FoundSubmission, attempts: tuple[Attempt, ...], number: int) -> FoundSubmission:
    """Return the submission with one of its attempts, and a remark if there are others."""
    attempt = attempts[number - 1]
    several = (f"attempt {number} of {len(attempts)}: {attempt.label}",) if len(attempts) > 1 else ()
    remarks = each.remarks + attempt.remarks + several
    return replace(each, parts=attempt.parts, remarks=remarks, missing=attempt.missing or each.missing, attempts=())


def _is_ordered(attempts: tuple[Attempt, ...]) -> bool:
    """Return True if every attempt has a time of its own."""
    times = {each.when for each in attempts}
    return None not in times and len(times) == len(attempts)
