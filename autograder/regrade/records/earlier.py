"""The class that an output directory holds already: its rows are not lost to a slip of whoever types the command."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import msgspec

from ...errors import AssignmentError
from ...text import counted, listed, one_line
from .class_report import CLASS, RUN, ClassEntry, Key, Run


def check_earlier(out: Path, assignment: str, ids: Collection[str]) -> str:
    """Return a sentence on submissions that `out` has a row for and that are not among `ids`; "" if there are none.

    Raises AssignmentError if most of them are not, or `out` holds grades of another assignment: it is another class.
    """
    earlier = _earlier(out)
    if earlier is None:
        return ""
    name, members = earlier
    if name != assignment:
        raise AssignmentError(
            f"{out} holds grades of the assignment {one_line(name)}, not of {one_line(assignment)}: "
            "choose another --out"
        )
    missing = [member.id for member in members if member.id not in ids]
    if 2 * len(missing) > len(members):
        raise AssignmentError(
            f"{out} holds a class of {counted(len(members), 'submission')}, and {len(missing)} of them are not in "
            f"these sources: {listed(missing)}. Their rows would be lost: name every source of the class, or choose "
            "another --out"
        )
    if not missing:
        return ""
    were = "submission of an earlier call is" if len(missing) == 1 else "submissions of an earlier call are"
    return (
        f"{len(missing)} {were} not in these sources and will have no row: {listed(missing)}. "
        "To keep what was handed in late, name its folder beside the others"
    )


def _earlier(out: Path) -> tuple[str, tuple[ClassEntry, ...]] | None:
    """Return the assignment and the members of the class in `out`; None if there is none that this version reads."""
    try:
        run = msgspec.json.decode((out / RUN).read_bytes(), type=Run)
        members, _ = msgspec.json.decode((out / CLASS).read_bytes(), type=tuple[tuple[ClassEntry, ...], dict[str, Key]])
    except (OSError, msgspec.MsgspecError):
        return None
    return run.assignment, members
