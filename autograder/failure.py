"""Why a test did not pass, as data: the kind of failure, what was said, and the lines of the submission."""

from __future__ import annotations

import enum

import msgspec


class FailureKind(str, enum.Enum):
    """What sort of thing stood in the way of a test."""

    ASSERTION = "assertion"  # of the test itself
    EXCEPTION = "exception"  # of the submission, or of the test with what it got
    TIMEOUT = "timeout"
    CRASH = "crash"  # the worker's process ended
    PROTOCOL = "protocol"  # the worker broke the wire
    BLOCKED = "blocked"  # the test was not run
    IMPORT = "import"  # nothing was: the submission could not be imported
    SUBMISSION = "submission"  # its files could not be read


class BlockedBy(str, enum.Enum):
    """Why a test was not run."""

    TEST = "test"  # the one that must pass first did not
    SUBMISSION_TIME = "submission_time"  # the time for all tests of the submission was used up
    RUN_TIME = "run_time"  # the time for the whole run was


class StudentFrame(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the submission in a traceback."""

    file: str
    line: int
    function: str
    text: str = ""  # that line, as the grader read it; "" when the submission has no such line


class Failure(msgspec.Struct, frozen=True, kw_only=True):
    """Why a test did not pass, as data; feedback.py decides who may read which part.

    `explanation` is the grader's own sentence and holds no value of a test. Everything else may.
    """

    kind: FailureKind = FailureKind.EXCEPTION
    exception: str = ""  # the name of its class, or of the builtin nearest to it
    explanation: str = ""
    message: str = ""  # what the exception said: the student's words
    statement: str = ""  # the test's line that failed
    expected: str = ""
    got: str = ""
    frames: tuple[StudentFrame, ...] = ()  # innermost last
