"""The filters decide as the list says: read by a small interpreter of the kernel's filter language."""

import errno
import struct
import sys

import pytest

from autograder.worker.seccomp_filters import FILTERS

syscalls = pytest.importorskip("autograder.sandbox.syscalls", reason="libseccomp is there on Linux only")
if sys.platform != "linux":
    pytest.skip("filters are for Linux", allow_module_level=True)

ALLOW, KILL_PROCESS = 0x7FFF0000, 0x80000000
AUDIT = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}  # linux/audit.h
THREAD, FORK = 0x3D0F00, 0x01200011  # what the C library passes to clone for a thread and for fork
O_WRONLY_CREAT = 0o101


def refused(code):
    return 0x00050000 | code


def decision(program, number, arguments=(), *, machine):
    """Return what `program` answers to a system call, as linux/filter.h defines its instructions."""
    words = [*arguments, *(0,) * (6 - len(arguments))]
    data = struct.pack("<IIQ6Q", number, AUDIT[machine], 0, *words)
    instructions = list(struct.iter_unpack("<HBBI", program))
    position, accumulator = 0, 0
    while True:
        code, if_true, if_false, k = instructions[position]
        position += 1
        if code == 0x20:  # load a word
            accumulator = struct.unpack_from("<I", data, k)[0]
        elif code == 0x54:  # and
            accumulator &= k
        elif code == 0x06:  # return
            return k
        elif code == 0x05:  # jump
            position += k
        else:
            holds = {0x15: accumulator == k, 0x25: accumulator > k, 0x35: accumulator >= k}[code]
            position += if_true if holds else if_false


def number_of(machine, name):
    import pyseccomp

    return pyseccomp.resolve_syscall(getattr(pyseccomp.Arch, syscalls.ARCHITECTURES[machine]), name)


@pytest.mark.parametrize("machine", FILTERS)
def test_the_stored_filter_decides_as_the_list_does(machine):
    fresh = syscalls.program(machine)
    interesting = [
        *((), (0, 1), (THREAD, 4), (FORK, 8), (0, O_WRONLY_CREAT, O_WRONLY_CREAT), (1, 1030, 0), (0, 0, 1), (1,)),
        *((11,), (0xFFFFFF86,)),
    ]
    asked = [(number, words) for number in range(600) for words in interesting]
    stored_answers = {call: decision(FILTERS[machine], *call, machine=machine) for call in asked}
    assert stored_answers == {call: decision(fresh, *call, machine=machine) for call in asked}


@pytest.mark.parametrize("machine", FILTERS)
@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("read", ()),
        ("mmap", ()),
        ("getrandom", ()),
        ("futex", ()),
        ("exit_group", ()),
        ("openat", (0, 0, 0)),
        ("fcntl", (3, 1)),
        ("prlimit64", (0, 9, 0)),
        ("clone", (THREAD,)),
        ("clock_gettime", (11,)),
        ("clock_nanosleep", (1,)),
        ("sched_getaffinity", (0,)),
        ("getsid", (0,)),
    ],
)
def test_what_an_engine_needs_is_allowed(machine, name, arguments):
    assert decision(FILTERS[machine], number_of(machine, name), arguments, machine=machine) == ALLOW


@pytest.mark.parametrize("machine", FILTERS)
@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("socket", ()),
        ("execve", ()),
        ("clone", (FORK,)),
        ("clone", (THREAD | 0x10000000,)),  # CLONE_NEWUSER
        ("kill", ()),
        ("tgkill", ()),
        ("ptrace", ()),
        ("process_vm_readv", ()),
        ("shmget", ()),
        ("keyctl", ()),
        ("memfd_create", ()),
        ("io_uring_setup", ()),
        ("inotify_init1", ()),
        ("unshare", ()),
        ("setresuid", ()),
        ("chroot", ()),
        ("bpf", ()),
        ("openat", (0, 0, 0o1)),
        ("openat", (0, 0, 0o2)),
        ("openat", (0, 0, 0o100)),
        ("fcntl", (3, 8)),  # F_SETOWN
        ("sysinfo", ()),
        ("clock_gettime", (0xFFFFFF86,)),  # the CPU clock of a process
        ("clock_getres", (0xFFFFFF86,)),
        ("clock_nanosleep", (0xFFFFFF86,)),
        ("sched_getaffinity", (1,)),
        ("getsid", (1,)),
        ("getpgid", (1,)),
        ("prlimit64", (1, 9, 0)),
        ("prlimit64", (0, 9, 1)),
    ],
)
def test_what_could_do_harm_is_refused(machine, name, arguments):
    answer = decision(FILTERS[machine], number_of(machine, name), arguments, machine=machine)
    assert answer == refused(errno.EPERM)


@pytest.mark.parametrize("machine", FILTERS)
def test_a_call_of_another_architecture_ends_the_process(machine):
    other = next(each for each in AUDIT if each != machine)
    assert decision(FILTERS[machine], number_of(machine, "read"), machine=other) == KILL_PROCESS


def test_the_second_calling_convention_of_x86_64_ends_the_process():
    assert decision(FILTERS["x86_64"], 0x40000000, machine="x86_64") == KILL_PROCESS


@pytest.mark.parametrize("machine", FILTERS)
@pytest.mark.parametrize(("name", "code"), [("clone3", errno.ENOSYS), ("ioctl", errno.ENOTTY)])
def test_the_c_library_is_told_to_do_without(machine, name, code):
    assert decision(FILTERS[machine], number_of(machine, name), machine=machine) == refused(code)
