"""The tape: operations on remote objects in the order in which a test performs them.

An operation is queued and gets the number of its result at once; the queue crosses as one batch when
a number is read. So a test costs as many round trips as it reads numbers. Each entry keeps where in
the test it came from, so that an error that a later read brings home points at its own line. The
tape stays after the batch was sent: it is the program that a diagnosis has performed again.
"""

from __future__ import annotations

import bisect
import sys
import types
from collections.abc import Callable
from typing import Any, NoReturn

from ..errors import GivenUp, ProtocolError, WorkerError, WorkerTimeout
from ..sandbox.handle import Worker
from ..wire import format as wire
from ..wire.batch import encode_batch
from .errors import remote_error
from .returns import Returns
from .step import Step, line_of, operation_of

_READ_AHEAD = 512  # leaves whose numbers come along with one that is read
_LONGEST = 200_000  # operations of one test, so that a test cannot fill the grader's memory
_FIRST_OBJECT, _Handle = wire.FIRST_OBJECT, wire.Handle
_tuple = tuple.__new__


class Leaves:
    """The handles of the leaves that a test constructs, in groups: between two reads it constructs those of one graph.

    A test that reads one gradient next reads others of the same graph, so they come along in one round trip.
    """

    def __init__(self) -> None:
        self._all: list[wire.Handle] = []
        self._starts = [0]  # where each group begins
        self._read = False  # since the last leaf

    def add(self, handle: wire.Handle) -> None:
        """Note a leaf: the first of a group, when something was read since the one before."""
        if self._read:
            self._starts.append(len(self._all))
            self._read = False
        self._all.append(handle)

    def beside(self, handle: wire.Handle) -> tuple[list[wire.Handle], bool]:
        """Return the leaves to read along with `handle`, and whether it is one of them.

        They are those of its own group, from itself on and around; for a computed value, those made last.
        """
        self._read = True
        place = bisect.bisect_left(self._all, handle)
        if place == len(self._all) or self._all[place] != handle:
            return self._all[self._starts[-1] :], False
        start, end = self._group(place)
        return self._all[place:end] + self._all[start:place], True

    def _group(self, place: int) -> tuple[int, int]:
        following = bisect.bisect_right(self._starts, place)
        end = self._starts[following] if following < len(self._starts) else len(self._all)
        return self._starts[following - 1], end


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
        self.performed = 0  # how many steps are known to have been performed
        self.returned = 0  # how many are known to have come back, with a result or an exception
        self.seconds = 0.0  # that the worker used for the test, as limits count them
        self.modules: list[str] = []  # that the test asked for
        self.sent: list[int] = []  # how many steps had crossed after each batch

    def number(self, handle: wire.Handle, name: str, names: tuple[str, ...], frame: types.FrameType) -> Any:
        """Return the attribute `name` of an object; with it come the `names` of the leaves, for the reads to follow.

        A test that reads one gradient reads others next: the same of the other leaves after a leaf, any after a
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
        if self._given_up and self._broken is None:
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
            raise self._broken.with_traceback(None)
        batch = self.steps[self._sent :]
        if not batch:
            return None
        operations = encode_batch([step[:3] for step in batch])
        self._sent = len(self.steps)
        self.sent.append(self._sent)
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
            step = batch[self._stopped(result.position, batch)]
            self.returned = self.performed + 1
            self._fail(remote_error(result), step)
        self.performed = self.returned = self._sent
        return result

    def _stopped(self, position: int, batch: list[Step]) -> int:
        """Note that the worker came to `position` of the last batch, and return that place in it."""
        position = min(position, len(batch) - 1)
        self.performed = self.returned = self._sent - len(batch) + position
        return position

    def abandon(self, problem: WorkerError) -> None:
        """Ask nothing more of the worker, which may be in the middle of an answer."""
        self._broken = self._broken or problem

    @property
    def pending(self) -> bool:
        """Return True if operations are queued that have not crossed."""
        return self._broken is None and self._sent < len(self.steps)

    @property
    def broken(self) -> WorkerError | None:
        """Return the error after which nothing more can be asked, if there was one."""
        return self._broken

    def _fail(self, problem: WorkerError, step: Step) -> NoReturn:
        """Raise `problem` so that its traceback ends at the test's line that queued `step`."""
        self._broken = problem
        operation = operation_of(step, self.steps)
        problem.operation = f"`{operation}`" if operation else ""
        frame: types.FrameType | None = sys._getframe(1)
        while frame is not None and frame.f_code is not step.code_object:
            frame = frame.f_back
        if frame is None:  # the function that queued it has returned
            raise problem
        line = line_of(step.code_object, step.instruction) or frame.f_lineno
        raise problem.with_traceback(types.TracebackType(None, frame, step.instruction, line))
