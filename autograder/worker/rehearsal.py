"""The canary's two processes: a control as free as the grader, and a worker confined as every worker will be.

It runs in the zygote, while the grader is still importing pytest, so that grading one submission hardly waits for it.
"""

from __future__ import annotations

import os
import select

from ..wire import format as wire
from ..wire.reader import Reader
from . import confinement, self_test

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_SECONDS = 10.0  # for attempts that take two milliseconds
_REPLIES = 4  # the worker's end of the pipe, as the zygote numbers it
_MAX_ANSWER = 1 << 16


def rehearse(scene: dict[str, Any], launch: Callable[[int, Callable[[list[str]], None]], int]) -> bytes:
    """Return, encoded, the mechanisms that hold and the results of the control's and the worker's attempts.

    `launch` forks a worker through the path that all take, whose replies go to the given pipe, calls what it is given
    in it, and returns its pid. A process that does not answer leaves an empty list of results.
    """
    leash, hold = os.pipe()
    from_control, to_us = os.pipe()
    control = os.fork()
    if control == 0:
        os.close(hold)
        _end_after(lambda: _be_control(scene, to_us, leash))
    os.close(to_us)
    separate = (
        scene["leave_network"] and confinement.leave_network()
    )  # after the control, which must find the machine's network
    control_results, found = _answer(from_control) or ([], {})
    held_results: list[Any] = []
    if found:
        from_worker, to_us = os.pipe()
        worker = launch(to_us, lambda held: _write(_REPLIES, [held, self_test.perform(found)]))
        os.close(to_us)
        held_results = _answer(from_worker) or []
        _finish(worker)
    os.close(hold)
    _finish(control)
    held, results = held_results or ([], [])
    return wire.encode([held, separate, control_results, results])


def _be_control(scene: dict[str, Any], answer: int, leash: int) -> None:
    os.chdir(scene["submission"])
    kept = self_test.set_up(scene)
    found = dict(scene)
    _write(answer, [self_test.perform(scene), found])
    os.read(leash, 1)  # until the worker has tried the same
    del kept


def _end_after(act: Callable[[], None]) -> None:
    try:
        act()
    finally:
        os._exit(0)


def _write(descriptor: int, value: Any) -> None:
    os.write(descriptor, wire.encode(value))  # a few kilobytes: less than a pipe holds
    os.close(descriptor)


def _answer(descriptor: int) -> Any:
    """Return the value that a process writes before it closes the pipe; None if there is none in time."""
    data = b""
    while len(data) < _MAX_ANSWER and select.select([descriptor], [], [], _SECONDS)[0]:
        part = os.read(descriptor, _MAX_ANSWER)
        if not part:
            break
        data += part
    os.close(descriptor)
    return Reader(data).value() if data else None


def _finish(pid: int) -> None:
    os.kill(pid, confinement.SIGKILL)
    os.waitpid(pid, 0)
