"""Namespaces of the kernel, where one may be made: by root, if no container forbids it."""

from __future__ import annotations

import ctypes
import os

from . import child
from .confinement import LINUX

TYPE_CHECKING = False  # typing's own constant costs its import, 8 ms in every worker
if TYPE_CHECKING:
    from collections.abc import Callable

_NEW_IPC, _NEW_NET, _NEW_PID = 0x08000000, 0x40000000, 0x20000000
_libc = ctypes.CDLL(None, use_errno=True)


def leave_network() -> bool:
    """Move this process and those to come to their own network and IPC namespaces; return False if it may not."""
    return LINUX and bool(_libc.unshare(_NEW_NET | _NEW_IPC) == 0)


def leave_processes() -> int | None:
    """Let the next fork be the first process of a namespace: what is in it sees, and counts, no process but its own.

    Return a descriptor for `return_to_processes`, which has to follow the fork; None if it may not. When the first
    process of a namespace ends, the kernel ends all of them.
    """
    if not LINUX:
        return None
    try:
        home = os.open("/proc/self/ns/pid", os.O_RDONLY)
    except OSError:
        return None
    # Root of a user namespace may make one, and never return: the machine's belongs to the machine's root.
    if _libc.setns(home, _NEW_PID) != 0 or _libc.unshare(_NEW_PID) != 0:
        os.close(home)
        return None
    return home


def return_to_processes(home: int) -> None:
    """Let the forks to come be processes of the namespace that this one is in."""
    if _libc.setns(home, _NEW_PID) != 0:
        raise OSError(ctypes.get_errno(), "a process namespace cannot be left")
    os.close(home)


def forked_apart(act: Callable[[], None]) -> int:
    """Start a process that performs `act` as the first of a process namespace; return its pid."""
    home = leave_processes()
    if home is None:
        raise OSError("no process namespace can be made, though the self-test could")
    pid = child.forked(act, apart=True)
    return_to_processes(home)
    return pid
