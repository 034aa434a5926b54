"""The self-test: tries, where a submission will run, what a submission could try.

Each attack is tried twice: by a worker that is confined as every worker is, and by a control with the grader's own
rights. Only an attack that succeeds in the control says anything about the layer that stopped it in the worker.
Everything that is attacked is a decoy made for it, but for the files that the caller names.

It runs in the zygote's children, while the grader is still importing pytest, so that grading one submission hardly
waits for it. Its parts take turns:

    zygote ── forks ──→ control: makes the targets, tries the attacks on them, waits to be killed
           ── forks ──→ tester ── forks ──→ worker: is confined, tries the same
                        tester: sends both outcomes to the grader
"""

from __future__ import annotations

import _socket
import ctypes
import errno
import os
import select
import time

from ..wire import format as wire
from ..wire.reader import Reader
from . import child, confinement
from .attacks import ATTACKS
from .namespaces import leave_network, leave_processes, return_to_processes

TYPE_CHECKING = False  # typing's own constant costs its import, 8 ms in every worker
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .commands import Decoys, Targets, Trial

NETWORK, PROCESSES = "network namespace", "process namespace"  # as the grader knows them
SUCCEEDED, UNSURE = 0, -1  # any other result is the errno with which an attack failed

_SECONDS = 10.0  # for attacks that take two milliseconds
_REPLIES = 4  # the worker's end of the pipe, as a worker numbers it
_MOST_BYTES = 1 << 16  # of a trial, or of what a process reports
_DUMPABLE = 4  # of prctl
_libc = ctypes.CDLL(None, use_errno=True)


def run(trial: int, descriptors: list[int], send: Callable[[bytes], None], *, namespaces: bool) -> bool:
    """Have both processes try the attacks, and `send` the outcome.

    `trial` is a descriptor of an encoded Trial; `descriptors` are a worker's. The outcome is a list, encoded: the
    mechanisms that hold, the namespaces that could be made, and each process's (layer, attack, result). The results of
    a process that did not answer are an empty list. Return whether a process namespace could be made.
    """
    zygote = os.getpid()
    from_control, to_tester = os.pipe()
    control = child.forked(lambda: _be_control(_read_trial(trial)["decoys"], to_tester, zygote))
    os.close(to_tester)
    # After the control is forked, which must be in the machine's network; before the tester, whose worker must not.
    made = [NETWORK] if namespaces and leave_network() else []
    home = leave_processes() if namespaces else None
    made += [PROCESSES] if home is not None else []
    tester = child.forked(
        lambda: _report(_outcome(_read_trial(trial), descriptors, made, from_control), send), apart=home is not None
    )
    if home is not None:
        return_to_processes(home)
    os.close(from_control)
    if os.waitpid(tester, 0)[1] != 0:
        send(wire.encode([[], [], [], []]))
    _kill(control)
    return home is not None


def perform(targets: Targets) -> list[tuple[str, str, int]]:
    """Try every attack; return (layer, attack, result) for each."""
    return [(layer, attack.__name__.strip("_"), result_of(attack, targets)) for layer, attack in ATTACKS]


def result_of(attack: Callable[[Targets], None], targets: Targets) -> int:
    """Return SUCCEEDED, UNSURE, or the errno with which an attack failed."""
    try:
        attack(targets)
    except OSError as problem:
        # The kernel reads a call's arguments after all filters: a bad address means that the call got through.
        return SUCCEEDED if problem.errno == errno.EFAULT else problem.errno or UNSURE
    except Exception:  # noqa: BLE001 - an attack that fails in another way than the system's proves nothing
        return UNSURE
    return SUCCEEDED


def set_up(decoys: Decoys) -> tuple[Targets, list[Any]]:
    """Return the decoys with what can be attacked besides files, sockets and a process; and what must be kept alive."""
    listener, receiver, abstract = (
        _socket.socket(_socket.AF_INET, _socket.SOCK_STREAM),
        _socket.socket(_socket.AF_INET, _socket.SOCK_DGRAM),
        _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM),
    )
    tcp = udp = 0
    try:
        listener.bind(("127.0.0.1", 0))
        listener.listen(2)
        receiver.bind(("127.0.0.1", 0))
        tcp, udp = listener.getsockname()[1], receiver.getsockname()[1]
    except OSError:
        pass  # a machine without a loopback device: the control's attacks will fail, and that tells it
    name = f"autograder-self-test-{os.getpid()}"
    abstract.bind("\0" + name)
    abstract.listen(2)
    targets: Targets = {**decoys, "tcp": tcp, "udp": udp, "abstract": name, "process": _idle_process()}
    return targets, [listener, receiver, abstract]


def _idle_process() -> int:
    """Start a process that does nothing, and that only its own user may look into; return its pid."""
    parent = os.getpid()
    _libc.prctl(_DUMPABLE, 1, 0, 0, 0)  # as a process is that does not defend itself; the child inherits it
    pid = os.fork()
    if pid == 0:
        os.closerange(3, 256)
        confinement.end_with(parent)
        while True:
            time.sleep(_SECONDS)
    return pid


def _be_control(decoys: Decoys, answer: int, zygote: int) -> None:
    confinement.end_with(zygote)
    os.chdir(decoys["submission"])
    targets, kept = set_up(decoys)
    _write(answer, [perform(targets), targets])
    while kept:
        time.sleep(_SECONDS)  # until the worker has tried the same; then the zygote kills this process


def _outcome(trial: Trial, descriptors: list[int], made: list[str], from_control: int) -> list[Any]:
    control_results, targets = _answer(from_control) or ([], None)
    answered: list[Any] | None = None
    if targets:
        from_worker, to_tester = os.pipe()
        theirs = [descriptors[0], to_tester, *descriptors[2:]]

        def attack() -> None:
            _, held, _ = child.confined(trial["confinement"], theirs)
            _write(_REPLIES, [held, perform(targets)])

        worker = child.forked(attack)
        os.close(to_tester)
        answered = _answer(from_worker)
        _kill(worker)
    held, worker_results = answered or ([], [])
    return [held, made, control_results, worker_results]


def _report(outcome: list[Any], send: Callable[[bytes], None]) -> None:
    try:
        send(wire.encode(outcome))
    except BrokenPipeError:
        return  # the grader has ended before it needed to know


def _read_trial(descriptor: int) -> Trial:
    trial: Trial = Reader(os.pread(descriptor, _MOST_BYTES, 0)).value()
    return trial


def _write(descriptor: int, value: Any) -> None:
    os.write(descriptor, wire.encode(value))  # a few kilobytes: less than a pipe holds
    os.close(descriptor)


def _answer(descriptor: int) -> Any:
    """Return the value that a process writes before it closes the pipe; None if there is none in time."""
    data = b""
    while len(data) < _MOST_BYTES and select.select([descriptor], [], [], _SECONDS)[0]:
        part = os.read(descriptor, _MOST_BYTES)
        if not part:
            break
        data += part
    os.close(descriptor)
    return Reader(data).value() if data else None


def _kill(pid: int) -> None:
    os.kill(pid, confinement.SIGKILL)
    os.waitpid(pid, 0)
