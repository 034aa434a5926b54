"""The system calls that a worker may make, and the filters that libseccomp makes of the list.

A filter is compiled when the list changes, not when a submission is graded: libseccomp's Python binding
takes 25 ms to import, and a worker has no site-packages to import it from. What it compiles is kept in
seccomp_filters.py, and a test holds that file to this list.

Usage, after a change here: python -m autograder.sandbox.syscalls
"""

from __future__ import annotations

import errno
import tempfile
import textwrap
from pathlib import Path
from typing import Any

FILTERS = Path(__file__).parents[1] / "worker" / "seccomp_filters.py"

# By what CPython and its C library do with them. A name that an architecture has not got is left out there.
ALLOWED = {
    "memory": "brk mmap munmap mremap mprotect madvise",
    "descriptors it has": "read pread64 readv write writev close lseek dup dup2 dup3 fstat",
    "names of files": "stat lstat newfstatat statx access faccessat faccessat2 readlink readlinkat getdents64 getcwd",
    "threads": "futex set_robust_list rseq sched_yield gettid exit",
    "time": "nanosleep gettimeofday time times getrusage",
    "waiting": "select pselect6 poll ppoll restart_syscall",
    "itself": "getpid getppid getuid geteuid getgid getegid getresuid getresgid getgroups getpgrp",
    "the machine": "uname getcpu getrlimit",
    "signals": "rt_sigaction rt_sigprocmask rt_sigreturn sigaltstack",
    "the rest": "getrandom exit_group",
}

_WRITING = 0o3 | 0o100 | 0o1000  # of open: the access mode, O_CREAT and O_TRUNC
_DESCRIPTOR_COMMANDS = (0, 1, 2, 3, 4, 1030)  # of fcntl: F_DUPFD, F_[GS]ETFD, F_[GS]ETFL, F_DUPFD_CLOEXEC; not F_SETOWN
_OF_ITSELF = ("getpgid", "getsid", "sched_getaffinity")  # of no other process, not even to learn that it exists
_CLOCKS = ("clock_gettime", "clock_getres", "clock_nanosleep")  # by numbers below 16: others are processes' clocks
_THREAD = 0x3D0F00  # of clone: exactly the flags with which pthread_create makes a thread of this process
_CLONE_DETACHED = 0x400000  # without effect; musl sets it

ARCHITECTURES = {"x86_64": "X86_64", "aarch64": "AARCH64"}  # what the kernel calls it, and libseccomp


def program(architecture: str) -> bytes:
    """Return the filter for one architecture, as the array of struct sock_filter that the kernel takes.

    What is not allowed fails with EPERM. Three answers differ, because the C library and CPython act on them: ENOSYS
    for clone3, whose flags no filter can read, makes pthread_create use clone; and ENOTTY for ioctl says that a file
    is not a terminal. A call made in another architecture's convention ends the process.
    """
    import pyseccomp as seccomp

    rules: Any = seccomp.SyscallFilter(seccomp.ERRNO(errno.EPERM))
    wanted = getattr(seccomp.Arch, ARCHITECTURES[architecture])
    if not rules.exist_arch(wanted):
        rules.add_arch(wanted)
        rules.remove_arch(seccomp.Arch.NATIVE)
    rules.set_attr(seccomp.Attr.ACT_BADARCH, seccomp.KILL_PROCESS)
    rules.set_attr(seccomp.Attr.CTL_OPTIMIZE, 2)  # a binary tree: seven comparisons rather than seventy
    for name in " ".join(ALLOWED.values()).split():
        rules.add_rule(seccomp.ALLOW, name)
    for name, flags in (("open", 1), ("openat", 2)):
        rules.add_rule(seccomp.ALLOW, name, seccomp.Arg(flags, seccomp.MASKED_EQ, _WRITING, 0))
    for command in _DESCRIPTOR_COMMANDS:
        rules.add_rule(seccomp.ALLOW, "fcntl", seccomp.Arg(1, seccomp.MASKED_EQ, 0xFFFFFFFF, command))
    for name in _OF_ITSELF:
        rules.add_rule(seccomp.ALLOW, name, seccomp.Arg(0, seccomp.EQ, 0))
    for name in _CLOCKS:
        rules.add_rule(seccomp.ALLOW, name, seccomp.Arg(0, seccomp.MASKED_EQ, 0xFFFFFFF0, 0))
    own_limits = (seccomp.Arg(0, seccomp.EQ, 0), seccomp.Arg(2, seccomp.EQ, 0))  # read, and of no other process
    rules.add_rule(seccomp.ALLOW, "prlimit64", *own_limits)
    rules.add_rule(seccomp.ALLOW, "clone", seccomp.Arg(0, seccomp.MASKED_EQ, ~_CLONE_DETACHED & (1 << 64) - 1, _THREAD))
    rules.add_rule(seccomp.ERRNO(errno.ENOSYS), "clone3")
    rules.add_rule(seccomp.ERRNO(errno.ENOTTY), "ioctl")
    with tempfile.TemporaryFile() as file:
        rules.export_bpf(file)
        file.seek(0)
        return file.read()


def module() -> str:
    """Return the text of seccomp_filters.py."""
    lines = [
        '"""The seccomp filters, by architecture. Written by `python -m autograder.sandbox.syscalls`; do not edit."""',
        "",
        "FILTERS = {",
    ]
    for architecture in ARCHITECTURES:
        rows = textwrap.wrap(program(architecture).hex(), 96)
        lines += [f'    "{architecture}": bytes.fromhex(', *(f'        "{row}"' for row in rows), "    ),"]
    return "\n".join([*lines, "}", ""])


if __name__ == "__main__":
    FILTERS.write_text(module(), "ascii")
