"""The zygote: a small interpreter, started by exec, that forks one confined worker per request.

It is never forked from the grader, so it holds no test, no expected value and no report. It imports
the modules that a submission may use once, and its workers inherit them. It takes its commands from a
socket that no worker keeps, and runs no byte of a submission itself.

In a class, each submission has a copy of the zygote to itself, forked from one that stays as it was:
what is imported there, and where in memory a worker's objects lie, does not depend on who was graded
before. Engines that keep their values in a set walk them in the order of their addresses.

sandbox/zygote_client.py starts it.
"""

from __future__ import annotations

import _socket
import gc
import mmap
import os
import struct
import sys

from ..wire import format as wire
from ..wire.framing import framed, read_frame
from ..wire.reader import Reader
from . import child, confinement, library, namespaces

TYPE_CHECKING = False  # typing's own constant costs its import, 8 ms in every worker
if TYPE_CHECKING:
    from collections.abc import Callable

    from .commands import Command, Preload, SelfTest, Spawn

_BEGIN = framed(wire.encode({"do": "begin"}))  # as it arrives
_MOST_DESCRIPTORS = child.DESCRIPTORS + 1  # that come with a command
_library: library.Library  # the standard library, for workers
_apart = False  # True if what this process starts is put into a process namespace
_inside = False  # True if this process is in one


def main(control_descriptor: int, library_descriptor: int) -> None:
    """Carry out commands until the grader closes the socket, then end every worker."""
    global _library  # noqa: PLW0603 - one for this process and all its forks
    control = _socket.socket(fileno=control_descriptor)
    # Private: a worker that makes its pages writable writes to copies of its own, whatever may be done with the file.
    mapped = mmap.mmap(library_descriptor, 0, mmap.MAP_PRIVATE, mmap.PROT_READ)
    os.close(library_descriptor)
    confinement.protect_zygote(control_descriptor)
    _library = library.Library(memoryview(mapped))
    library.load_shared_libraries()
    _serve(control)


def _serve(control: _socket.socket) -> None:
    """Carry out commands until the grader closes the socket or has finished with this copy; then end every worker."""
    children: set[int] = set()
    try:
        while _carried_out(control, children):
            pass
    except ConnectionError:  # the grader ended without taking the last answer
        pass
    for pid in tuple(children):
        _end(pid, 0, children)


def _carried_out(control: _socket.socket, children: set[int]) -> bool:
    """Carry out one command, and keep `children` true to the workers that run; return True if more may come."""
    data, descriptors = _received(control)
    if data is None:
        return False
    command: Command = Reader(data).value()
    if command["do"] == "finish":
        _send(control, b"")
        return False
    if command["do"] == "begin":
        _copies(control)
    elif command["do"] == "spawn":
        children.add(_spawn(command, descriptors, control))
    elif command["do"] == "watch":
        _watch(descriptors, control)
    elif command["do"] == "self_test":
        _self_test(command, descriptors, control)
    elif command["do"] == "end":
        _send(control, _end(command["pid"], command["uid"], children))
    else:
        _send(control, _preload(command))
    return True


def _copies(control: _socket.socket) -> None:
    """Let a copy of this process carry out commands until the grader has finished with it; and so for each `begin`.

    Only what runs here runs in every copy as well: the interpreter specialises hot code (PEP 659), which changes the
    heap, and by that a worker's addresses would show how many copies there were before.
    """
    parent = 0 if _apart else os.getpid()
    while True:
        os.waitpid(_forked(lambda: _become_copy(control, parent)), 0)
        if control.recv(len(_BEGIN), _socket.MSG_PEEK | _socket.MSG_WAITALL) != _BEGIN:
            return
        control.recv(len(_BEGIN))


def _forked(act: Callable[[], None]) -> int:
    """Start a process that performs `act`; in a process namespace of its own if the self-test's worker had one."""
    return namespaces.forked_apart(act) if _apart else child.forked(act)


def _become_copy(control: _socket.socket, parent: int) -> None:
    """Carry out commands until there are no more; does not return."""
    global _apart, _inside
    _apart, _inside = False, _apart
    try:
        confinement.protect_copy(parent)
        _send(control, b"")
        _serve(control)
    finally:
        os._exit(0)


def _received(control: _socket.socket) -> tuple[bytes | None, list[int]]:
    """Return the next command and the descriptors that came with it; None if the grader has closed the socket.

    The socket is a stream, since macOS has no other kind that tells when it ends.
    """
    ancillary: list[tuple[int, int, bytes]] = []

    def receive(count: int) -> bytes:
        data, came, _, _ = control.recvmsg(count, _socket.CMSG_SPACE(_MOST_DESCRIPTORS * 4))
        ancillary.extend(came)
        return data

    data = read_frame(receive)
    packed = b"".join([part for _, _, part in ancillary])
    return data, [int.from_bytes(packed[i : i + 4], sys.byteorder) for i in range(0, len(packed), 4)]


def _send(control: _socket.socket, answer: bytes) -> None:
    control.sendall(framed(answer))


def _preload(command: Preload) -> bytes:
    """Import modules for the workers to come; answer with the names that could not be imported."""
    missing = []
    beside = command["beside"]
    sys.path += beside
    for name in command["modules"]:
        try:
            __import__(name)
        except Exception:  # noqa: BLE001 - whatever a package raises, it is missing
            missing.append(name)
    del sys.path[len(sys.path) - len(beside) :]
    return wire.encode(missing)


def _self_test(command: SelfTest, descriptors: list[int], control: _socket.socket) -> None:
    """Try what a submission could try, and send the outcome.

    Nothing of the trial is read in this process, whose memory the workers inherit: it names the grader's files.
    """
    global _apart  # noqa: PLW0603 - of this process
    from . import self_test  # once per run; the workers do without it

    trial, *theirs = descriptors
    _apart = self_test.run(trial, theirs, lambda answer: _send(control, answer), namespaces=command["namespaces"])
    _close(descriptors)


def _watch(descriptors: list[int], control: _socket.socket) -> None:
    """Start what watches over the grader."""

    def act() -> None:
        from . import watchdog

        control.close()
        watchdog.watch(*descriptors)

    child.forked(act)
    _close(descriptors)
    _send(control, b"")


def _spawn(command: Spawn, descriptors: list[int], control: _socket.socket) -> int:
    for name in [name for name in sys.modules if name.partition(".")[0] == "autograder"]:
        del sys.modules[name]  # here, and not in each worker: what is freed there is copied first
    sys.path_importer_cache.clear()
    gc.freeze()  # for the same reason: a collection writes to every object that it looks at
    gc.collect()  # of nothing, but then it counts from zero: a worker collects when its own objects call for it

    def act() -> None:
        control.close()
        child.become_worker(command, descriptors, _library)

    pid = _forked(act)
    _close(descriptors)
    # The kernel translates the number that goes along: the grader reads the process's clock by it.
    credentials = struct.pack("3i", pid, os.getuid(), os.getgid())
    named = [(_socket.SOL_SOCKET, _socket.SCM_CREDENTIALS, credentials)] if _inside else []
    control.sendmsg([framed(wire.SPAWNED.pack(pid, _inside))], named)
    return pid


def _close(descriptors: list[int]) -> None:
    for descriptor in descriptors:
        os.close(descriptor)


def _end(pid: int, uid: int, children: set[int]) -> bytes:
    """Kill a worker, and all that shares its user; answer with how it ended and what it used."""
    if pid not in children:
        return wire.ENDED.pack(0, 0, 0, 0)
    ended, status, usage = os.wait4(pid, os.WNOHANG)
    if not ended:
        os.kill(pid, confinement.SIGKILL)
        _, status, usage = os.wait4(pid, 0)
    children.discard(pid)
    if uid:
        confinement.sweep(uid, children)
    exit_code = os.waitstatus_to_exitcode(status)
    cpu = int((usage.ru_utime + usage.ru_stime) * 1000)
    killed = not ended and exit_code == -confinement.SIGKILL  # one on its way out has a status of its own
    return wire.ENDED.pack(exit_code, int(killed), cpu, usage.ru_maxrss)
