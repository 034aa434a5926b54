"""From what a test raised to its outcome: a status and a failure as data."""

from __future__ import annotations

from pathlib import Path
from types import CodeType
from typing import TYPE_CHECKING

from ..assignment import Assignment, Limits
from ..errors import (
    GivenUp,
    MisuseError,
    OwnTimeout,
    ProtocolError,
    RemoteError,
    WorkerCrash,
    WorkerError,
    WorkerTimeout,
)
from ..failure import Failure, FailureKind, StudentFrame
from ..model import GradedTest, Status

if TYPE_CHECKING:
    import pytest

_STATEMENTS: dict[tuple[CodeType, int], str] = {}  # pytest parses the whole file for each: once is enough for a class

_TOO_LARGE = (
    "A number that came back is too large: neither it nor what is computed from it fits into a float (1.8e308)."
)
_ENDED: dict[type[BaseException], tuple[Status, FailureKind]] = {
    WorkerTimeout: (Status.TIMED_OUT, FailureKind.TIMEOUT),
    GivenUp: (Status.TIMED_OUT, FailureKind.TIMEOUT),
    OwnTimeout: (Status.TIMED_OUT, FailureKind.TIMEOUT),
    WorkerCrash: (Status.CRASHED, FailureKind.CRASH),
    ProtocolError: (Status.CRASHED, FailureKind.PROTOCOL),
}


def status_of(test: GradedTest, error: BaseException) -> Status:
    """Return the status that an exception raised in a test stands for."""
    if not test.scored and (untouched(error) or absent(error)):
        return Status.NOT_ATTEMPTED
    if type(error) in _ENDED:
        return _ENDED[type(error)][0]
    return Status.FAILED if isinstance(error, AssertionError) and not is_remote(error) else Status.ERRORED


def is_remote(error: BaseException) -> bool:
    """Return True if the submission, not the test, raised it."""
    return isinstance(error, WorkerError)


def untouched(error: BaseException) -> bool:
    """Return True if a task of the starter is still as it was handed out."""
    return isinstance(error, RemoteError) and error.kind == "NotImplementedError" and error.message.startswith("task ")


def absent(error: BaseException) -> bool:
    """Return True if the submission lacks what was asked for: a name, or an operator; none of its own code ran."""
    if not isinstance(error, RemoteError) or error.frames:
        return False
    return error.kind == "AttributeError" or (error.kind == "TypeError" and "bad operand type" in error.message)


def refused_import(error: BaseException) -> bool:
    """Return True if the submission imports what the assignment does not allow. The message is the module's name."""
    return isinstance(error, RemoteError) and error.class_name == "RefusedImport"


def failure_of(
    error: BaseException,
    assignment: Assignment,
    *,
    excinfo: pytest.ExceptionInfo[BaseException] | None = None,
    file: Path | None = None,
    compared: tuple[str, str] | None = None,
) -> Failure:
    """Return why a test did not pass; `compared` is (expected, got) of its last comparison."""
    remote = error if isinstance(error, RemoteError) else None
    expected, got = compared if compared and isinstance(error, AssertionError) and remote is None else ("", "")
    return Failure(
        kind=_kind(error),
        exception=_exception(error),
        explanation=explanation(error, assignment.limits),
        message=_message(error, assignment),
        statement=statement(excinfo, file) if excinfo and file else "",
        expected=expected,
        got=got,
        frames=tuple(StudentFrame(file=f, line=n, function=w) for f, n, w in remote.frames) if remote else (),
    )


def _kind(error: BaseException) -> FailureKind:
    if isinstance(error, AssertionError) and not is_remote(error):
        return FailureKind.ASSERTION
    return _ENDED[type(error)][1] if type(error) in _ENDED else FailureKind.EXCEPTION


def _exception(error: BaseException) -> str:
    if refused_import(error):
        return "RefusedImport"
    return error.kind if isinstance(error, RemoteError) else type(error).__name__


def _message(error: BaseException, assignment: Assignment) -> str:
    if isinstance(error, RemoteError) and refused_import(error):
        place = f"{error.frames[-1][0]} line {error.frames[-1][1]}" if error.frames else "the code"
        return f"{place} imports {error.message}; {assignment.import_refusal(error.message)}"
    if isinstance(error, RemoteError):
        return str(error)
    if isinstance(error, OverflowError):  # of the test's own arithmetic
        return _TOO_LARGE
    return str(error).partition("\n")[0] if isinstance(error, AssertionError) else str(error)


def explanation(error: BaseException, limits: Limits) -> str:
    """Return the grader's own sentence on an error. It holds nothing that the worker sent."""
    if isinstance(error, WorkerError):
        return _worker_explanation(error, limits)
    if isinstance(error, MisuseError):
        return "A value is of the wrong type."
    return "" if isinstance(error, AssertionError) else "The test could not go on with the value that it got."


def _worker_explanation(error: WorkerError, limits: Limits) -> str:
    where = f" while it computed {error.operation}" if error.operation else ""
    if isinstance(error, RemoteError):
        return _remote_explanation(error, where)
    return {
        GivenUp: f"Not asked again: {error.operation} never came back in the tests before.",
        WorkerTimeout: f"No answer in time{where}: a loop without end, or far too slow.",
        OwnTimeout: "The test did not come to an end with the values that the code returned.",
        WorkerCrash: f"The process ended{where}: it left by itself, or needed more than {limits.memory_mb} MB.",
        ProtocolError: f"The process sent something that is no answer{where}.",
    }.get(type(error), str(error))


def _remote_explanation(error: RemoteError, where: str) -> str:
    if untouched(error):
        return "This task is not written yet."
    if refused_import(error):
        return "The code imports a module that this homework does not allow."
    return f"The code raised {_article(error.kind)}{where}."


def _article(word: str) -> str:
    return ("an " if word[:1] in "AEIOU" and not word.startswith("Uni") else "a ") + word


def statement(excinfo: pytest.ExceptionInfo[BaseException], file: Path) -> str:
    """Return the line of the test that failed: the innermost one in its own file."""
    entries = [entry for entry in excinfo.traceback if Path(str(entry.path)) == file]
    if not entries:
        return ""
    place = (entries[-1].frame.code.raw, entries[-1].lineno)
    if place not in _STATEMENTS:
        _STATEMENTS[place] = str(entries[-1].statement).strip()
    return _STATEMENTS[place]
