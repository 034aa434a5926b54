"""A temporary folder of one run of the tests, in which nothing may be left at its end."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path


class TemporaryFolder:
    """While it exists, this process and those that it starts make their temporary files in it."""

    def __init__(self) -> None:
        """Make it, where every user may write, as in the machine's own. What tests get of pytest stays outside it."""
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", tempfile.gettempdir())
        self._path = Path(tempfile.mkdtemp(prefix="autograder-tests-"))
        self._path.chmod(0o1777)
        self._before = os.environ.get("TMPDIR"), tempfile.tempdir
        os.environ["TMPDIR"] = tempfile.tempdir = str(self._path)

    def close(self) -> list[str]:
        """Remove it, and return the names of what was left in it."""
        left = sorted(path.name for path in self._path.iterdir())
        variable, tempfile.tempdir = self._before
        os.environ.pop("TMPDIR")
        if variable is not None:
            os.environ["TMPDIR"] = variable
        shutil.rmtree(self._path, ignore_errors=True)
        return left
