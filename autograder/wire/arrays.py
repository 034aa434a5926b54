"""Arrays across the wire, as plain data: the one module that knows the package whose arrays they are.

Nothing else of the grader names it, and neither side imports it before an array crosses: in the worker, it is there if
the zygote has loaded it. An adapter for another package has the same three names.
"""

from __future__ import annotations

import sys

from .format import ARRAY_TYPES, MAX_ARRAY_REPLY, MAX_DIMENSIONS, Array

TYPE_CHECKING = False  # typing's own constant costs its import, 8 ms in every worker
if TYPE_CHECKING:
    from typing import Any

PACKAGE = "numpy"  # as the configuration of a module calls it: arrays = "numpy"


def packed(item: Any, *, numbers: bool = False) -> Array | None:
    """Return an array as plain data; None for anything else, for what may not cross, or if none was ever made here.

    With `numbers`, the package's own numbers count as arrays without dimensions.
    """
    package: Any = sys.modules.get(PACKAGE)
    if package is None or not (type(item) is package.ndarray or (numbers and isinstance(item, package.generic))):
        return None
    if item.dtype.name not in ARRAY_TYPES or item.nbytes > MAX_ARRAY_REPLY or item.ndim > MAX_DIMENSIONS:
        return None
    return Array(item.dtype.name, item.shape, item.tobytes())


def unpacked(array: Array) -> Any:
    """Return plain data as an array with memory of its own; raise ValueError if its shape does not fit its size."""
    package: Any = sys.modules.get(PACKAGE) or __import__(PACKAGE)
    return package.frombuffer(array.data, dtype=array.dtype).reshape(array.shape).copy()
