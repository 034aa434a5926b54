"""Files for the self-test to attack, laid out in a temporary directory as the real ones are."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from ..assignment import Limits
from ..temporary import HeldDirectory, temporary_prefix
from .commands import Decoys

_DIRECTORIES = {"secret": 0o700, "results": 0o700, "submission": 0o755, "writable": 0o777}
_FILES = {"secret/test": 0o600, "results/results.json": 0o600, "readable": 0o644}


class DecoyFiles:
    """The files, until they are closed."""

    def __init__(self) -> None:
        """Make the files, with the rights that the real ones have."""
        self._directory = HeldDirectory(f"{temporary_prefix()}self-test-")
        self._root = Path(self._directory.name)
        self._root.chmod(0o711)
        for name, mode in _DIRECTORIES.items():
            (self._root / name).mkdir()
            (self._root / name).chmod(mode)
        for name, mode in _FILES.items():
            (self._root / name).write_bytes(b"decoy")
            (self._root / name).chmod(mode)

    def described(self, limits: Limits, hidden: Iterable[Path] = ()) -> Decoys:
        """Return what the self-test is given: these files, and what else to try."""
        return Decoys(
            uid=os.geteuid(),
            grader=os.getpid(),
            secret=str(self._root / "secret/test"),
            readable=str(self._root / "readable"),
            report=str(self._root / "results/results.json"),
            submission=str(self._root / "submission"),
            writable=str(self._root / "writable"),
            hidden=tuple(str(path) for path in hidden),
            memory=limits.memory_mb << 20,
        )

    def close(self) -> None:
        """Remove the files."""
        self._directory.cleanup()
