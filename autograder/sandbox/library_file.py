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
from ..temporary import shared_memory

_PROGRAM = Path(__file__).parents[1] / "worker" / "library.py"
_WRITABLE_BY_OTHERS = 0o022


def open_library(python: str) -> int:
    """Return a descriptor of the standard library of the interpreter `python`.

    Raise SandboxError if it has none, and OSError if it cannot be run or the machine has no room.
    """
    kept = _place(python)
    found = _opened(kept)
    if found is not None:
        return found
    library = _library_of(python)
    if not sys.dont_write_bytecode:
        with contextlib.suppress(OSError):  # nothing may be written there
            return _kept(library, kept)
    return _in_memory(library)  # for this run alone


def _place(python: str) -> Path:
    """Return where the file of one interpreter is kept. An interpreter that was replaced has another."""
    program = os.stat(python)  # noqa: PTH116 - an error of it names the interpreter as it was given
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


def _kept(library: bytes, place: Path) -> int:
    place.parent.mkdir(exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=place.parent, delete=False) as file:
        try:
            file.write(library)
            file.flush()
            os.fchmod(file.fileno(), 0o644)
            Path(file.name).replace(place)
        except BaseException:
            Path(file.name).unlink()
            raise
    return os.open(place, os.O_RDONLY)


def _in_memory(library: bytes) -> int:
    descriptor = shared_memory(len(library))
    with open(descriptor, "wb", closefd=False) as file:
        file.write(library)
    return descriptor


def _library_of(python: str) -> bytes:
    """Return what the file of one interpreter holds. What the machine refuses meanwhile is an OSError on our side."""
    import subprocess  # only where a file is made

    answer = subprocess.run([python, "-I", "-S", str(_PROGRAM)], capture_output=True, check=False)
    if answer.returncode != 0:
        reason = answer.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
        raise SandboxError(f"{python} cannot read its own standard library ({reason or answer.returncode})")
    return answer.stdout
