"""Gradescope's submission_metadata.json, as far as it is of use: one number, for one warning to staff.

Nothing in it decides a grade. It may be missing, cut off or of another shape: then there is no warning.
"""

from __future__ import annotations

import json
import math
from pathlib import Path

_MAX_BYTES = 8 << 20  # results of earlier runs are in it


def points_warning(file: Path, possible: float) -> str:
    """Return what to change when Gradescope's assignment has other points than the tests; "" when nothing is known."""
    points = _total_points(file)
    if points is None or points == possible:
        return ""
    return (
        f"On Gradescope the assignment has {points:g} points, and the tests have {possible:g}: "
        f"set it to {possible:g} in the assignment's settings."
    )


def _total_points(file: Path) -> float | None:
    """Return the assignment's points, which Gradescope writes as a string."""
    try:
        if file.stat().st_size > _MAX_BYTES:
            return None
        points = float(json.loads(file.read_bytes())["assignment"]["total_points"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
    return points if math.isfinite(points) else None
