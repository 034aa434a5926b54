"""Attacks by system calls of which the kernel itself is the target, or what all processes share in it.

Each raises an OSError if it is stopped, and leaves nothing behind.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import time

TYPE_CHECKING = False  # typing's own constant costs its import, 8 ms in every worker
if TYPE_CHECKING:
    from .commands import Targets

_IPC_PRIVATE, _IPC_RMID, _NEW_USER = 0, 0, 0x10000000
_KEYCTL = {"x86_64": 250, "aarch64": 219}  # the C library has no function for it
_PROCESS_CLOCK = 2  # CPUCLOCK_SCHED
_SYSINFO_BYTES = 256  # more than struct sysinfo has
_libc = ctypes.CDLL(None, use_errno=True)


def run_a_program(_: Targets) -> None:
    """Run another program."""
    _checked(_libc.execve(None, None, None))


def make_a_memory_file(_: Targets) -> None:
    """Make a file that has no name."""
    os.close(os.memfd_create("self-test"))


def watch_files(_: Targets) -> None:
    """Ask to be told when files change."""
    os.close(_checked(_libc.inotify_init1(0)))


def make_a_user_namespace(_: Targets) -> None:
    """Become root of a user namespace."""
    _checked(_libc.unshare(_NEW_USER))


def leave_shared_memory(_: Targets) -> None:
    """Make System V shared memory."""
    segment = _checked(_libc.shmget(_IPC_PRIVATE, ctypes.c_size_t(mmap.PAGESIZE), 0o600))
    _libc.shmctl(segment, _IPC_RMID, None)


def leave_a_message(_: Targets) -> None:
    """Make a System V message queue."""
    queue = _checked(_libc.msgget(_IPC_PRIVATE, 0o600))
    _libc.msgctl(queue, _IPC_RMID, None)


def leave_a_key(_: Targets) -> None:
    """Use a keyring of the session."""
    number = _KEYCTL[os.uname().machine]
    _checked(_libc.syscall(number, 0, -3, 0))  # KEYCTL_GET_KEYRING_ID of the session's keyring


def learn_that_a_process_exists(targets: Targets) -> None:
    """Ask for the session of a process."""
    os.getsid(targets["process"])


def read_how_much_a_process_works(targets: Targets) -> None:
    """Read the CPU clock of a process."""
    time.clock_gettime((~targets["process"] << 3) | _PROCESS_CLOCK)


def read_how_busy_the_machine_is(_: Targets) -> None:
    """Read load and free memory."""
    _checked(_libc.sysinfo(ctypes.create_string_buffer(_SYSINFO_BYTES)))


def _checked(result: int) -> int:
    if result < 0:
        raise OSError(ctypes.get_errno(), "refused")
    return result
