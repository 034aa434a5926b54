"""The file that holds the standard library for workers: made once for each Python, and kept beside our own bytecode.

Who may write there may change what the grader itself imports, so the file is trusted as far as the grader is.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
import tempfile
from pathlib import Path

from ..errors import SandboxError

_PROGRAM = Path(__file__).parents[1] / "worker" / "library.py"
_WRITABLE_BY_OTHERS = 0o022


def open_library(python: str) -> int:
    """Return a descriptor of the standard library of the interpreter `python`. Raise SandboxError if it has none."""
    kept = _place(python)
    found = _opened(kept)
    if found is not None:
        return found
    with contextlib.suppress(OSError):
        if not sys.dont_write_bytecode:
            return _made_and_kept(python, kept)
    with tempfile.TemporaryFile() as file:  # nothing may be written there: made for this run alone
        _write(python, file.fileno())
        return os.dup(file.fileno())


def _place(python: str) -> Path:
    """Return where the file of one interpreter is kept. An interpreter that was replaced has another."""
    program = Path(python).stat()
    identity = f"{os.path.realpath(python)} {program.st_mtime_ns} {program.st_size} {_PROGRAM.stat().st_mtime_ns}"
    return _PROGRAM.parent / "__pycache__" / f"library-{hashlib.sha256(identity.encode()).hexdigest()[:16]}"


def _opened(kept: Path) -> int | None:
    """Return a descriptor of the file that is kept; None if there is none, or if others than its owner may write it."""
    try:
        descriptor = os.open(kept, os.O_RDONLY | os.O_NOFOLLOW)
    except OSError:
        return None
    found = os.fstat(descriptor)
    if found.st_mode & _WRITABLE_BY_OTHERS or found.st_uid not in (os.geteuid(), _PROGRAM.stat().st_uid):
        os.close(descriptor)
        return None
    return descriptor


def _made_and_kept(python: str, kept: Path) -> int:
    kept.parent.mkdir(exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=kept.parent, delete=False) as file:
        try:
            _write(python, file.fileno())
            os.fchmod(file.fileno(), 0o644)
            Path(file.name).replace(kept)
        except BaseException:
            Path(file.name).unlink()
            raise
    return os.open(kept, os.O_RDONLY)


def _write(python: str, descriptor: int) -> None:
    import subprocess  # only where a file is made

    command = [python, "-I", "-S", str(_PROGRAM), str(descriptor)]
    answer = subprocess.run(command, pass_fds=[descriptor], capture_output=True, check=False)
    if answer.returncode != 0:
        reason = answer.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
        raise SandboxError(f"{python} cannot read its own standard library ({reason or answer.returncode})")
