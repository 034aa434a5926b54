"""The end of a `with` block of a test: what the submission's context manager learns of it, and what its answer may do.

It is told of the exception that left the block, never of the message of a failed assertion. Its answer, whether to
swallow the exception, holds only where the test asks for it, and never for a failed assertion: the submission would
pass its own test.
"""

from __future__ import annotations

import builtins
import types
from typing import Any

from ..errors import MisuseError, RemoteError, WorkerError
from ..wire import format as wire
from .crossing import Remote, handle_of, origin_of
from .declared import described
from .operators import refuse_use

_NEVER_SWALLOWED = (AssertionError, MemoryError, RecursionError)
_PLAIN = (type(None), bool, int, float, str)


def ended(target: Remote, problem: BaseException | None, frame: types.FrameType) -> bool:
    """Have a context manager end its block; return True if `problem`, which left the block, is swallowed."""
    if problem is not None and not _may_be_swallowed(target, problem):
        if not isinstance(problem, WorkerError) or isinstance(problem, RemoteError):
            _tell(target, problem, frame)
        return False
    answer = exit_with(target, problem, frame)
    if type(answer) not in _PLAIN:
        raise MisuseError(f"`__exit__` gives {described(answer)}; it must give True, False or None")
    if answer and problem is not None and not type(target).answers:
        refuse_use(target, "left to swallow an exception", "`with ask(x):`")
    return bool(answer)


def exit_with(target: Remote, problem: BaseException | None, frame: types.FrameType) -> Any:
    """Call `__exit__` with what stands for `problem` over there, and return what it gave."""
    tape, handle = origin_of(target).tape, handle_of(target)
    if problem is None:
        return tape.fetch(wire.METHOD, (handle, "__exit__", (None, None, None), {}), frame)
    kind, details = ("", ()) if problem is tape.raised else _described(problem)
    return tape.end_block((handle, kind, details), frame)


def _tell(target: Remote, problem: BaseException, frame: types.FrameType) -> None:
    """Let a context manager tidy up; the test fails with `problem`, whatever comes of it."""
    try:
        exit_with(target, problem, frame)
    except WorkerError:
        return


def _may_be_swallowed(target: Remote, problem: BaseException) -> bool:
    if isinstance(problem, RemoteError):
        return not origin_of(target).tape.stopped
    return isinstance(problem, Exception) and _is_builtin(type(problem)) and not isinstance(problem, _NEVER_SWALLOWED)


def _is_builtin(kind: type) -> bool:
    """Return True for a builtin class. Its module would not tell: pytest's own exceptions name that of the builtins."""
    return getattr(builtins, kind.__name__, None) is kind


def _described(problem: BaseException) -> tuple[str, tuple[Any, ...]]:
    """Return the name of the nearest builtin exception and arguments that it can be made of."""
    details: tuple[Any, ...] = (problem.message,) if isinstance(problem, RemoteError) else problem.args
    if isinstance(problem, AssertionError) or not all(type(part) in _PLAIN for part in details):
        details = ()
    for kind in type(problem).__mro__:
        if _is_builtin(kind):
            own = details if kind is type(problem) or isinstance(problem, RemoteError) else ()
            try:
                getattr(builtins, kind.__name__)(*own)
            except TypeError:  # it wants other arguments
                continue
            return kind.__name__, own
    return "Exception", ()
