"""A container like Gradescope's, made of what a Linux machine has: a root of its own over this machine's, with
/autograder in it, a container's capabilities and system calls, and on demand half a processor and 768 MB.

As a program (python -m autograder.tests.support.rootfs TOLD.json) it does what must be done inside the new mount
namespace.
"""

import contextlib
import ctypes
import json
import os
import subprocess
import sys
from pathlib import Path

from autograder.tests.support.container import CAPABILITIES, enter

PATIENCE = 300  # seconds for one run: a loaded machine with half a processor takes its time
CGROUPS = Path("/sys/fs/cgroup")
MS_BIND, MS_REC = 0x1000, 0x4000  # of <sys/mount.h>


class Container:
    """One root file system, kept from run to run; `autograder` is its /autograder, seen from outside."""

    def __init__(self, directory, hidden=()):
        """Make the layers below `directory`; nothing in the container sees into the directories `hidden`."""
        self.directory, self.hidden = directory, [str(path) for path in hidden]
        for name in ("upper/autograder", "work", "root"):
            (directory / name).mkdir(parents=True)
        self.autograder = directory / "upper/autograder"

    def run(self, program, *, environment=None, cgroups=()):
        """Run a program in it as root; return the finished process, standard error among its output."""
        told = {"directory": str(self.directory), "hidden": self.hidden, "program": program}
        told |= {"environment": environment or {}, "cgroups": [str(path) for path in cgroups]}
        file = self.directory / "told.json"
        file.write_text(json.dumps(told), encoding="utf-8")
        command = ["unshare", "--mount", "--propagation", "private", sys.executable, "-m", __name__, str(file)]
        return subprocess.run(
            command,
            cwd=Path(__file__).parents[3],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=PATIENCE,
            check=False,
        )

    def works(self):
        """Return True if this machine lets us make it: we are root, and no container around us forbids it."""
        with contextlib.suppress(OSError):
            return self.run(["/bin/true"]).returncode == 0
        return False


@contextlib.contextmanager
def half_a_processor(memory_mb=768):
    """Give the control groups of a default Gradescope container, or none if they cannot be made."""
    unified = (CGROUPS / "cgroup.controllers").exists()
    name = f"autograder-{os.getpid()}"
    groups = [CGROUPS / name] if unified else [CGROUPS / "cpu" / name, CGROUPS / "memory" / name]
    limits = (
        {"cpu.max": "50000 100000", "memory.max": f"{memory_mb}M", "memory.swap.max": "0"}
        if unified
        else {"cpu.cfs_period_us": "100000", "cpu.cfs_quota_us": "50000", "memory.limit_in_bytes": f"{memory_mb}M"}
    )
    try:
        yield groups if _limited(groups, limits) else []
    finally:
        for group in groups:
            with contextlib.suppress(OSError):  # never made
                group.rmdir()


def _limited(groups, limits):
    """Make the groups and set their limits; return True if this machine allows it."""
    try:
        for group in groups:
            group.mkdir()
        for file, value in limits.items():
            next(group / file for group in groups if (group / file).exists()).write_text(value, encoding="ascii")
    except (OSError, StopIteration):
        return False
    return True


def become(told):
    """Build the root, go into it, give up what a container lacks, and become the program."""
    directory = told["directory"]
    root = f"{directory}/root"
    mount("overlay", root, "overlay", f"lowerdir=/,upperdir={directory}/upper,workdir={directory}/work")
    mount("proc", f"{root}/proc", "proc")
    mount("tmpfs", f"{root}/tmp", "tmpfs")
    # Not the overlay's: an /autograder that the machine has would show through.
    mount(f"{directory}/upper/autograder", f"{root}/autograder", flags=MS_BIND)
    mount("/dev", f"{root}/dev", flags=MS_BIND | MS_REC)
    for path in told["hidden"]:
        if Path(root + path).is_dir():
            mount("tmpfs", root + path, "tmpfs")
    for group in told["cgroups"]:
        Path(group, "cgroup.procs").write_text(str(os.getpid()), encoding="ascii")
    enter()
    os.chroot(root)
    os.chdir("/autograder")
    bounding = "-all," + ",".join(f"+{name}" for name in CAPABILITIES.split())
    program = ["/usr/bin/setpriv", "--bounding-set", bounding, "--inh-caps", "-all", "--", *told["program"]]
    path = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root"}
    os.execve(program[0], program, path | told["environment"])


def mount(source, target, kind=None, data=None, flags=0):
    arguments = [text.encode() if text else None for text in (source, target, kind)]
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.mount(*arguments, ctypes.c_ulong(flags), data.encode() if data else None):
        raise OSError(ctypes.get_errno(), f"mount {target}")


if __name__ == "__main__":
    become(json.loads(Path(sys.argv[1]).read_text("utf-8")))
