"""An exception of the submission as data: its builtin class, its own, its message, and the submission's own frames."""

from __future__ import annotations

import builtins

from ..wire import format as wire
from ..wire.format import RaisedError

TYPE_CHECKING = False  # typing's own constant costs its import, 8 ms in every worker
if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import TracebackType

_BUILTIN_ERRORS = {
    value for value in vars(builtins).values() if isinstance(value, type) and issubclass(value, BaseException)
}


def raised(position: int, problem: BaseException, files: Mapping[str, str]) -> RaisedError:
    """Return `problem`, raised by the operation at `position`; `files` are the submission's names by their paths."""
    kinds = [kind.__name__ for kind in type(problem).__mro__ if kind in _BUILTIN_ERRORS]
    try:
        message = str(problem)
    except BaseException as second:  # noqa: BLE001 - the student's __str__ may raise anything too
        message = f"(its message raised {type(second).__name__})"
    return RaisedError(position, kinds[0], type(problem).__name__, message, _frames(problem, files))


def _frames(problem: BaseException, files: Mapping[str, str]) -> tuple[tuple[str, int, str], ...]:
    """Return (file, line, function) of the submission's own frames, innermost last."""
    frames: list[tuple[str, int, str]] = []
    trace: TracebackType | None = problem.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        if code.co_filename in files:
            frames.append((files[code.co_filename], trace.tb_lineno, code.co_name))
            del frames[: -wire.MAX_FRAMES]
        trace = trace.tb_next
    if isinstance(problem, SyntaxError) and problem.filename is not None and problem.filename in files:
        frames.append((files[problem.filename], problem.lineno or 0, "<module>"))
    return tuple(frames)
