"""The grader's end of the zygote: starts it, gives it commands one after another, and ends it.

A command and an answer are each a frame, on a socket that is a stream; descriptors travel with the first byte of a
command.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import socket
import struct
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from ..errors import SandboxError
from ..wire.framing import framed, read_frame
from . import remedies
from .commands import Command
from .library_file import open_library

_ANSWER_SECONDS = 30.0  # for a process that is ours and runs no student's code
_HOME = Path(__file__).parents[2]  # of the package
_CREDENTIALS = struct.Struct("3i")  # struct ucred: process, user, group
_CREDENTIALS_SPACE = socket.CMSG_SPACE(_CREDENTIALS.size) if sys.platform != "win32" else 0
_PROGRAM = (
    "import sys; sys.path[0] = sys.argv[1]; from autograder.worker.zygote import main; "
    "main(int(sys.argv[2]), int(sys.argv[3]))"
)
_NO_RANDOM_ADDRESSES, _ASK = 0x0040000, 0xFFFFFFFF  # of personality(2): ADDR_NO_RANDOMIZE, and what changes nothing
_STANDARD_STREAMS = [
    (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
    (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
]


class ZygoteClient:
    """One zygote process, which answers commands in the order in which they were sent."""

    def __init__(self, python: str, hash_seed: int) -> None:
        """Start it, without waiting until it is ready.

        Raise SandboxError if the interpreter cannot be run, and OSError if the machine refuses something else.
        """
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.settimeout(_ANSWER_SECONDS)
        self.named = 0  # the process that the last answer named
        if sys.platform == "linux":
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        with theirs:
            # hash_seed: sets of strings keep one order, so that two runs agree, unless another is asked for.
            environment = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "PYTHONHASHSEED": str(hash_seed)}
            environment["OPENBLAS_NUM_THREADS"] = "1"  # a package that multiplies in threads: none survives the fork
            cached = ["-B"] if sys.dont_write_bytecode else []
            library = -1
            try:
                library = open_library(python)
                for descriptor in (theirs.fileno(), library):
                    os.set_inheritable(descriptor, True)
                command = [
                    python,
                    "-s",
                    "-S",
                    *cached,
                    "-u",
                    "-c",
                    _PROGRAM,
                    str(_HOME),
                    str(theirs.fileno()),
                    str(library),
                ]
                with _same_addresses() if hash_seed == 0 else contextlib.nullcontext():
                    self._pid = os.posix_spawn(
                        python, command, environment, setsid=True, file_actions=_STANDARD_STREAMS
                    )
            except OSError as problem:
                self._socket.close()
                if problem.filename == python and problem.errno in remedies.OF_AN_INTERPRETER:
                    raise SandboxError(remedies.no_interpreter(python, problem)) from None
                raise
            finally:
                if library >= 0:
                    os.close(library)

    def send(self, command: Command, descriptors: Iterable[int] = ()) -> None:
        """Send one command, with descriptors for it, or raise SandboxError."""
        message = framed(command.encoded())
        try:
            sent = socket.send_fds(self._socket, [message], list(descriptors))
            self._socket.sendall(message[sent:])
        except OSError as problem:
            raise SandboxError(f"the grader's zygote takes no commands ({problem})") from None

    def receive(self) -> bytes:
        """Return the answer to the oldest command that has none yet, or raise SandboxError."""
        try:
            answer = read_frame(self._received)
        except OSError as problem:
            raise SandboxError(f"the grader's zygote does not answer ({problem})") from None
        if answer is None:
            raise SandboxError("the grader's zygote ended")
        return answer

    def _received(self, count: int) -> bytes:
        """Return what arrives, and keep the process that its sender named, by the number that it has here."""
        data, ancillary, _, _ = self._socket.recvmsg(count, _CREDENTIALS_SPACE)
        for _, _, packed in ancillary:
            self.named = _CREDENTIALS.unpack(packed)[0]
        return data

    def close(self) -> None:
        """End it, and with it every worker that it still has."""
        self._socket.close()
        deadline = time.monotonic() + _ANSWER_SECONDS
        while os.waitpid(self._pid, os.WNOHANG)[0] == 0:
            if time.monotonic() > deadline:
                os.kill(self._pid, 9)
            time.sleep(0.001)


@contextlib.contextmanager
def _same_addresses() -> Iterator[None]:
    """Within it, a process that is started has addresses that are the same in every run, where the kernel lets it.

    An engine that keeps its nodes in a set walks them in the order of their addresses. Two gradings of it agree to the
    last digit only if addresses do. (Docker's default profile refuses it: nothing is lost then.)
    """
    if not sys.platform.startswith("linux"):
        yield
        return
    libc = ctypes.CDLL(None)
    before = libc.personality(_ASK)
    if before >= 0:
        libc.personality(before | _NO_RANDOM_ADDRESSES)
    try:
        yield
    finally:
        if before >= 0:
            libc.personality(before)
