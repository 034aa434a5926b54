"""The canary: tries, where a submission will run, what a submission could try.

Each attempt is made twice: by a worker that is confined as every worker is, and by a control with the grader's own
rights. Only an attempt that the control carries out says anything about the layer that stopped the worker's.
Everything that is attacked is a decoy made for it, but for the files that the caller names.

It runs in the zygote's children and imports the standard library only.
"""

from __future__ import annotations

import _socket
import ctypes
import errno
import os
import time

from . import confinement
from .attacks import ATTEMPTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

SUCCEEDED, UNSURE = 0, -1  # any other result is the errno with which an attempt failed

_libc = ctypes.CDLL(None, use_errno=True)


def perform(scene: dict[str, Any]) -> list[tuple[str, str, int]]:
    """Make every attempt; return (layer, attempt, result) for each."""
    return [(layer, attempt.__name__.strip("_"), _result(attempt, scene)) for layer, attempt in ATTEMPTS]


def _result(attempt: Callable[[Any], None], scene: dict[str, Any]) -> int:
    try:
        attempt(scene)
    except OSError as problem:
        # The kernel reads a call's arguments after all filters: a bad address means that the call got through.
        return SUCCEEDED if problem.errno == errno.EFAULT else problem.errno or UNSURE
    except Exception:  # noqa: BLE001 - an attempt that fails in another way than the system's proves nothing
        return UNSURE
    return SUCCEEDED


def set_up(scene: dict[str, Any]) -> list[Any]:
    """Add to the scene, from outside, what can be attacked besides files: sockets and a process.

    Returns what must be kept alive.
    """
    listener, receiver, abstract = (
        _socket.socket(_socket.AF_INET, _socket.SOCK_STREAM),
        _socket.socket(_socket.AF_INET, _socket.SOCK_DGRAM),
        _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM),
    )
    scene.update(tcp=0, udp=0, abstract=f"autograder-canary-{os.getpid()}")
    try:
        listener.bind(("127.0.0.1", 0))
        listener.listen(2)
        receiver.bind(("127.0.0.1", 0))
        scene.update(tcp=listener.getsockname()[1], udp=receiver.getsockname()[1])
    except OSError:
        pass  # a machine without a loopback device: the control's attempts will fail, and that says so
    abstract.bind("\0" + scene["abstract"])
    abstract.listen(2)
    scene["process"] = _decoy()
    return [listener, receiver, abstract]


def _decoy() -> int:
    """Start a process that does nothing, and that only its own user may look into; return its pid."""
    parent = os.getpid()
    _libc.prctl(4, 1, 0, 0, 0)  # PR_SET_DUMPABLE: as a process is that does not defend itself; the child inherits it
    pid = os.fork()
    if pid == 0:
        os.closerange(3, 256)
        _libc.prctl(1, confinement.SIGKILL, 0, 0, 0)  # PR_SET_PDEATHSIG
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(0)
    return pid
