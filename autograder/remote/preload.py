"""What the zygote imports before a submission's workers are forked, so that none of them pays for it."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterable
from pathlib import Path

from ..assignment import Assignment
from ..sandbox.sandbox import Sandbox

_NUMPY = ("numpy", "numpy.linalg", "numpy.random", "numpy.typing")  # parts that it would load when they are first used


def preload(sandbox: Sandbox, directory: Path, files: Iterable[str], assignment: Assignment, *, arrays: bool) -> None:
    """Have the zygote import the allowed modules that `files` import; with `arrays`, NumPy where it may be.

    A worker finds the standard library in its memory; what is imported before spares each of them the import. The
    lines that say `import` are searched for words, which runs nothing of the submission. Its own modules come first.
    """
    files = tuple(files)
    text = b"\n".join((directory / name).read_bytes() for name in files if name.endswith(".py"))
    lines = [line for line in text.splitlines() if b"import" in line]  # not one regular expression: that took 9 ms
    words = set(re.findall(rb"[A-Za-z_]\w*", b"\n".join(lines)))
    own = {Path(name).parts[0].removesuffix(".py") for name in files}
    sandbox.preload(name for name in assignment.importable if name.encode("ascii") in words and name not in own)
    if arrays and assignment.array_modules(files):
        sandbox.preload(_NUMPY, beside=_home_of_numpy())


def _home_of_numpy() -> tuple[Path, ...]:
    """Return the directory to import NumPy from, without importing it here; nothing where it is not installed."""
    found = importlib.util.find_spec("numpy")
    return (Path(found.origin).parents[1],) if found and found.origin else ()
