"""Which layers confine a worker on this machine, and the level that they make."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from .assignment import Limits
from .model import Level

_FIRST_UID = 0x70000000  # far above the users of any system; lowered to what the user namespace maps


def strongest() -> Level:
    """Return the strongest level that this machine can give."""
    return Level.STRONG if sys.platform == "linux" and os.geteuid() == 0 else Level.PROCESS


def plan(level: Level, directory: Path, limits: Limits, uid: int) -> dict[str, Any]:
    """Return what confinement.confine is told for one worker."""
    strong = level is Level.STRONG
    return {
        "directory": str(directory),
        "chroot": strong,
        "uid": uid if strong else 0,
        "limits": {
            "RLIMIT_AS": limits.memory_mb << 20,
            "RLIMIT_CORE": 0,
            "RLIMIT_FSIZE": 0,
            "RLIMIT_NOFILE": 32,
            "RLIMIT_CPU": int(limits.submission_seconds) + 1,
        },
    }


def worker_uid(number: int) -> int:
    """Return a user id for the worker numbered `number`, one that this user namespace maps."""
    highest = 0
    for line in Path("/proc/self/uid_map").read_text("ascii").splitlines():
        first, _, count = map(int, line.split())
        highest = max(highest, first + count - 1)
    base = min(_FIRST_UID, highest - 0x8000)
    return base + (os.getpid() * 64 + number) % 0x7000
