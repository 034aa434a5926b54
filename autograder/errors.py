"""What can go wrong, and whose fault it is.

    AutograderError
    ├── AssignmentError      ours: the configuration or the suites are wrong; nothing is graded
    ├── InstallationError    this environment's: the grader is not whole here; nothing is graded
    ├── IsolationError       this machine's: a required layer is missing; nothing is graded
    ├── SubmissionError      the student's files: they cannot be read as a submission
    ├── UnreadError          reading the student's files took too long, or ended: the student was not judged
    ├── SandboxError         the grader's own zygote died: the student was not judged
    └── WorkerError          the student's code, while it ran
        ├── RemoteError      it raised an exception
        ├── WorkerTimeout    it did not answer in time
        │   └── GivenUp      what was asked for never came back in this submission, and was not asked for again
        ├── OwnTimeout       the test took too long on our side, with the values that it got
        ├── WorkerCrash      its process ended
        └── ProtocolError    it broke the wire; staff read about it

Failing to grade is never presented as a zero.
"""

from __future__ import annotations


class AutograderError(Exception):
    """The root of every error that the grader explains in a sentence, without a traceback."""

    exit_status = 3


class AssignmentError(AutograderError):
    """The assignment itself is wrong: its configuration, its suites or its points."""

    exit_status = 2


class InstallationError(AutograderError):
    """The grader is not whole where it is installed."""

    exit_status = 2


class IsolationError(AutograderError):
    """A layer of isolation that the assignment requires does not hold on this machine."""


class SubmissionError(AutograderError):
    """The submitted files cannot be read as a submission."""


class UnreadError(AutograderError):
    """The reading of a submission was ended at its deadline, or ended by itself; the submission was not judged."""


class SandboxError(AutograderError):
    """The grader's own side of the sandbox failed; the submission was not judged."""


class WorkerError(AutograderError):
    """The submission's code did something, while running, that ends the request.

    `operation` names what was being computed ("`push`"), as far as it is known.
    """

    operation = ""


class RemoteError(WorkerError):
    """The submission's code raised an exception; what is known of it came over the wire as text.

    `kind` is the nearest builtin exception's name, `frames` are (file, line, function) in the
    submission, innermost last. The class raised is also a subclass of that builtin, so that
    `pytest.raises(ZeroDivisionError)` matches.
    """

    def __init__(self, kind: str, class_name: str, message: str, frames: tuple[tuple[str, int, str], ...]) -> None:
        # Not super().__init__: a subclass may be a builtin as well, whose constructor wants other arguments.
        Exception.__init__(self, f"{class_name}: {message}" if message else class_name)
        self.kind, self.class_name, self.message, self.frames = kind, class_name, message, frames


class MisuseError(AutograderError, TypeError):
    """A test, or a value that the submission returned, used a remote object as a plain value."""


class WorkerTimeout(WorkerError):
    """The worker did not answer before the deadline."""


class GivenUp(WorkerTimeout):
    """An operation that had timed out twice and never come back was not asked for again; the worker is unharmed."""


class OwnTimeout(WorkerError):
    """A test used up its time on the grader's side, with the values that the submission returned."""


class WorkerCrash(WorkerError):
    """The worker's process ended before it answered."""


class ProtocolError(WorkerError):
    """The worker sent bytes that are not a reply to the request."""
