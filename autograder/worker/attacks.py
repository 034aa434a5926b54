"""What the self-test tries: what a submission could try, one function each.

An attack that is stopped raises an OSError, and none leaves anything behind. `targets` are what there is to attack.
"""

from __future__ import annotations

import _socket
import errno
import fcntl
import mmap
import os
import resource

from . import kernel_attacks

TYPE_CHECKING = False  # typing's own constant costs its import, 8 ms in every worker
if TYPE_CHECKING:
    from collections.abc import Callable

    from .commands import Targets

_FIRST_NUMBER_AGAIN = 300  # RESERVED_PIDS of the kernel


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


def _fork(_: Targets) -> None:
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)


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


def _learn_how_many_processes_start(targets: Targets) -> None:
    """Compare a number of this process with that of one which started before: the machine counts both.

    A namespace counts its own from 1. The machine's numbers grow, and go on at 300 after the largest.
    """
    if os.getpid() < min(targets["process"], _FIRST_NUMBER_AGAIN):
        raise PermissionError(errno.EPERM, "the numbers here are not the machine's")


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
    ("processes", (kernel_attacks.run_a_program, _fork)),
    ("syscalls", (kernel_attacks.make_a_memory_file, kernel_attacks.watch_files, _have_a_descriptor_send_signals)),
    ("network", (_connect, _send_a_datagram, _reach_an_abstract_socket)),
    (
        "traces",
        (
            kernel_attacks.leave_shared_memory,
            kernel_attacks.leave_a_message,
            kernel_attacks.leave_a_key,
            _leave_a_file,
            _leave_a_file_in_memory,
            _leave_a_file_beside_the_submission,
        ),
    ),
    ("limits", (_take_more_memory, _fill_a_file)),
    (
        "neighbours",
        (
            kernel_attacks.learn_that_a_process_exists,
            kernel_attacks.read_how_much_a_process_works,
            kernel_attacks.read_how_busy_the_machine_is,
            _learn_how_many_processes_start,
        ),
    ),
    ("syscalls", (kernel_attacks.make_a_user_namespace,)),  # last: the control is in it afterwards
)
ATTACKS = tuple((layer, attack) for layer, attacks in _BY_LAYER for attack in attacks)


def _read(path: str) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    os.read(descriptor, 1)
    os.close(descriptor)


def _create(path: str) -> None:
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    os.unlink(path)
