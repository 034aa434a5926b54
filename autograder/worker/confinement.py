"""The layers that confine a worker, applied by the worker itself before it reads a byte of the submission.

It runs in the zygote's child and imports the standard library only. The order matters: limits and the root
directory need privileges, the user is dropped after them, the parent's death is asked for after that (a change of
user cancels it), and what forbids the other layers' own system calls comes last.
"""

from __future__ import annotations

import ctypes
import os
import resource
import sys

from . import landlock
from .seccomp_filters import FILTERS

TYPE_CHECKING = False  # typing's own constant costs its import, 8 ms in every worker
if TYPE_CHECKING:
    from collections.abc import Callable

    from .commands import Confinement

SIGKILL = 9  # as in `signal`, whose import brings enum: 5 ms in every zygote. For the same reason, no contextlib here
LINUX = sys.platform == "linux"

_PDEATHSIG, _DUMPABLE, _SECCOMP, _CAPBSET_DROP, _SUBREAPER, _NO_NEW_PRIVS = 1, 4, 22, 24, 36, 38  # prctl's options
_FILTER_MODE = 2
_LAST_CAPABILITY = 63
_CAPABILITIES_V3 = 0x20080522

_libc = ctypes.CDLL(None, use_errno=True)
_parents_number = -1  # as this process sees it


class _FilterProgram(ctypes.Structure):  # struct sock_fprog
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_char_p)]


# Built once, in the zygote: a type of ctypes costs a worker hundreds of page faults.
_ALL_CAPABILITIES, _NONE = (ctypes.c_uint32 * 2)(_CAPABILITIES_V3, 0), (ctypes.c_uint32 * 6)()
_FILTER = FILTERS.get(os.uname().machine, b"")
_PROGRAM = _FilterProgram(len(_FILTER) // 8, _FILTER) if _FILTER else None


class ConfinementError(Exception):
    """A layer that this worker must have cannot be applied."""


def forked_by(parent: int) -> None:
    """Note the number of the process that forked this one, as it is seen here: 0 from another namespace."""
    global _parents_number  # noqa: PLW0603 - of this process
    _parents_number = parent


def confine(plan: Confinement) -> tuple[str, list[str]]:
    """Apply the mechanisms that `plan` names; return the directory as it is seen afterwards, and those that hold.

    With `plan["insist"]`, raise ConfinementError at the first that fails: a worker that is not confined must not
    start. Without it, which is for the self-test alone, what fails is left out.
    """
    os.setsid()
    os.chdir(plan["directory"])
    held: list[str] = []
    for name, apply in _MECHANISMS.items():
        if name not in plan["mechanisms"] or (name == "landlock" and "chroot" in held):
            continue
        try:
            apply(plan)
        except (OSError, ValueError) as problem:
            if plan["insist"]:
                raise ConfinementError(f"{name}: {problem}") from None
        else:
            held.append(name)
    return "/" if "chroot" in held else plan["directory"], held


def _limits(plan: Confinement) -> None:
    """Lower the resource limits; never above what is already in force.

    Python ignores SIGXFSZ, so that a write beyond the limit is an OSError and not the end.
    """
    for name, wanted in plan["limits"].items():
        kind = getattr(resource, name, None)  # macOS lacks some
        if kind is not None:
            hard = resource.getrlimit(kind)[1]
            value = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
            resource.setrlimit(kind, (value, value))


def _oom(_: Confinement) -> None:
    """Let this process be the first that the kernel ends when memory runs out."""
    _prctl(_DUMPABLE, 1)  # else the file below belongs to root
    file = os.open("/proc/self/oom_score_adj", os.O_WRONLY)
    try:
        os.write(file, b"1000")
    finally:
        os.close(file)
    _prctl(_DUMPABLE, 0)


def _chroot(_: Confinement) -> None:
    """Make the submission's directory, which is the current one, all that there is."""
    os.chroot(".")
    os.chdir("/")


def _user(plan: Confinement) -> None:
    """Become a user that nobody else is, in no group."""
    uid = plan["uid"]
    if uid is None:
        raise OSError("there is no id for it")
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)


def _no_new_privileges(_: Confinement) -> None:
    """Give up every capability, and the way to gain one by running a program."""
    _check(_libc.capset(_ALL_CAPABILITIES, _NONE), "capset")
    _prctl(_NO_NEW_PRIVS, 1)


def _parent(_: Confinement) -> None:
    """End with the zygote, and let no process of this user look inside."""
    _prctl(_PDEATHSIG, SIGKILL)
    _prctl(_DUMPABLE, 0)
    if os.getppid() != _parents_number:
        raise OSError("the zygote ended while a worker started")


def _landlock(plan: Confinement) -> None:
    landlock.restrict(plan["directory"])


def _seccomp(_: Confinement) -> None:
    """Leave only the system calls of syscalls.py."""
    if _PROGRAM is None:
        raise OSError(f"no list of system calls for {os.uname().machine}")
    _check(_libc.prctl(_SECCOMP, _FILTER_MODE, ctypes.byref(_PROGRAM), 0, 0), "seccomp")


_MECHANISMS: dict[str, Callable[[Confinement], None]] = {
    "limits": _limits,
    "oom": _oom,
    "chroot": _chroot,
    "user": _user,
    "no_new_privileges": _no_new_privileges,
    "parent": _parent,
    "landlock": _landlock,
    "seccomp": _seccomp,
}


def protect_zygote(control: int) -> None:
    """Keep nothing that the grader's own parent left open, be unreadable through /proc, and end with the grader.

    The death that is waited for is that of the thread which started this process: a grader starts its sandbox from
    its main thread.
    """
    os.closerange(3, control)
    os.closerange(control + 1, 4096)
    if not LINUX:
        return
    _prctl(_DUMPABLE, 0)
    _prctl(_PDEATHSIG, SIGKILL)
    _prctl(_SUBREAPER, 1)
    for capability in range(_LAST_CAPABILITY):  # so that no program run by a worker could have one
        if _libc.prctl(_CAPBSET_DROP, capability, 0, 0, 0) != 0:
            break


def protect_copy(zygote: int) -> None:
    """Do for a copy of the zygote what a fork does not inherit: end with it, and take over what workers leave."""
    end_with(zygote)
    if LINUX:
        _prctl(_SUBREAPER, 1)


def end_with(parent: int) -> None:
    """Have this process killed when `parent`, which forked it, ends; if it has ended already, end now."""
    if LINUX:
        _prctl(_PDEATHSIG, SIGKILL)
        if os.getppid() != parent:
            os._exit(1)


def protect_grader() -> None:
    """Make the memory and the environment of the calling process unreadable to others of its user."""
    if LINUX:
        _prctl(_DUMPABLE, 0)


def sweep(uid: int, known: set[int]) -> None:
    """Kill whatever still runs as `uid`, the user of one worker alone, and reap it; `known` are others' processes."""
    pid = os.fork()
    if pid == 0:
        try:
            os.setresuid(uid, uid, uid)
            os.kill(-1, SIGKILL)
        finally:
            os._exit(0)
    os.waitpid(pid, 0)
    try:
        while (ended := os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)) and ended.si_pid not in known:
            os.waitpid(ended.si_pid, 0)  # an orphan that came to this process, as a subreaper
    except ChildProcessError:
        return


def _prctl(option: int, value: int) -> None:
    _check(_libc.prctl(option, value, 0, 0, 0), f"prctl {option}")


def _check(result: int, what: str) -> None:
    if result != 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{what}: {os.strerror(code)}")
