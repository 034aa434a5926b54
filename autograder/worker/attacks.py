"""What the self-test tries: what a submission could try, one function each.

An attack that is stopped raises an OSError, and none leaves anything behind. `targets` are what there is to attack.
"""

from __future__ import annotations

import _socket
import ctypes
import errno
import fcntl
import mmap
import os
import resource
import time

TYPE_CHECKING = False  # typing's own constant costs its import, 8 ms in every worker
if TYPE_CHECKING:
    from collections.abc import Callable

    from .commands import Targets

_IPC_PRIVATE, _IPC_RMID, _NEW_USER = 0, 0, 0x10000000
_KEYCTL = {"x86_64": 250, "aarch64": 219}  # the C library has no function for it
_PROCESS_CLOCK = 2  # CPUCLOCK_SCHED
_SYSINFO_BYTES = 256  # more than struct sysinfo has
_libc = ctypes.CDLL(None, use_errno=True)


def _be_the_graders_user(targets: Targets) -> None:
    if os.getuid() != targets["uid"]:
        os.setresuid(targets["uid"], targets["uid"], targets["uid"])


def _read_a_secret_file(targets: Targets) -> None:
    _read(targets["secret"])


def _list_a_secret_directory(targets: Targets) -> None:
    os.listdir(os.path.dirname(targets["secret"]))


def _read_a_file_that_all_may_read(targets: Targets) -> None:
    _read(targets["readable"])


def _learn_that_a_file_exists(targets: Targets) -> None:
    os.stat(targets["readable"])


def _read_what_the_assignment_hides(targets: Targets) -> None:
    for path in targets["hidden"]:
        try:
            os.close(os.open(path, os.O_RDONLY))
        except OSError:
            continue
        return
    raise PermissionError(errno.EACCES, "none of them could be opened, or there is none")


def _change_the_report(targets: Targets) -> None:
    os.close(os.open(targets["report"], os.O_WRONLY | os.O_APPEND))


def _add_a_file_beside_the_report(targets: Targets) -> None:
    _create(targets["report"] + ".self-test")


def _replace_the_report(targets: Targets) -> None:
    os.rename(targets["report"], targets["report"])


def _signal_the_grader(targets: Targets) -> None:
    os.kill(targets["grader"], 0)


def _read_the_environment_of_a_process(targets: Targets) -> None:
    _read(f"/proc/{targets['process']}/environ")


def _read_the_arguments_of_a_process(targets: Targets) -> None:
    _read(f"/proc/{targets['process']}/cmdline")


def _lower_the_limits_of_a_process(targets: Targets) -> None:
    resource.prlimit(targets["process"], resource.RLIMIT_CORE, (0, 0))


def _have_a_descriptor_send_signals(_: Targets) -> None:
    fcntl.fcntl(0, fcntl.F_SETOWN, 0)  # with a pid, and F_SETSIG, it kills like kill(2)


def _run_a_program(_: Targets) -> None:
    _checked(_libc.execve(None, None, None))


def _fork(_: Targets) -> None:
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)


def _make_a_memory_file(_: Targets) -> None:
    os.close(os.memfd_create("self-test"))


def _watch_files(_: Targets) -> None:
    os.close(_checked(_libc.inotify_init1(0)))


def _make_a_user_namespace(_: Targets) -> None:
    _checked(_libc.unshare(_NEW_USER))


def _connect(targets: Targets) -> None:
    tried = _socket.socket(_socket.AF_INET, _socket.SOCK_STREAM)
    tried.connect(("127.0.0.1", targets["tcp"]))
    tried.close()


def _send_a_datagram(targets: Targets) -> None:
    tried = _socket.socket(_socket.AF_INET, _socket.SOCK_DGRAM)
    tried.sendto(b"self-test", ("127.0.0.1", targets["udp"]))
    tried.close()


def _reach_an_abstract_socket(targets: Targets) -> None:
    tried = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    tried.connect("\0" + targets["abstract"])
    tried.close()


def _leave_shared_memory(_: Targets) -> None:
    segment = _checked(_libc.shmget(_IPC_PRIVATE, ctypes.c_size_t(mmap.PAGESIZE), 0o600))
    _libc.shmctl(segment, _IPC_RMID, None)


def _leave_a_message(_: Targets) -> None:
    queue = _checked(_libc.msgget(_IPC_PRIVATE, 0o600))
    _libc.msgctl(queue, _IPC_RMID, None)


def _leave_a_key(_: Targets) -> None:
    number = _KEYCTL[os.uname().machine]
    _checked(_libc.syscall(number, 0, -3, 0))  # KEYCTL_GET_KEYRING_ID of the session's keyring


def _leave_a_file(targets: Targets) -> None:
    _create(targets["writable"] + f"/{os.getpid()}")


def _leave_a_file_in_memory(_: Targets) -> None:
    _create(f"/dev/shm/autograder-self-test-{os.getpid()}")  # noqa: S108 - where a submission would try it


def _leave_a_file_beside_the_submission(_: Targets) -> None:
    _create(os.path.join(os.getcwd(), "self-test"))


def _take_more_memory(targets: Targets) -> None:
    size = targets["memory"] + (1 << 20)
    mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS).close()


def _fill_a_file(_: Targets) -> None:
    if resource.getrlimit(resource.RLIMIT_FSIZE)[1] == 0:
        raise OSError(errno.EFBIG, "the limit")


def _learn_that_a_process_exists(targets: Targets) -> None:
    os.getsid(targets["process"])


def _read_how_much_a_process_works(targets: Targets) -> None:
    time.clock_gettime((~targets["process"] << 3) | _PROCESS_CLOCK)


def _read_how_busy_the_machine_is(_: Targets) -> None:
    _checked(_libc.sysinfo(ctypes.create_string_buffer(_SYSINFO_BYTES)))


_BY_LAYER: tuple[tuple[str, tuple[Callable[[Targets], None], ...]], ...] = (
    ("user", (_be_the_graders_user,)),
    (
        "files",
        (
            _read_a_secret_file,
            _list_a_secret_directory,
            _read_a_file_that_all_may_read,
            _read_what_the_assignment_hides,
        ),
    ),
    ("names", (_learn_that_a_file_exists,)),
    ("report", (_change_the_report, _add_a_file_beside_the_report, _replace_the_report)),
    (
        "grader",
        (
            _signal_the_grader,
            _read_the_environment_of_a_process,
            _read_the_arguments_of_a_process,
            _lower_the_limits_of_a_process,
        ),
    ),
    ("processes", (_run_a_program, _fork)),
    ("syscalls", (_make_a_memory_file, _watch_files, _have_a_descriptor_send_signals)),
    ("network", (_connect, _send_a_datagram, _reach_an_abstract_socket)),
    (
        "traces",
        (
            _leave_shared_memory,
            _leave_a_message,
            _leave_a_key,
            _leave_a_file,
            _leave_a_file_in_memory,
            _leave_a_file_beside_the_submission,
        ),
    ),
    ("limits", (_take_more_memory, _fill_a_file)),
    ("neighbours", (_learn_that_a_process_exists, _read_how_much_a_process_works, _read_how_busy_the_machine_is)),
    ("syscalls", (_make_a_user_namespace,)),  # last: the control is in it afterwards
)
ATTACKS = tuple((layer, attack) for layer, attacks in _BY_LAYER for attack in attacks)


def _read(path: str) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    os.read(descriptor, 1)
    os.close(descriptor)


def _create(path: str) -> None:
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    os.unlink(path)


def _checked(result: int) -> int:
    if result < 0:
        raise OSError(ctypes.get_errno(), "refused")
    return result
