"""Runs a command with the rights of root in an ordinary container: Docker's capabilities and refused system calls.

Usage: python autograder/tests/support/container.py COMMAND...
"""

import errno
import os
import sys

import pyseccomp as seccomp

CAPABILITIES = (
    "chown dac_override fowner fsetid kill setgid setuid setpcap net_bind_service net_raw sys_chroot mknod audit_write "
    "setfcap"
)
REFUSED = (
    "mount umount2 unshare setns pivot_root keyctl add_key request_key bpf io_uring_setup io_uring_enter "
    "perf_event_open userfaultfd"
)
NEW_USER = 0x10000000


def enter():
    """Refuse what a container refuses, to this process and all that it starts."""
    rules = seccomp.SyscallFilter(seccomp.ALLOW)
    for name in REFUSED.split():
        rules.add_rule(seccomp.ERRNO(errno.EPERM), name)
    rules.add_rule(seccomp.ERRNO(errno.EPERM), "clone", seccomp.Arg(0, seccomp.MASKED_EQ, NEW_USER, NEW_USER))
    rules.load()


if __name__ == "__main__":
    enter()
    kept = ",".join(["-all", *(f"+{name}" for name in CAPABILITIES.split())])
    os.execvp("setpriv", ["setpriv", "--bounding-set", kept, *sys.argv[1:]])
