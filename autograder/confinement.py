"""The layers that confine a worker, applied by the worker itself before it reads a byte of the submission.

It runs in the zygote's child and imports the standard library only. The order matters: limits and the
root directory need privileges, the user is dropped after them, and what must not be undone comes last.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_SET_NO_NEW_PRIVS, _PR_SET_CHILD_SUBREAPER = 1, 4, 38, 36
_libc = ctypes.CDLL(None, use_errno=True)


def _prctl(option: int, value: int) -> None:
    if _libc.prctl(option, value, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), f"prctl({option}) failed")


def protect_grader() -> None:
    """Make this process unreadable through /proc, end with its parent and adopt orphans of its workers."""
    _prctl(_PR_SET_DUMPABLE, 0)
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def confine(plan: dict[str, Any]) -> str:
    """Apply the layers of `plan` to this process; return the submission's directory as seen afterwards.

    Raises OSError when a layer cannot be had: a worker that is not confined must not start.
    """
    parent = os.getppid()
    os.setsid()
    for name, value in plan["limits"].items():
        resource.setrlimit(getattr(resource, name), (value, value))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    directory = str(plan["directory"])
    if plan["chroot"]:
        os.chroot(directory)
        directory = "/"
    os.chdir(directory)
    if plan["uid"]:
        os.setgroups([])
        os.setresgid(plan["uid"], plan["uid"], plan["uid"])
        os.setresuid(plan["uid"], plan["uid"], plan["uid"])
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    _prctl(_PR_SET_DUMPABLE, 0)
    if os.getppid() != parent:
        raise OSError("the zygote ended while a worker started")
    return directory


def sweep(uid: int) -> None:
    """Kill and reap whatever still runs as `uid`, the user of one worker alone; 0 means no such user."""
    if not uid:
        return
    pid = os.fork()
    if pid == 0:
        try:
            os.setresuid(uid, uid, uid)
            os.kill(-1, signal.SIGKILL)
        finally:
            os._exit(0)
    os.waitpid(pid, 0)
