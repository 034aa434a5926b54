"""A container like Gradescope's, made of what a Linux machine has: a root of its own over this machine's, with
/autograder in it, fewer capabilities and system calls, and on demand half a processor and 768 MB.

As a program, it does inside the new mount namespace what must be done there: python rootfs.py TOLD.json
"""

import contextlib
import ctypes
import json
import os
import subprocess
import sys
from pathlib import Path

import pyseccomp

CAPABILITIES = (  # what Docker leaves to root in a container
    *("chown", "dac_override", "fowner", "fsetid", "kill", "setgid", "setuid", "setpcap", "net_bind_service"),
    *("net_raw", "sys_chroot", "mknod", "audit_write", "setfcap"),
)
REFUSED = (  # of what Docker's profile refuses, what a grader might be tempted to use
    *("mount", "umount2", "pivot_root", "setns", "unshare", "keyctl", "add_key", "request_key", "bpf"),
    *("perf_event_open", "swapon", "reboot", "init_module", "open_tree", "move_mount", "fsopen", "fsmount"),
)
NAMESPACES = 0x00020000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000  # CLONE_NEW*
PATIENCE = 300  # seconds for one run: a loaded machine with half a processor takes its time
CGROUPS = Path("/sys/fs/cgroup")


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
        command = ["unshare", "--mount", "--propagation", "private", sys.executable, __file__, str(file)]
        return subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=PATIENCE, check=False
        )

    def works(self):
        """Say whether this machine lets us make it: root, in no container that forbids it."""
        with contextlib.suppress(OSError):
            return self.run(["/bin/true"]).returncode == 0
        return False


@contextlib.contextmanager
def half_a_processor(memory_mb=768):
    """Give the control groups of a default Gradescope container, or None where they cannot be made."""
    one = (CGROUPS / "cgroup.controllers").exists()
    name = f"autograder-{os.getpid()}"
    groups = [CGROUPS / name] if one else [CGROUPS / "cpu" / name, CGROUPS / "memory" / name]
    limits = (
        {"cpu.max": "50000 100000", "memory.max": f"{memory_mb}M", "memory.swap.max": "0"}
        if one
        else {"cpu.cfs_period_us": "100000", "cpu.cfs_quota_us": "50000", "memory.limit_in_bytes": f"{memory_mb}M"}
    )
    try:
        for group in groups:
            group.mkdir()
        for file, value in limits.items():
            next(group / file for group in groups if (group / file).exists()).write_text(value, encoding="ascii")
    except (OSError, StopIteration):
        groups, made = None, groups
    else:
        made = groups
    try:
        yield groups
    finally:
        for group in made:
            with contextlib.suppress(OSError):  # never made
                group.rmdir()


def enter(told):
    """Build the root, go into it, give up what a container lacks, and become the program."""
    directory = told["directory"]
    root = f"{directory}/root"
    mount("overlay", root, "overlay", f"lowerdir=/,upperdir={directory}/upper,workdir={directory}/work")
    mount("proc", f"{root}/proc", "proc")
    mount("tmpfs", f"{root}/tmp", "tmpfs")
    mount("/dev", f"{root}/dev", flags=0x5000)  # MS_BIND | MS_REC
    for path in told["hidden"]:
        if Path(root + path).is_dir():
            mount("tmpfs", root + path, "tmpfs")
    for group in told["cgroups"]:
        Path(group, "cgroup.procs").write_text(str(os.getpid()), encoding="ascii")
    refuse_calls()
    os.chroot(root)
    os.chdir("/autograder")
    bounding = "-all," + ",".join(f"+{name}" for name in CAPABILITIES)
    program = ["/usr/bin/setpriv", "--bounding-set", bounding, "--inh-caps", "-all", "--", *told["program"]]
    path = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root"}
    os.execve(program[0], program, path | told["environment"])


def mount(source, target, kind=None, data=None, flags=0):
    arguments = [text.encode() if text else None for text in (source, target, kind)]
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.mount(*arguments, ctypes.c_ulong(flags), data.encode() if data else None):
        raise OSError(ctypes.get_errno(), f"mount {target}")


def refuse_calls():
    refused = pyseccomp.SyscallFilter(pyseccomp.ALLOW)
    refused.set_attr(pyseccomp.Attr.CTL_NNP, False)  # Docker does not set it either
    for name in REFUSED:
        refused.add_rule(pyseccomp.ERRNO(1), name)  # EPERM
    refused.add_rule(pyseccomp.ERRNO(38), "clone3")  # ENOSYS: its flags cannot be seen, so callers fall back
    for flag in NAMESPACES:
        refused.add_rule(pyseccomp.ERRNO(1), "clone", pyseccomp.Arg(0, pyseccomp.MASKED_EQ, flag, flag))
    refused.load()


if __name__ == "__main__":
    enter(json.loads(Path(sys.argv[1]).read_text("utf-8")))
