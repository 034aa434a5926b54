"""The zygote: a small interpreter, started by exec, that forks one confined worker per request.

It is never forked from the grader, so it holds no test, no expected value and no report. It imports
the modules that a submission may use once, and its workers inherit them. It takes its orders from a
socket that no worker keeps, and runs no byte of a submission itself.

In a class, each submission has a copy of the zygote to itself, forked from one that stays as it was:
what is imported there, and where in memory a worker's objects lie, does not depend on who was graded
before. Engines that keep their values in a set walk them in the order of their addresses.

sandbox/zygote_client.py starts it.
"""

from __future__ import annotations

import _socket
import gc
import io
import mmap
import os
import sys

from ..wire import format as wire
from ..wire import reader
from . import confinement, imports, library, serve

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

DESCRIPTORS = 4  # that come with an order to spawn: requests, replies, output, progress
_BEGIN = wire.framed(wire.encode({"do": "begin"}))  # as it arrives
_library: library.Library  # the standard library, for workers
SETUP_FAILED = 70  # exit code of a worker that could not be confined: EX_SOFTWARE


def main(control_descriptor: int, library_descriptor: int) -> None:
    """Serve orders until the grader closes the socket, then end every worker."""
    global _library  # noqa: PLW0603 - one for this process and all its forks
    control = _socket.socket(fileno=control_descriptor)
    shared = mmap.mmap(library_descriptor, 0, mmap.MAP_SHARED, mmap.PROT_READ)
    confinement.protect_zygote(control_descriptor)
    _library = library.Library(memoryview(shared))
    library.load_shared_libraries()
    _serve(control)


def _serve(control: _socket.socket) -> None:
    """Carry out orders until the grader closes the socket, or has finished with this copy; then end every worker."""
    children: set[int] = set()
    try:
        while _carried_out(control, children):
            pass
    except ConnectionError:  # the grader ended without taking the last answer
        pass
    for pid in tuple(children):
        _end(pid, 0, children)


def _carried_out(control: _socket.socket, children: set[int]) -> bool:
    """Carry out one order, and keep `children` true to the workers that run; say whether more are to come."""
    data, ancillary = _received(control)
    if not data:
        return False
    order = reader.Reader(data).value()
    if order["do"] == "finish":
        _send(control, b"")
        return False
    if order["do"] == "begin":
        _copies(control)
    elif order["do"] == "spawn":
        children.add(_spawn(order, _descriptors(ancillary), control))
    elif order["do"] == "rehearse":
        _send(control, _rehearse(order, _descriptors(ancillary), control))
    elif order["do"] == "end":
        _send(control, _end(order["pid"], order["uid"], children))
    else:
        _send(control, _preload(order["modules"], order["beside"]))
    return True


def _copies(control: _socket.socket) -> None:
    """Let a copy of this process carry out the orders until the grader has finished with it; and so for each `begin`.

    Nothing here runs in a copy as well. Python rewrites functions that run often, and then they allocate otherwise: by
    that, how many copies there were before would show in a worker's addresses.
    """
    zygote = os.getpid()
    while True:
        pid = os.fork()
        if pid == 0:
            _become_copy(control, zygote)
        os.waitpid(pid, 0)
        if control.recv(len(_BEGIN), _socket.MSG_PEEK | _socket.MSG_WAITALL) != _BEGIN:
            return
        control.recv(len(_BEGIN))


def _become_copy(control: _socket.socket, zygote: int) -> None:
    """Carry out orders until there are no more; does not return."""
    try:
        confinement.protect_copy(zygote)
        _send(control, b"")
        _serve(control)
    finally:
        os._exit(0)


def _received(control: _socket.socket) -> tuple[bytes, list[tuple[int, int, bytes]]]:
    """Return the next order and what came with it; nothing when the grader has closed the socket.

    Its length comes first: the socket is a stream, since macOS has no other kind that says when it ends.
    """
    head, ancillary, _, _ = control.recvmsg(wire.LENGTH.size, _socket.CMSG_SPACE(DESCRIPTORS * 4))
    data = b""
    length = wire.LENGTH.unpack(head)[0] if len(head) == wire.LENGTH.size else 0
    while len(data) < length:
        part = control.recv(length - len(data))
        if not part:
            return b"", []
        data += part
    return data, ancillary


def _send(control: _socket.socket, answer: bytes) -> None:
    control.sendall(wire.framed(answer))


def _descriptors(ancillary: list[tuple[int, int, bytes]]) -> list[int]:
    data = ancillary[0][2]
    return [int.from_bytes(data[i : i + 4], sys.byteorder) for i in range(0, len(data), 4)]


def _preload(modules: list[str], beside: list[str]) -> bytes:
    """Import modules for the workers to come; answer with the names that could not be imported."""
    missing = []
    sys.path += beside
    for name in modules:
        try:
            __import__(name)
        except ImportError:
            missing.append(name)
    del sys.path[len(sys.path) - len(beside) :]
    return wire.encode(missing)


def _rehearse(order: dict[str, Any], descriptors: list[int], control: _socket.socket) -> bytes:
    """Let the canary try what a submission could try; answer with what came of it."""
    from . import rehearsal  # once per run, and gone from the workers

    def launch(replies: int, act: Callable[[list[str]], None]) -> int:
        theirs = [descriptors[0], replies, *descriptors[2:]]
        return _fork(lambda: act(_confine(order, theirs)[1]), control)

    answer = rehearsal.rehearse(order["scene"], launch)
    for descriptor in descriptors:
        os.close(descriptor)
    return answer


def _spawn(order: dict[str, Any], descriptors: list[int], control: _socket.socket) -> int:
    for name in [name for name in sys.modules if name.partition(".")[0] == "autograder"]:
        del sys.modules[name]  # here, and not in each worker: what is freed there is copied first
    sys.path_importer_cache.clear()
    gc.freeze()  # for the same reason: a collection writes to every object that it looks at
    gc.collect()  # of nothing, but then it counts from zero: a worker collects when its own objects call for it
    pid = _fork(lambda: _become_worker(order, descriptors), control)
    for descriptor in descriptors:
        os.close(descriptor)
    _send(control, pid.to_bytes(4, "little"))
    return pid


def _fork(act: Callable[[], None], control: _socket.socket) -> int:
    """Start a process that performs `act` and ends; return its pid."""
    pid = os.fork()
    if pid == 0:
        status = SETUP_FAILED
        try:
            control.close()
            act()
            status = 0
        except BaseException as problem:  # noqa: BLE001 - whatever it is, this process must end here
            os.write(2, f"worker: {type(problem).__name__}: {problem}\n".encode("utf-8", "replace")[:500])
        finally:
            os._exit(status)
    return pid


def _become_worker(order: dict[str, Any], descriptors: list[int]) -> None:
    """Confine this process, then serve the grader. Returns when the grader closes the pipe."""
    directory, _, shared = _confine(order, descriptors)
    served = serve.Service(directory, order["files"], shared)
    _renew_streams()
    sys.argv[:], sys.dont_write_bytecode = [""], True
    sys.path[:] = [directory]
    sys.meta_path.append(_library)  # last: a submission's own module comes first, as at home
    vars(sys.modules["__main__"]).pop("main", None)  # ours, by which this process was started
    own = {os.path.splitext(name)[0].partition("/")[0] for name in order["files"]}
    imports.guard_imports(order["imports"], own, order["arrays"])
    os.write(4, wire.CONFINED)
    serve.serve(3, 4, served.answer)


def _renew_streams() -> None:
    """Open what is printed to anew: the streams of this process were opened on something else, and remember it."""
    for name, descriptor in (("stdout", 1), ("stderr", 2)):
        old = getattr(sys, name)
        raw: Any = io.FileIO(descriptor, "w", closefd=False)
        raw.name = f"<{name}>"
        stream: Any = io.TextIOWrapper(raw, old.encoding, old.errors, newline="\n", write_through=True)
        stream.mode = "w"
        for each in (name, f"__{name}__"):
            setattr(sys, each, stream)


def _confine(order: dict[str, Any], descriptors: list[int]) -> tuple[str, list[str], mmap.mmap]:
    """Keep five descriptors and apply the layers; return directory, mechanisms that hold, and the progress page."""
    requests, replies, output, progress = descriptors
    null = os.open(os.devnull, os.O_RDONLY)
    # Above every number that is in use, so that no dup2 below overwrites one still needed.
    sources = [os.dup2(each, 100 + i) for i, each in enumerate((null, output, output, requests, replies, progress))]
    for target, source in enumerate(sources):
        os.dup2(source, target)
    os.closerange(6, 256)
    shared = mmap.mmap(5, mmap.PAGESIZE)
    os.closerange(5, 256)  # mmap has kept a duplicate for itself
    directory, held = confinement.confine(order["confinement"])
    return directory, held, shared


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
    return wire.ENDED.pack(exit_code, int(not ended), cpu, usage.ru_maxrss)
