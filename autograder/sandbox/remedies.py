"""Why isolation is weaker than it could be, or why no worker can run at all: one sentence each, with the remedy."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator

from ..model import Level
from ..worker.seccomp_filters import FILTERS
from . import isolation
from .isolation import Verified

# What is wrong with an interpreter that cannot be run; anything else is the machine's.
OF_AN_INTERPRETER = frozenset({errno.ENOENT, errno.ENOTDIR, errno.EACCES, errno.EPERM, errno.ENOEXEC, errno.ELOOP})
_LEAST_FILES = 32  # that a process of this grader has open at once, and some more


def too_weak(verified: Verified, wanted: Level) -> str:
    """Return the refusal to grade below a level: the table, and what would help."""
    sentence = f"isolation {wanted.name} is required, and this machine gives {verified.level.name}; nothing was graded."
    return "\n".join([sentence, isolation.table(verified.isolation(wanted)), *remedies(verified)])


def remedies(verified: Verified) -> tuple[str, ...]:
    """Return a sentence for each thing that keeps this machine from STRONG."""
    return tuple(_remedies(set(verified.mechanisms))) if verified.level < Level.STRONG else ()


def _remedies(held: set[str]) -> Iterator[str]:
    if not isolation.LINUX:
        yield f"Workers are confined on Linux only, and this is {sys.platform}: grade in a container or on a server."
        return
    if 0 <= (files := _files_allowed()) < _LEAST_FILES:  # -1: as many as it likes
        yield f"This process may open {files} files, so that no worker can be tried: allow more, ulimit -n 256."
    if os.geteuid() != 0:
        yield "Only root can give each worker a user of its own: run the grader as root, in a container if you like."
    elif "user" not in held:
        yield (
            "This user namespace has no ids to spare (see /proc/self/uid_map): start the container with a range of "
            "at least 65536 ids, or without user namespaces."
        )
    if "seccomp" not in held:
        machine = os.uname().machine
        known = machine in FILTERS
        reason = "this kernel refuses filters" if known else f"there is no filter for {machine}"
        yield f"System calls are not restricted: {reason}; grade on Linux for {' or '.join(FILTERS)}."
    if not {"chroot", "landlock"} & held:
        yield "Files are not hidden: that takes root with CAP_SYS_CHROOT, or a kernel with Landlock (5.13 or later)."


def _files_allowed() -> int:
    import resource  # not on Windows

    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]


def no_interpreter(python: str, problem: OSError) -> str:
    """Return why the zygote cannot be started."""
    who = f"user {os.geteuid()}"
    return (
        f"{python} cannot be run by {who} ({problem.strerror}): make the environment with an interpreter "
        "that this user may run, such as /usr/bin/python3"
    )


def no_temporary_directory(problem: OSError) -> str:
    """Return why there is no room for a submission's copy."""
    return f"there is no directory for temporary files ({problem.strerror}): set TMPDIR to one that can be written"
