"""The tape: operations on remote objects in the order in which a test performs them.

An operation is queued and gets the number of its result at once; the queue crosses as one batch when
a number is read. So a test costs as many round trips as it reads numbers. Each entry keeps where in
the test it came from, so that an error that a later read brings home points at its own line. The
tape stays after the batch was sent: it is the program that a diagnosis has performed again.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Callable
from typing import Any, NoReturn

from ..errors import GivenUp, ProtocolError, RemoteError, WorkerError, WorkerTimeout
from ..sandbox.handle import Worker
from ..wire import format as wire
from ..wire.batch import encode_batch
from .errors import remote_error
from .leaves import Leaves
from .returns import Returns
from .step import Step, line_of, operation_of

_READ_AHEAD = 512  # leaves whose numbers come along with one that is read
_LONGEST = 200_000  # operations of one test, so that a test cannot fill the grader's memory
_FIRST_OBJECT, _Handle = wire.FIRST_OBJECT, wire.Handle
_tuple = tuple.__new__


class Tape:
    """Everything that one test asked of one worker."""

    def __init__(self, worker: Worker, allowance: Callable[[], float], returns: Returns | None = None) -> None:
        """Record for `worker`; `allowance` returns the seconds that the next request may take.

        `returns` is what is known of the submission's operations: one that is given up there is not asked for.
        """
        self.worker = worker
        self._returns = returns or Returns()
        self._returns.follow(self)
        self._given_up = self._returns.given_up  # that changes between tests, and when this tape breaks
        self.steps: list[Step] = []
        self._allowance = allowance
        self.leaves = Leaves()  # what the test itself constructed
        self._sent = 0  # how many steps have crossed
        self._ahead: dict[tuple[wire.Handle, str], float] = {}  # numbers that were read before they were asked for
        self._ahead_at = 0  # how many steps there were then: one more, of whatever kind, and they are not to be trusted
        self._broken: WorkerError | None = None
        self._goes_on = False  # after `_broken`: the operation asked for raised, and none was queued after it
        self.raised: RemoteError | None = None  # by the submission, last
        self.objects: dict[int, object] = {}  # what stands for the worker's objects that were handed out, by handle
        self.performed = 0  # how many steps are known to have been performed
        self.returned = 0  # how many are known to have come back, with a result or an exception
        self.seconds = 0.0  # that the worker used for the test, as limits count them
        self.modules: list[str] = []  # that the test asked for
        self.sent: list[tuple[int, int]] = []  # for each batch: how many steps had crossed, and where it stopped

    def number(self, handle: wire.Handle, name: str, names: tuple[str, ...], frame: types.FrameType) -> Any:
        """Return the attribute `name` of an object; with it come the `names` of the leaves, for the reads to follow.

        A test that reads one attribute reads others next: the same of the other leaves after a leaf, any after a
        computed value. What is plainly stored comes along in the same round trip and is good until the next operation.
        """
        if len(self.steps) != self._ahead_at:
            self._ahead.clear()
        elif (handle, name) in self._ahead:
            return self._ahead[handle, name]
        beside, among_them = self.leaves.beside(handle)
        others, wanted = beside[:_READ_AHEAD], (name,) if among_them else names
        value = self.fetch(wire.READ, (handle, name, tuple(others), wanted), frame)
        if type(value) is not tuple or len(value) != 2 or type(value[1]) is not list:
            self._fail(ProtocolError("the worker answered a read with something else"), self.steps[-1])
        keys = [(other, each) for other in others for each in wanted]
        known = {key: each for key, each in zip(keys, value[1], strict=False) if type(each) in (int, float)}
        self._ahead.update(known)
        self._ahead_at = len(self.steps)
        return value[0]

    def reset(self) -> None:
        """Forget the objects of the test before, as the first step of this one."""
        self.push(wire.RESET, (), sys._getframe())

    def push(self, code: int, arguments: tuple[Any, ...], frame: types.FrameType) -> wire.Handle:
        """Queue one operation; return the handle by which its result will be known."""
        # Every operator of every test comes here: a Step is made by its tuple, in half the time.
        steps = self.steps
        given = len(steps)
        if given >= _LONGEST:
            raise WorkerError(f"a test may perform at most {_LONGEST:,} operations")
        handle = _Handle(given + _FIRST_OBJECT)
        steps.append(_tuple(Step, (code, handle, arguments, frame.f_code, frame.f_lasti)))
        if self._given_up and (self._broken is None or self._goes_on):
            self._refuse_if_given_up()
        return handle

    def _refuse_if_given_up(self) -> None:
        """Raise GivenUp if the operation queued last is one that never comes back; the worker hears nothing of it."""
        operation = operation_of(self.steps[-1], self.steps)
        if operation in self._given_up:
            self.performed = len(self.steps) - 1
            self._fail(GivenUp("an operation that never comes back was not asked for again"), self.steps[-1])

    def fetch(self, code: int, arguments: tuple[Any, ...], frame: types.FrameType) -> Any:
        """Perform an operation now, after all that is queued, and return what it gave.

        The value is a plain one, or an Opaque that stands for an object. Raises RemoteError where the
        submission raised, at the test's own line, and WorkerTimeout, WorkerCrash or ProtocolError.
        """
        self.push(code, arguments, frame)
        return self.flush()

    def flush(self) -> Any:
        """Send what is queued and return the last operation's value; raise what went wrong."""
        if self._broken is not None:
            if not self._goes_on:
                raise self._broken.with_traceback(None)
            self._broken = None
        batch = self.steps[self._sent :]
        if not batch:
            return None
        operations = encode_batch([step[:3] for step in batch])
        self._sent = len(self.steps)
        self.sent.append((self._sent, self._sent))
        before = self.worker.used
        try:
            result = self.worker.exchange(operations, self._allowance())
        except WorkerError as problem:
            step = batch[self._stopped(self.worker.position, batch)]
            if isinstance(problem, WorkerTimeout):
                self._returns.timed_out(operation_of(step, self.steps))
            self._fail(problem, step)
        finally:
            self.seconds += self.worker.used - before
        if isinstance(result, wire.RaisedError):
            at = self._stopped(result.position, batch)
            self.returned = self.performed + 1
            self.raised = remote_error(result)
            self._fail(self.raised, batch[at], goes_on=at == len(batch) - 1)
        self.performed = self.returned = self._sent
        return result

    def _stopped(self, position: int, batch: list[Step]) -> int:
        """Note that the worker came to `position` of the last batch, and return that place in it."""
        position = min(position, len(batch) - 1)
        self.performed = self.returned = self._sent - len(batch) + position
        self.sent[-1] = (self._sent, self.performed)
        return position

    def abandon(self, problem: WorkerError) -> None:
        """Ask nothing more of the worker, which may be in the middle of an answer."""
        self._broken = problem if self._goes_on else self._broken or problem
        self._goes_on = False

    def end_block(self, arguments: tuple[Any, ...], frame: types.FrameType) -> Any:
        """Have a context manager end its block: also after an exception that ended the queue, which stays ended."""
        stopped, performed = (None if self._goes_on else self._broken), self.performed
        if stopped is not None:
            del self.steps[self._sent :]  # queued after the operation that raised
            self._broken = None
        try:
            return self.fetch(wire.EXIT, arguments, frame)
        finally:
            if stopped is not None:
                self._broken, self._goes_on, self.performed = stopped, False, performed

    @property
    def pending(self) -> bool:
        """Return True if operations are queued that have not crossed."""
        return self._sent < len(self.steps) and (self._broken is None or self._goes_on)

    @property
    def broken(self) -> WorkerError | None:
        """Return the error that ended the test's operations, if none followed it."""
        return self._broken

    @property
    def stopped(self) -> bool:
        """Return True if nothing more can be asked."""
        return self._broken is not None and not self._goes_on

    def _fail(self, problem: WorkerError, step: Step, *, goes_on: bool = False) -> NoReturn:
        """Raise `problem` so that its traceback ends at the test's line that queued `step`.

        The test may go on, as ordinary Python does, if nothing was queued behind that step.
        """
        self._broken, self._goes_on = problem, goes_on
        operation = operation_of(step, self.steps)
        problem.operation = f"`{operation}`" if operation else ""
        frame: types.FrameType | None = sys._getframe(1)
        while frame is not None and frame.f_code is not step.code_object:
            frame = frame.f_back
        if frame is None:  # the function that queued it has returned
            raise problem
        line = line_of(step.code_object, step.instruction) or frame.f_lineno
        raise problem.with_traceback(types.TracebackType(None, frame, step.instruction, line))
